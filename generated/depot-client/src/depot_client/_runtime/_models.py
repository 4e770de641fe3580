"""The base class of everything that a client reads: a tolerant reader.

Decoding never fails over a value and loses none: a missing required property reads as
None, a wrong type, an unknown enum value or an unknown union member stays as the
server sent it, properties that the description does not know are attributes too, and
:meth:`BaseModel.to_dict` gives back the JSON that came in. What departs from the
description is found by ``_deviations``, when somebody asks.

A property declared as a date-time, a UUID or the like is that Python object where its
text says so, and is written back as it came (``_formats``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import pydantic
from pydantic import ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from ._declared import Whole
from ._limits import Limits
from ._room import with_room
from ._tolerance import tolerate_model

_REQUEST_ID = "_request_id"


class BaseModel(pydantic.BaseModel):
    """A JSON object of the API.

    ``class Pet(BaseModel, closed=True)`` says that the description knows of no other
    properties, ``min_properties=1`` and ``max_properties=9`` how many there may be:
    whatever comes is kept all the same, but counts as a deviation from it.
    """

    if TYPE_CHECKING:
        # A subclass says what its further properties are; pydantic's own annotation,
        # of a mutable attribute, must not be narrowed.
        __pydantic_extra__: Any = Field(init=False)

    __closed__: ClassVar[bool] = False
    __limits__: ClassVar[Limits] = ()

    model_config = ConfigDict(
        extra="allow",
        defer_build=True,
        protected_namespaces=(),
        validate_by_name=True,
        validate_by_alias=True,
        ser_json_inf_nan="constants",  # Python reads them, so they are written too
    )

    def __init_subclass__(
        cls,
        *,
        closed: bool = False,
        min_properties: int | None = None,
        max_properties: int | None = None,
        **options: Any,
    ) -> None:
        """Note what is declared of all properties of a subclass together."""
        super().__init_subclass__(**options)
        if closed:
            cls.__closed__ = True
        numbers = {"min_length": min_properties, "max_length": max_properties}
        for name, number in numbers.items():
            if number is not None:
                cls.__limits__ = (*cls.__limits__, (name, number))

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[pydantic.BaseModel], handler: GetCoreSchemaHandler, /
    ) -> CoreSchema:
        """Make the schema tolerant; called by pydantic once per class."""
        return tolerate_model(_whole(cls), handler(source), handler)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> dict[str, Any]:
        """Describe what the description declares, not what is tolerated."""
        from ._json_schema import declared  # for the few programs that ask for it

        return declared(_whole(cls), core_schema, handler)

    @classmethod
    def model_rebuild(
        cls,
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 0,
        _types_namespace: Mapping[str, Any] | None = None,
    ) -> bool | None:
        """Build the schema, which otherwise happens on first use.

        Unlike pydantic's, it does not look for names in the frames of its callers:
        who uses a model first must not decide what its annotations mean.
        """
        return with_room(
            partial(
                super().model_rebuild,
                force=force,
                raise_errors=raise_errors,
                _parent_namespace_depth=0,
                _types_namespace=_types_namespace,
            )
        )

    @property
    def _request_id(self) -> str | None:
        """What the server called the request that this object answers, if it said."""
        request_id: str | None = self.__dict__.get(_REQUEST_ID)
        return request_id

    def to_dict(self) -> dict[str, Any]:
        """The object as the server sent it: wire names, absent properties absent."""
        return self.model_dump(
            mode="json", by_alias=True, exclude_unset=True, warnings=False
        )

    def to_json(self, *, indent: int | None = 2) -> str:
        """The object as readable JSON text; ``indent=None`` gives it on one line."""
        separators = (",", ":") if indent is None else None
        return json.dumps(
            self.to_dict(), indent=indent, separators=separators, ensure_ascii=False
        )

    def __str__(self) -> str:
        """Be printed as it is shown in a console, with the name of the class."""
        return repr(self)


def _whole(model: type[BaseModel]) -> Whole:
    return Whole(model, model.__closed__, model.__limits__)


def set_request_id(value: object, request_id: str | None) -> None:
    """Note on a decoded answer what the server called the request.

    It lies beside the fields, where pydantic puts the results of cached properties:
    copied and pickled with the object, but neither compared nor dumped.
    """
    if isinstance(value, BaseModel) and request_id is not None:
        vars(value)[_REQUEST_ID] = request_id

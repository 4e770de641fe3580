"""What ``specloom.toml`` says about a client; everything else comes from its descriptions."""

from __future__ import annotations

import re
import tomllib
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from .diagnostics import Origin, Report

FILE = "specloom.toml"
Methods = Literal["tags", "paths"]
_FRAMING = frozenset({"connection", "content-length", "content-type", "host", "transfer-encoding"})
"""Headers that say how a request is to be read."""


def _no_keyword(name: str) -> str:
    if iskeyword(name):
        raise PydanticCustomError("keyword", "it is a keyword of Python")
    return name


def _free_header(name: str) -> str:
    if name.lower() in _FRAMING:
        raise PydanticCustomError("framing", "that header has a meaning of its own")
    return name


def _once(names: list[str]) -> list[str]:
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise PydanticCustomError("twice", "'{name}' stands there twice", {"name": twice[0]})
    return names


_HeaderName = Annotated[
    str, Field(pattern=r"^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$"), AfterValidator(_free_header)
]
_Identifier = Annotated[
    str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"), AfterValidator(_no_keyword)
]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    if TYPE_CHECKING:  # what is not a key has a type of its own in one table
        __pydantic_extra__: Any = Field(init=False)


def _named(value: object) -> object:
    """Refuse what names no variable, in one sentence."""
    given: object = value
    names = cast(dict[str, object], given).values() if isinstance(given, dict) else [given]
    if not all(isinstance(name, str) and name for name in names):
        expected = "input should be the name of a variable, or a table of such names"
        raise PydanticCustomError("variables", expected)
    return value


_Variables = Annotated[Any, BeforeValidator(_named)]


class Environment(_Table):
    """Environment variables that the client reads.

    Those of credentials stand by the names of security schemes: one, or a table of them where a
    caller gives several things. ``api_key`` stands for the only key of an API, ``webhook_secret``
    is what the messages of an API are signed with.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, _Variables] = Field(init=False)

    base_url: str | None = None
    webhook_secret: str | None = None

    @property
    def schemes(self) -> dict[str, str | dict[str, str]]:
        """The variables of credentials, by the names of schemes."""
        return dict(self.__pydantic_extra__ or {})


class Streaming(_Table):
    """How streams of the API end: ``end`` is the data of the event that says so."""

    end: str | None = None


class Errors(_Table):
    """How errors of the API look: ``envelope`` is the property that holds the error."""

    envelope: str | None = None


class Operations(_Table):
    """Operations by their tags, by globs of their paths, and by their ids."""

    tags: list[str] = []
    paths: list[str] = []
    operations: list[str] = []


class Config(_Table):
    """How one client is made. ``name``, ``package`` and ``class`` come from the title otherwise."""

    descriptions: Annotated[list[str], Field(min_length=1), AfterValidator(_once)]
    overlays: dict[str, list[str]] = {}
    include: Operations = Operations()
    exclude: Operations = Operations()
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$")] | None = None
    package: _Identifier | None = None
    class_: Annotated[_Identifier | None, Field(alias="class")] = None
    version: str | None = None
    methods: Methods = "tags"
    strict: bool = False
    environment: Environment = Environment()
    streaming: Streaming = Streaming()
    errors: Errors = Errors()
    idempotency_header: _HeaderName | None = None
    pagination: dict[str, dict[str, str | int | bool]] = {}
    names: dict[str, _Identifier] = {}
    templates: str | None = None


def read_config(target: Path, report: Report) -> Config:
    """Return the configuration of a target: a folder with a ``specloom.toml``, or a description.

    Raises ``Stop`` after reporting a file that cannot be read, a syntax error, an unknown key or
    a value that does not fit.
    """
    if not target.is_dir():
        return Config(descriptions=[target.name])
    origin = Origin(FILE)
    try:
        written = tomllib.loads((target / FILE).read_text("utf-8"))
    except FileNotFoundError:
        message = f"there is no {FILE} in {target}; add one, or name a description"
        raise report.fatal("missing-file", message, origin) from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        at = Origin(FILE, f"@{place[1]}:{place[2]}") if place else origin
        reason = str(error).partition(" (at ")[0]
        message = f"this is not TOML: {reason[:1].lower()}{reason[1:]}"
        raise report.fatal("invalid-toml", message, at) from None
    except (OSError, UnicodeDecodeError) as error:
        raise report.fatal("unreadable-file", f"cannot read {FILE}: {error}", origin) from None
    try:
        return Config.model_validate(written)
    except ValidationError as error:
        for problem in error.errors():
            at = origin
            for token in problem["loc"]:
                at /= token
            report.error(*_explained(problem["type"], problem["loc"], problem["msg"]), at)
        raise report.stop() from None


def _explained(kind: str, location: tuple[int | str, ...], message: str) -> tuple[str, str]:
    """Return the code and the sentence for a finding about a key."""
    key = ".".join(str(token) for token in location)
    match kind:
        case "extra_forbidden":
            return "unknown-key", f"there is no key {key!r}; {_known(location[:-1])}"
        case "missing":
            return "missing-key", f"the key {key!r} is missing"
        case _:
            return "invalid-value", f"{key!r} does not fit: {message[:1].lower()}{message[1:]}"


def _known(table: tuple[int | str, ...]) -> str:
    """Return the keys that a table can have, in a sentence."""
    model: type[BaseModel] = Config
    for token in table:
        inner = model.model_fields[str(token)].annotation
        assert isinstance(inner, type) and issubclass(inner, BaseModel), "only tables forbid keys"
        model = inner
    keys = [field.alias or name for name, field in model.model_fields.items()]
    return f"the keys here are {', '.join(keys)}"


def locate(text: str, origin: Origin) -> tuple[int, int]:
    """Return line and column, from 1, of a key in the text of a configuration file."""
    if origin.pointer.startswith("@"):
        line, _, column = origin.pointer[1:].partition(":")
        return int(line), int(column)
    place, longest = (1, 1), 0
    table: list[str] = []
    wanted = list(origin.tokens)
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[+\s*(.*?)\s*\]+", line)
        key = re.match(rf"\s*((?:{_KEY})(?:\s*\.\s*(?:{_KEY}))*)\s*=", line)
        if header:
            found = table = _tokens(header[1])
        elif key:
            found = [*table, *_tokens(key[1])]
        else:
            continue
        if len(found) > longest and wanted[: len(found)] == found:
            place, longest = (number, len(line) - len(line.lstrip()) + 1), len(found)
    return place


_KEY = r"""\"[^\"]*\"|'[^']*'|[\w-]+"""
"""A key of TOML, bare or quoted."""


def _tokens(keys: str) -> list[str]:
    """Return the keys that stand with dots between them, without their quotes."""
    return [key.strip("\"'") for key in re.findall(_KEY, keys)]

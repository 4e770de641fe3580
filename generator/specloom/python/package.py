"""The code model: Python as flat strings in print order.

Every name is final and every import known; the templates loop over this and decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar

from ..lock import Lock


@dataclass(frozen=True, slots=True)
class Attribute:
    """One annotated line of a class, with its docstring below."""

    name: str
    annotation: str
    default: str | None = None
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Class:
    """A model: a pydantic class."""

    template: ClassVar[str] = "src/package/_class.jinja"
    name: str
    doc: str | None
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A parameter: a ``TypedDict`` with wire names."""

    template: ClassVar[str] = "src/package/_record.jinja"
    name: str
    doc: str | None
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class FunctionalRecord:
    """A ``TypedDict`` of which a wire name is no identifier: class syntax cannot express it."""

    template: ClassVar[str] = "src/package/_functional_record.jinja"
    name: str
    doc: str | None
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class Alias:
    """A name for a type."""

    template: ClassVar[str] = "src/package/_alias.jinja"
    name: str
    value: str
    doc: str | None


@dataclass(frozen=True, slots=True)
class RecursiveAlias:
    """A name for a type that mentions the name itself."""

    template: ClassVar[str] = "src/package/_recursive_alias.jinja"
    name: str
    value: str
    doc: str | None


Statement = Class | Record | FunctionalRecord | Alias | RecursiveAlias


@dataclass(frozen=True, slots=True)
class Argument:
    """One keyword of a method, as it stands in the signature."""

    name: str
    annotation: str
    default: str | None = None
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """What a method takes and gives, in one of its flavours."""

    arguments: tuple[Argument, ...]
    result: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a dictionary display: a wire name and the expression of its value."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Call:
    """How a method gets its answer.

    ``condition`` is the argument that asks for a stream; an ``optional`` body is not sent when
    none of its properties is given.
    """

    method: str
    path: str
    content: str | None = None
    query: tuple[Entry, ...] = ()
    headers: tuple[Entry, ...] = ()
    json: tuple[Entry, ...] = ()
    optional: bool = False
    body: str | None = None
    content_type: str | None = None
    condition: str | None = None
    stream: str | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """One operation, in one flavour."""

    name: str
    doc: str
    request: str
    example: str
    overloads: tuple[Signature, ...]
    signature: Signature
    call: Call


@dataclass(frozen=True, slots=True)
class Child:
    """A resource below a resource, or below the client."""

    name: str
    class_name: str
    path: str


@dataclass(frozen=True, slots=True)
class Flavour:
    """The words in which the synchronous and the asynchronous code differ."""

    prefix: str
    define: str
    wait: str
    resource: str
    client: str
    raw: str
    streamed: str


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource class with its two wrappers, in one flavour."""

    name: str
    doc: str
    flavour: Flavour
    children: tuple[Child, ...]
    methods: tuple[Method, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """A private value that methods of a module use: made on first use, then kept."""

    name: str
    annotation: str
    value: str


@dataclass(frozen=True, slots=True)
class Module:
    """One file to render: where it goes, which template prints it, and what it prints."""

    path: PurePosixPath
    template: str
    context: object
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Statements:
    """The content of a module of models or of parameters."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Resources:
    """The content of a module of resources."""

    constants: tuple[Constant, ...]
    resources: tuple[Resource, ...]


@dataclass(frozen=True, slots=True)
class Exports:
    """The content of a package whose names are imported on first use: (name, module) pairs."""

    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """One method in ``api.md``."""

    call: str
    result: str
    request: str
    example: str


@dataclass(frozen=True, slots=True)
class Section:
    """One resource in ``api.md``."""

    title: str
    listings: tuple[Listing, ...]


@dataclass(frozen=True, slots=True)
class Client:
    """What the two client classes, the package's metadata and its documents say."""

    name: str
    package: str
    source: str
    title: str
    version: str
    summary: str
    module_doc: str
    doc: str
    class_name: str
    flavours: tuple[Flavour, ...]
    suffixes: tuple[str, ...]
    profile: tuple[Entry, ...]
    children: tuple[Child, ...]
    runtime_names: tuple[str, ...]
    exports: tuple[str, ...]
    sections: tuple[Section, ...]
    models: tuple[str, ...]
    params: tuple[str, ...]
    key_variable: str | None
    arguments: str
    first_call: str | None
    first_awaited_call: str | None


@dataclass(frozen=True, slots=True)
class Package:
    """A whole client, ready to print."""

    name: str
    import_name: str
    modules: tuple[Module, ...]
    names: Lock

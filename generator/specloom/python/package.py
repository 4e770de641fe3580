"""The code model: Python as flat strings in print order.

Every name is final and every import known; the templates loop over this and decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar

from ..lock import Lock

CONTRACT = 4
"""The version of what templates are given and may extend: the classes here, the names of the
templates and of their blocks. It changes when these do; see ``docs/templates.md``."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One annotated line of a class, with its docstring below."""

    name: str
    annotation: str
    default: str | None = None
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Class:
    """A model: a pydantic class; ``options`` are keywords of the class statement."""

    template: ClassVar[str] = "src/package/_class.jinja"
    name: str
    doc: str | None
    attributes: tuple[Attribute, ...]
    options: tuple[str, ...] = ()


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
class Payload:
    """What a body is made of: a dictionary display or, in its place, one expression.

    An ``optional`` body is not sent when none of its properties is given.
    """

    entries: tuple[Entry, ...] = ()
    expression: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Alternative:
    """What a body is made of in one media type."""

    media_type: str
    payload: Payload


@dataclass(frozen=True, slots=True)
class Call:
    """How a method gets its answer.

    ``template`` is the path as it is described, and ``path`` what goes into it. The body is in
    ``json``, in ``content`` or, where the media type decides what it is, in ``alternatives``, of
    which one may be ``optional``. ``declared`` gives the types of all that is sent, and ``errors``
    those of errors. ``security`` and ``servers`` are those of the operation, where it has its own.
    ``condition`` is the argument that asks for a stream; ``pages`` says how answers lead on.
    """

    method: str
    template: str
    path: tuple[Entry, ...] = ()
    query: tuple[Entry, ...] = ()
    querystring: Payload | None = None
    headers: tuple[Entry, ...] = ()
    cookies: tuple[Entry, ...] = ()
    json: Payload | None = None
    content: Payload | None = None
    alternatives: tuple[Alternative, ...] = ()
    optional: bool = False
    content_type: str | None = None
    accept: str | None = None
    declared: str | None = None
    errors: str | None = None
    security: str | None = None
    servers: str | None = None
    condition: str | None = None
    stream: str | None = None
    pages: str | None = None
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
    http: str
    raw: str
    streamed: str


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource class with its two wrappers, in one flavour.

    ``base`` is what it inherits from. One with very many methods has them from there, and
    ``inherited`` are their names.
    """

    name: str
    doc: str
    flavour: Flavour
    children: tuple[Child, ...]
    base: str
    methods: tuple[Method, ...] = ()
    inherited: tuple[str, ...] = ()


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
class Message:
    """One webhook in ``api.md``: its name, what it brings, and what asks for it."""

    name: str
    result: str
    request: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What ``unwrap`` gives where its caller knows the name, or says none."""

    name: str
    default: str | None
    result: str


@dataclass(frozen=True, slots=True)
class Webhooks:
    """The content of the module that reads what the API sends of itself.

    ``every`` decodes any message, ``named`` those of one name. ``telling`` is whether a message
    may hold its name. ``overloads`` are there where a name makes a difference.
    """

    title: str
    variable: str
    every: str
    named: tuple[Entry, ...]
    telling: bool
    overloads: tuple[Reading, ...]
    reading: Reading


@dataclass(frozen=True, slots=True)
class Passage:
    """Some sentences of a README, and the code that shows what they mean."""

    text: str
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Helper:
    """An attribute of the client by which people grant tokens."""

    name: str
    scheme: str
    class_name: str


@dataclass(frozen=True, slots=True)
class ClientClass:
    """One of the two client classes.

    ``arguments`` are the keywords that its constructor has besides those of every client,
    ``changes`` those of ``with_options``. ``credentials``, ``changed`` and ``variables`` hand them
    on.
    """

    name: str
    base: str
    doc: str
    flavour: Flavour
    arguments: tuple[Argument, ...]
    constructor_doc: str
    changes: tuple[Argument, ...]
    changes_doc: str
    credentials: tuple[Entry, ...]
    changed: tuple[Entry, ...]
    server: str | None
    variables: tuple[Entry, ...]
    helpers: tuple[Helper, ...]


@dataclass(frozen=True, slots=True)
class Client:
    """What the two client classes, the package's metadata and its documents say."""

    name: str
    package: str
    source: str
    uploads: bool
    downloads: bool
    choices: bool
    title: str
    version: str
    summary: str
    module_doc: str
    class_name: str
    classes: tuple[ClientClass, ...]
    typing_imports: tuple[str, ...]
    suffixes: tuple[str, ...]
    profile: tuple[Entry, ...]
    children: tuple[Child, ...]
    names: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    models: tuple[str, ...]
    params: tuple[str, ...]
    variables: str | None
    arguments: str
    authentication: tuple[Passage, ...]
    placement: tuple[Passage, ...]
    idempotency_header: str | None
    webhooks: str | None
    messages: tuple[Message, ...]
    receiving: tuple[Passage, ...]
    paged_call: str | None
    first_request: str | None
    first_call: str | None
    first_awaited_call: str | None


@dataclass(frozen=True, slots=True)
class Package:
    """A whole client, ready to print."""

    name: str
    import_name: str
    modules: tuple[Module, ...]
    names: Lock

"""The client classes: what their constructors take, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from .flavours import ASYNC, SYNC
from .inputs import Keyword
from .literals import literal
from .names import CLIENT_KEYWORDS
from .package import Argument, ClientClass, Entry, Flavour, Helper
from .prose import arguments_doc, paragraphs, wrap
from .security import Security
from .servers import Choice, Servers, annotation

_PROSE_WIDTH = 77
_CONNECTS = "Make a client; it connects when the first call is made."
_RAISES = (
    f"The others are as for every client: {', '.join(f'`{name}`' for name in CLIENT_KEYWORDS)}. "
    "Raises CredentialError when there is no credential where one is needed, and ValueError when "
    "the base URL is missing or is no URL."
)
_CHANGES = (
    "Make a client that differs in what is given. This one stays as it is, and both use the same "
    "connections."
)


def client_classes(
    name: str, doc: str, security: Security, servers: Servers, signing: Keyword | None
) -> list[ClientClass]:
    """Return the client classes in both flavours.

    ``signing`` is the keyword for what webhooks are signed with, where there are any.
    """
    return [_class(name, doc, security, servers, signing, flavour) for flavour in (SYNC, ASYNC)]


def _class(
    name: str,
    doc: str,
    security: Security,
    servers: Servers,
    signing: Keyword | None,
    flavour: Flavour,
) -> ClientClass:
    credentials = (*security.keywords(), *([] if signing is None else [signing]))
    places = [*_server(servers), *(_variable(choice) for choice in servers.variables)]
    keyed = security.is_keyed and not places and signing is None
    arguments = () if keyed else (*(_argument(k, flavour) for k in credentials), *places)
    # A certificate belongs to the connections, which copies of a client share.
    replaced = tuple(k for k in credentials if k.kind != "certificate" and not keyed)
    base = "KeyClient" if keyed else "Client"
    return ClientClass(
        name=f"{flavour.prefix}{name}",
        base=f"{flavour.prefix or 'Sync'}{base}",
        doc=doc,
        flavour=flavour,
        arguments=arguments,
        constructor_doc=_constructor_doc(arguments),
        changes=tuple(_change(_argument(k, flavour)) for k in replaced),
        changes_doc=wrap(_CHANGES, _PROSE_WIDTH),
        credentials=() if keyed else _entries(k.name for k in credentials),
        changed=_entries(k.name for k in replaced),
        server=servers.argument,
        variables=_entries(choice.name for choice in servers.variables),
        helpers=tuple(
            Helper(scheme.helper, literal(scheme.name), f"{flavour.prefix}OAuth")
            for scheme in security.schemes
            if scheme.helper is not None
        ),
    )


def _entries(names: Iterable[str]) -> tuple[Entry, ...]:
    return tuple(Entry(literal(name), name) for name in names)


def _argument(keyword: Keyword, flavour: Flavour) -> Argument:
    """Return a keyword for a credential as it stands in the signature of a constructor."""
    secret = f"{flavour.prefix}Secret"
    types = {
        "secret": secret,
        "token": f"{secret} | Token",
        "certificate": "Certificate",
        "text": "str",
        "scopes": "str | Sequence[str]",
        "key": "str | bytes",
        "listener": "Callable[[Token], object]",
    }
    by_default = f"By default what `{keyword.variable}` holds." if keyword.variable else ""
    doc = f"{keyword.doc} {by_default}".strip()
    return Argument(keyword.name, f"{types[keyword.kind]} | None", "None", doc)


def _change(argument: Argument) -> Argument:
    """Return a keyword as it stands in the signature of ``with_options``."""
    return replace(argument, annotation=f"{argument.annotation} | Omit", default="omit")


def _server(servers: Servers) -> Iterator[Argument]:
    if servers.argument is not None:
        listed = "; ".join(f"`{name}` is <{url}>" for name, url in servers.listed)
        doc = f"Where calls go, unless `base_url` says so: {listed}."
        first = literal(servers.names[0])
        yield Argument(servers.argument, annotation(servers.names), first, doc)


def _variable(choice: Choice) -> Argument:
    type_ = annotation(choice.choices)
    if choice.default is None:
        return Argument(choice.name, f"{type_} | None", "None", choice.doc)
    return Argument(choice.name, type_, literal(choice.default), choice.doc)


def _constructor_doc(arguments: tuple[Argument, ...]) -> str:
    listed = arguments_doc({a.name: a.doc or "" for a in arguments}) if arguments else None
    return paragraphs(_CONNECTS, listed, wrap(_RAISES, _PROSE_WIDTH)) or ""


def imports_of(classes: Sequence[ClientClass]) -> Iterator[tuple[str, ...]]:
    """Yield what the client classes import: a module and names of it."""
    yield "functools", "cached_property"
    for one in classes:
        yield "._runtime", one.base
        if one.arguments:
            yield ("httpx2",)
            yield "._runtime", "Headers", "Hooks", "Omit", "OnDeviation", "Query", "Timeout", "omit"
            yield "collections.abc", "Sequence"
        if one.changes:
            yield "typing", "Self"
        text = " ".join(a.annotation for a in (*one.arguments, *one.changes))
        for word, module in _IMPORTED.items():
            if word in text.replace("[", " ").replace("]", " ").split():
                yield module, word


_IMPORTED = {
    "Callable": "collections.abc",
    "Sequence": "collections.abc",
    "Literal": "typing",
    "AsyncSecret": "._runtime",
    "Certificate": "._runtime",
    "Secret": "._runtime",
    "Token": "._runtime",
}

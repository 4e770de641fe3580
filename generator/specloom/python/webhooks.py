"""Webhooks: the module that reads what the API sends of itself, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from .. import ir
from ..config import FILE, Config
from ..diagnostics import Origin, Report
from .annotations import Symbols
from .inputs import Keyword
from .literals import literal
from .module_types import ModuleTypes
from .names import CLIENT_ATTRIBUTES, Scope
from .names import WEBHOOK_SECRET as SECRET
from .package import Entry, Message, Module, Passage, Reading, Webhooks
from .prose import wrap
from .symbols import operation_words

_ATTRIBUTES = ("webhooks", "webhook_messages")
_WIDTH = 118


@dataclass(frozen=True, slots=True)
class Planned:
    """What a client has for the webhooks of its API."""

    attribute: str
    keyword: Keyword
    module: Module
    messages: tuple[Message, ...]
    passages: tuple[Passage, ...]


def webhooks(
    api: ir.Api,
    config: Config,
    prefix: str,
    attributes: Iterable[str],
    models: Symbols,
    report: Report,
) -> Planned | None:
    """Return what a client has for webhooks, or None where its API has none that it can read.

    ``prefix`` begins the names of environment variables; ``attributes`` lead to the resources,
    which keep their names.
    """
    variable = config.environment.webhook_secret
    if api.message is None:
        if variable is not None:
            message = "the API has no webhooks, so there is no secret to verify them with"
            report.error("invalid-value", message, Origin(FILE) / "environment" / SECRET)
        return None
    variable = variable or f"{prefix}_WEBHOOK_SECRET"
    named = dict(_named(api))
    types = ModuleTypes(api, models, {}, {})
    result = types.read(api.message)
    context = _content(api, api.message, named, variable, types)
    attribute = _attribute(attributes, api.webhooks[0], report)
    types.imports.add("collections.abc", "Mapping")
    types.imports.add("functools", "cache")
    types.imports.add("typing", "Literal", "overload" if context.overloads else "cast")
    types.imports.add(".._runtime", "Payloads", "WebhookReader")
    path = PurePosixPath("resources", "_webhooks.py")
    return Planned(
        attribute,
        Keyword(SECRET, SECRET, "key", "What the API signs its webhooks with.", variable),
        Module(path, "resources/_webhooks.py.jinja", context, types.imports.lines()),
        tuple(_messages(named, types)),
        tuple(_passages(attribute, variable, result, named)),
    )


def _named(api: ir.Api) -> Iterator[tuple[str, ir.Webhook]]:
    """Yield the webhooks that can be read, each with a name of its own.

    Those that are equal are one. A callback whose name is taken has that of its operation too.
    """
    taken: dict[str, ir.Type] = {}
    scope = Scope(separator=" ")
    for webhook in api.webhooks:
        if webhook.type is None or taken.get(webhook.name) == webhook.type:
            continue
        name = webhook.name
        if name in taken and webhook.operation is not None:
            name = f"{operation_words(str(webhook.operation), api.operations)} {name}"
        name = scope.claim(name)
        taken[name] = webhook.type
        yield name, webhook


def _content(
    api: ir.Api,
    message: ir.Type,
    named: Mapping[str, ir.Webhook],
    variable: str,
    types: ModuleTypes,
) -> Webhooks:
    decoders = tuple(
        Entry(literal(name), types.decoder(webhook.type, inside=True))
        for name, webhook in named.items()
        if webhook.type is not None
    )
    groups: dict[str, list[str]] = {}
    for name, webhook in named.items():
        if webhook.type is not None:
            groups.setdefault(types.read(webhook.type), []).append(literal(name))
    result = types.read(message)
    overloads = [
        Reading("None", "None", result),
        *(Reading(f"Literal[{', '.join(names)}]", None, each) for each, names in groups.items()),
    ]
    if len(named) == 1:
        names = next(iter(groups.values()))
        reading = Reading(f"Literal[{', '.join(names)}] | None", "None", result)
    else:
        reading = Reading("str | None", "None", "object")
    return Webhooks(
        title=literal(api.title),
        variable=literal(variable),
        every=types.decoder(message, inside=True),
        named=decoders,
        telling=isinstance(message, ir.Union) and message.tagging is None,
        overloads=tuple(overloads) if len(named) > 1 else (),
        reading=reading,
    )


def _attribute(taken: Iterable[str], webhook: ir.Webhook, report: Report) -> str:
    """Return the attribute of the client: another one where a resource has the plain name."""
    scope = Scope(CLIENT_ATTRIBUTES)
    for name in taken:
        scope.claim(name)
    wanted = next((name for name in _ATTRIBUTES if scope.is_free(name)), _ATTRIBUTES[-1])
    claimed = scope.claim(wanted)
    if claimed != _ATTRIBUTES[0]:
        message = f"webhooks are read by client.{claimed}: a resource is called 'webhooks'"
        report.warning("renamed", message, webhook.origin)
    return claimed


def _messages(named: Mapping[str, ir.Webhook], types: ModuleTypes) -> Iterator[Message]:
    for name, webhook in named.items():
        if webhook.type is not None:
            result = types.read(webhook.type).replace("models.", "")
            where = f" {webhook.address}" if webhook.address is not None else ""
            yield Message(name, result, f"{webhook.method}{where}")


def _passages(
    attribute: str, variable: str, result: str, named: Mapping[str, ir.Webhook]
) -> Iterator[Passage]:
    """Yield how messages are read."""
    text = (
        "What the API sends of itself is verified by its signature (Standard Webhooks), and then "
        f"read. Give `{SECRET}=`, or set `{variable}` in the environment. `body` is the request's "
        "body exactly as it came, and `headers` are its headers."
    )
    code = (f"message = client.{attribute}.unwrap(body, headers)",)
    yield Passage(wrap(text, _WIDTH), code)
    again = (
        "A message that was not signed with the secret, or not in the last five minutes, raises "
        "`WebhookVerificationError`. Without a secret, `unwrap` raises `CredentialError`; "
        "`verify=False` reads a message that anybody may have sent, for tests and for APIs that "
        f"sign in another way. `name={literal(next(iter(named)))}` says which message it is, where "
        "you know."
    )
    yield Passage(wrap(again, _WIDTH))

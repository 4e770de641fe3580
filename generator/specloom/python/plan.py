"""The stage ``plan``: every name and every file of the client, decided before printing."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from packaging.version import InvalidVersion, Version

from .. import ir
from ..config import FILE, Config
from ..diagnostics import Origin, Report
from ..lock import EMPTY, Lock
from .access import Access, access
from .clients import client_classes, imports_of
from .guidance import authentication, placement, variables_of
from .imports import Imports
from .names import package_name, pascal, words
from .package import Client, Module, Package, Section
from .passing import accepted
from .profile import profile
from .prose import wrap
from .resource_modules import ResourceModules
from .resources import Node, tree
from .symbols import Layout, layout, unused_names
from .trials.plan import Planner
from .types import type_modules
from .uploads import downloads_files, uploads_files
from .webhooks import Planned, webhooks

_DOC_WIDTH = 81

PACKAGES = ("models", "params", "resources")
RUNTIME_NAMES = (
    "APIConnectionError",
    "APIError",
    "APIResponse",
    "APIResponseValidationError",
    "APIStatusError",
    "APITimeoutError",
    "AsyncAPIResponse",
    "AsyncStream",
    "AuthenticationError",
    "BadRequestError",
    "BaseModel",
    "ConflictError",
    "CredentialError",
    "Deviation",
    "InternalServerError",
    "NotFoundError",
    "Omit",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestOptions",
    "RequestValidationError",
    "Stream",
    "Timeout",
    "UnprocessableEntityError",
    "omit",
)
"""What users of a client meet of its runtime."""

OAUTH_NAMES = ("OAuthError", "Token")
"""What users of a client that is granted tokens meet besides."""

FILE_NAMES = ("FileContent", "FileInput")
"""What users of a client that uploads files meet besides."""

WEBHOOK_NAMES = ("WebhookVerificationError",)
"""What users of a client whose API has webhooks meet besides."""

PAGE_NAMES = ("AsyncPage", "AsyncPages", "Page")
"""What users of a client whose API has lists in pages meet besides."""

CLIENT_CLASSES = frozenset(
    {*RUNTIME_NAMES, *OAUTH_NAMES, *FILE_NAMES, *PAGE_NAMES, *WEBHOOK_NAMES}
    | set(
        "ApiKey AsyncClient AsyncKeyClient AsyncOAuth AsyncSecret Basic Bearer Callable "
        "Certificate Digest Headers Hooks Input JSON Literal MockEvent MockTransport MutualTLS "
        "OAuth OAuth2 OnDeviation PROFILE Profile Query Secret Self SentRequest Sequence "
        "SyncClient SyncKeyClient Variable Webhooks".split()
    )
)
"""What a client class must not be called: the names that its package, module and tests use."""


def plan(api: ir.Api, config: Config, lock: Lock, report: Report) -> Package:
    """Return the code model of the client of an API, and the names in it for the next time."""
    unused_names(api, config.names, FILE, report)
    models = layout(api, "read", config.names, lock.models, report)
    params = layout(api, "write", config.names, lock.params, report)
    taken = {symbol.name for symbol in params.symbols.values()}
    passed = {
        written: tuple(s for id_ in read if (s := models.symbols[id_]).name not in taken)
        for written, read in accepted(api).items()
    }
    before = lock.methods if lock.style == config.methods else EMPTY.methods
    root = tree(api.operations, config, before, report)
    about = _Metadata.of(api, config, report)
    attributes = [child.attribute for child in root.children.values()]
    received = webhooks(api, config, about.prefix, attributes, models.symbols, report)
    attributes += [] if received is None else [received.attribute]
    reached = access(api, config, about.prefix, attributes, report)
    resources = ResourceModules(
        api, models.symbols, params.symbols, passed, reached, config, report
    )
    modules, sections, made = resources.plan(root)
    modules += type_modules(api, models, "read", {}, report)
    modules += type_modules(api, params, "write", passed, report)
    modules += [] if received is None else [received.module]
    end = config.streaming.end
    planner = Planner.of(api, made, models.symbols, reached, end, about.package, about.class_name)
    client = _client(api, config, about, root, models, params, reached, received, sections)
    source = PurePosixPath("src", client.package)
    return Package(
        client.name,
        client.package,
        (
            *_project(client),
            *(_inside(module, source) for module in modules),
            *planner.modules(made),
        ),
        Lock(
            style=config.methods,
            models={str(id_): symbol.name for id_, symbol in models.symbols.items()},
            params={str(id_): symbol.name for id_, symbol in params.symbols.items()},
            methods=dict(root.methods()),
        ),
    )


def _inside(module: Module, source: PurePosixPath) -> Module:
    template = f"src/package/{module.template}"
    return Module(source / module.path, template, module.context, module.imports)


def _project(client: Client) -> Iterator[Module]:
    """Yield the files that there is one of: the project's, and the package's own modules."""
    for name in ("pyproject.toml", "README.md", "api.md"):
        yield Module(PurePosixPath(name), f"{name}.jinja", client)
    source = PurePosixPath("src", client.package)
    yield Module(source / "__init__.py", "src/package/__init__.py.jinja", client)
    yield Module(source / "__init__.pyi", "src/package/__init__.pyi.jinja", client)
    yield Module(source / "testing.py", "src/package/testing.py.jinja", client)
    yield Module(source / "hooks.py", "src/package/hooks.py.jinja", client)
    yield Module(
        source / "_client.py",
        "src/package/_client.py.jinja",
        client,
        imports=_imports(client).lines(),
    )


def _imports(client: Client) -> Imports:
    """Return what the module of the client classes imports."""
    imports = Imports()
    uses_models = any("models." in entry.value for entry in client.profile)
    needed = {"resources": bool(client.children), "models": uses_models}
    if any(needed.values()):
        imports.add(".", *(name for name, is_needed in needed.items() if is_needed))
    for module, *names in imports_of(client.classes):
        imports.add(module, *names)
    mentioned = " ".join(entry.value for entry in client.profile)
    constructed = re.findall(r"\b([A-Z]\w*)\(", mentioned)
    imports.add("._runtime", "Profile", *constructed)
    if client.typing_imports:
        imports.add("typing", "TYPE_CHECKING")
    return imports


@dataclass(frozen=True, slots=True)
class _Metadata:
    """What a client is called, and what its environment variables begin with."""

    name: str
    package: str
    class_name: str
    version: str
    prefix: str
    base_url: str
    """The environment variable that says where the API is."""

    @classmethod
    def of(cls, api: ir.Api, config: Config, report: Report) -> _Metadata:
        """Return what is configured, and what the title says where nothing is."""
        said = [w for w in words(api.title) if w.lower() not in ("api", "client")]
        base = " ".join(said) or "client"
        name = config.name or "-".join((*(w.lower() for w in words(package_name(base))), "client"))
        package = config.package or package_name(name)
        class_name = config.class_ or pascal(base)
        if _is_taken(class_name) and config.class_ is None:
            class_name += "Client"
        _check(config, report)
        version = config.version or _version(api, report)
        prefix = package.removesuffix("_client").upper()
        variable = config.environment.base_url or f"{prefix}_BASE_URL"
        return cls(name, package, class_name, version, prefix, variable)


def _client(
    api: ir.Api,
    config: Config,
    about: _Metadata,
    root: Node,
    models: Layout,
    params: Layout,
    reached: Access,
    received: Planned | None,
    sections: list[Section],
) -> Client:
    title = _title(api)
    example = sections[0].listings[0].example if sections else None
    doc = _class_doc(api, about, reached)
    signing = None if received is None else received.keyword
    classes = client_classes(about.class_name, doc, reached.security, reached.servers, signing)
    helpers = sorted({helper.class_name for one in classes for helper in one.helpers})
    has_tokens = any(scheme.grants for scheme in reached.security.schemes)
    names = (
        *RUNTIME_NAMES,
        *(OAUTH_NAMES if has_tokens else ()),
        *(FILE_NAMES if uploads_files(api) else ()),
        *(() if received is None else WEBHOOK_NAMES),
        *(PAGE_NAMES if any(o.pagination for o in api.operations) else ()),
    )
    exports = dict.fromkeys(names, "_runtime") | dict.fromkeys(PACKAGES, "")
    exports |= dict.fromkeys((about.class_name, f"Async{about.class_name}"), "_client")
    path = reached.servers.path
    return Client(
        name=about.name,
        package=about.package,
        source=f"src/{about.package}",
        uploads=uploads_files(api),
        downloads=downloads_files(api),
        choices=any(o.body is not None and len(o.body.contents) > 1 for o in api.operations),
        title=api.title,
        version=about.version,
        summary=f"Python client of the {title}.",
        module_doc=f"Python client of the {title}.",
        class_name=about.class_name,
        classes=tuple(classes),
        typing_imports=tuple(_typing_imports(helpers, received)),
        suffixes=("WithRawResponse", "WithStreamingResponse"),
        profile=tuple(
            profile(
                api,
                config,
                reached,
                models,
                name=about.name,
                version=about.version,
                variable=about.base_url,
            )
        ),
        children=root.listed(),
        names=tuple(sorted(exports.items(), key=lambda export: export[0].casefold())),
        sections=tuple(sections),
        models=tuple(sorted(s.name for s in models.symbols.values())),
        params=tuple(sorted(s.name for s in params.symbols.values())),
        variables=" and ".join(variables_of(reached.security)) or None,
        arguments="" if reached.servers.is_known else f'base_url="https://...{path}"',
        authentication=tuple(authentication(about.class_name, reached.security)),
        placement=tuple(placement(about.class_name, reached.servers, about.base_url)),
        idempotency_header=config.idempotency_header,
        webhooks=None if received is None else received.attribute,
        messages=() if received is None else received.messages,
        receiving=() if received is None else received.passages,
        paged_call=next(_paged_calls(sections), None),
        first_request=sections[0].listings[0].request if sections else None,
        first_call=f"result = {example}" if example else None,
        first_awaited_call=f"result = await {example}" if example else None,
    )


def _paged_calls(sections: list[Section]) -> Iterator[str]:
    """Yield examples of calls that give pages."""
    for section in sections:
        for listing in section.listings:
            if listing.result.startswith("Page["):
                yield listing.example


def _is_taken(name: str) -> bool:
    """Return whether one of the two client classes of a name would be called like an import."""
    return not CLIENT_CLASSES.isdisjoint({name, f"Async{name}"})


def _typing_imports(helpers: list[str], received: Planned | None) -> Iterator[str]:
    """Yield what only type checkers import in the module of the client classes."""
    if helpers:
        yield f"from ._runtime import {', '.join(helpers)}"
    if received is not None:
        yield "from .resources._webhooks import Webhooks"


_OTHERS: Final = sys.stdlib_module_names | {"anyio", "httpx2", "pydantic", "typing_extensions"}
"""What Python and the dependencies of a client are imported as."""


def _check(config: Config, report: Report) -> None:
    """Report configured values that no package can have."""
    origin = Origin(FILE)
    if config.class_ is not None and _is_taken(config.class_):
        message = f"the client's module uses the name {config.class_!r} itself; choose another"
        report.error("invalid-value", message, origin / "class")
    if config.package in _OTHERS:
        message = f"to import {config.package!r} gives another package; choose another name"
        report.error("invalid-value", message, origin / "package")
    try:
        Version(config.version or "0")
    except InvalidVersion:
        message = f"{config.version!r} is no version of a Python package (PEP 440)"
        report.error("invalid-value", message, origin / "version")
    for name in config.overlays.keys() - config.descriptions:
        message = f"{name!r} is not listed in 'descriptions', so its overlays change nothing"
        report.error("invalid-value", message, origin / "overlays" / name)


def _version(api: ir.Api, report: Report) -> str:
    """Return the description's version in the form that packages must have (PEP 440)."""
    try:
        return str(Version(api.version))
    except InvalidVersion:
        numbers = re.findall(r"\d+", api.version)[:3]
        version = ".".join(str(int(n)) for n in numbers) or "0"
        report.warning(
            "invalid-version",
            f"{api.version!r} is no version of a Python package; {version!r} is used "
            "(set 'version' to choose another)",
            api.origin / "info" / "version",
        )
        return version


def _title(api: ir.Api) -> str:
    """Return what the API is called in a sentence."""
    title = " ".join(api.title.split())
    return title if title.lower().endswith("api") else f"{title} API"


def _class_doc(api: ir.Api, about: _Metadata, reached: Access) -> str:
    """Return the docstring of the client classes."""
    keys = [k for k in reached.security.keywords() if k.variable and reached.security.is_keyed]
    known = reached.servers.fixed
    chosen = "and then to what the other keywords choose." if reached.servers.is_known else None
    parts = [
        *(f"`{k.name}` defaults to the environment variable `{k.variable}`." for k in keys),
        f"`base_url` defaults to the environment variable `{about.base_url}`",
        f"and then to <{known}>." if known else chosen or "and is needed otherwise.",
        "Share a client rather than making one for each call, and close it, or use it in a `with`",
        "statement, to release its connections.",
    ]
    return wrap(f"A client of the {_title(api)}.\n\n{' '.join(parts)}", _DOC_WIDTH)

"""The stage ``plan``: every name and every file of the client, decided before printing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import PurePosixPath

from packaging.version import InvalidVersion, Version

from .. import ir
from ..config import FILE, Config
from ..diagnostics import Origin, Report
from ..lock import Lock
from .imports import Imports
from .literals import literal
from .methods import ASYNC, SYNC
from .names import package_name, pascal, words
from .package import Client, Entry, Module, Package, Section
from .passing import accepted
from .prose import wrap
from .resources import Node, resource_modules, tree
from .symbols import Layout, layout, unused_names
from .types import type_modules

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
    "Stream",
    "Timeout",
    "UnprocessableEntityError",
    "omit",
)
"""What users of a client meet of its runtime."""

CLIENT_CLASSES = frozenset(
    {*RUNTIME_NAMES, "ApiKey", "AsyncClient", "Bearer", "Profile", "SyncClient", "PROFILE"}
)
"""What a client class must not be called: the names that its package and its module use."""


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
    before = lock.methods if lock.style == config.methods else {}
    root = tree(api.operations, config, before, report)
    modules, sections = resource_modules(
        root, api, models.symbols, params.symbols, passed, config, report
    )
    modules += type_modules(api, models, "read", {}, report)
    modules += type_modules(api, params, "write", passed, report)
    client = _client(api, config, root, models, params, sections, report)
    source = PurePosixPath("src", client.package)
    return Package(
        client.name,
        client.package,
        (*_project(client), *(_inside(module, source) for module in modules)),
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
    imports = Imports()
    auth = (entry.value.partition("(")[0] for entry in client.profile if entry.key == "auth")
    imports.add("functools", "cached_property")
    uses_models = any("models." in entry.value for entry in client.profile)
    needed = {"resources": bool(client.children), "models": uses_models}
    if any(needed.values()):
        imports.add(".", *(name for name, is_needed in needed.items() if is_needed))
    imports.add("._runtime", "AsyncClient", "Profile", "SyncClient", *auth)
    yield Module(
        source / "_client.py", "src/package/_client.py.jinja", client, imports=imports.lines()
    )


def _client(
    api: ir.Api,
    config: Config,
    root: Node,
    models: Layout,
    params: Layout,
    sections: list[Section],
    report: Report,
) -> Client:
    base = " ".join(w for w in words(api.title) if w.lower() not in ("api", "client")) or "client"
    name = config.name or "-".join((*(w.lower() for w in words(package_name(base))), "client"))
    package = config.package or package_name(name)
    class_name = config.class_ or pascal(base)
    if class_name in CLIENT_CLASSES and config.class_ is None:
        class_name += "Client"
    version = config.version or _version(api, report)
    _check(config, report)
    title = _title(api)
    example = sections[0].listings[0].example if sections else None
    return Client(
        name=name,
        package=package,
        source=f"src/{package}",
        title=api.title,
        version=version,
        summary=f"Python client of the {title}.",
        module_doc=f"Python client of the {title}.",
        doc=_class_doc(api, config, package),
        class_name=class_name,
        flavours=(SYNC, ASYNC),
        suffixes=("WithRawResponse", "WithStreamingResponse"),
        profile=tuple(_profile(api, config, name, version, package, models)),
        children=root.listed(),
        runtime_names=RUNTIME_NAMES,
        exports=tuple(
            sorted((*RUNTIME_NAMES, class_name, f"Async{class_name}", *PACKAGES), key=str.casefold)
        ),
        sections=tuple(sections),
        models=tuple(sorted(s.name for s in models.symbols.values())),
        params=tuple(sorted(s.name for s in params.symbols.values())),
        key_variable=_key_variable(api, config, package),
        arguments="" if api.server else 'base_url="https://..."',
        first_call=f"result = {example}" if example else None,
        first_awaited_call=f"result = await {example}" if example else None,
    )


def _check(config: Config, report: Report) -> None:
    """Report configured values that no package can have."""
    origin = Origin(FILE)
    if config.class_ is not None and (iskeyword(config.class_) or config.class_ in CLIENT_CLASSES):
        message = f"the client's module uses the name {config.class_!r} itself; choose another"
        report.error("invalid-value", message, origin / "class")
    if config.package is not None and iskeyword(config.package):
        message = f"{config.package!r} is a keyword of Python and cannot be imported"
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


def _class_doc(api: ir.Api, config: Config, package: str) -> str:
    """Return the docstring of the client classes."""
    key, base = _key_variable(api, config, package), _base_url_variable(config, package)
    parts = [
        f"`api_key` defaults to the environment variable `{key}`." if key else "",
        f"`base_url` defaults to the environment variable `{base}`",
        f"and then to <{api.server}>." if api.server else "and is needed otherwise.",
        "Share a client rather than making one for each call, and close it, or use it in a `with`",
        "statement, to release its connections.",
    ]
    return wrap(f"A client of the {_title(api)}.\n\n{' '.join(parts)}", _DOC_WIDTH)


def _base_url_variable(config: Config, package: str) -> str:
    return config.environment.base_url or f"{package.removesuffix('_client').upper()}_BASE_URL"


def _key_variable(api: ir.Api, config: Config, package: str) -> str | None:
    if api.security is None:
        return None
    return config.environment.api_key or f"{package.removesuffix('_client').upper()}_API_KEY"


def _profile(
    api: ir.Api, config: Config, name: str, version: str, package: str, models: Layout
) -> Iterator[Entry]:
    """Yield what the runtime must know of this API, as keywords of ``Profile``."""
    yield Entry("title", literal(api.title))
    yield Entry("package", literal(name))
    yield Entry("version", literal(version))
    if api.server is not None:
        yield Entry("base_url", literal(api.server))
    yield Entry("base_url_env", literal(_base_url_variable(config, package)))
    key = _key_variable(api, config, package)
    match api.security:
        case None:
            pass
        case ir.Bearer():
            yield Entry("auth", f"Bearer(env={literal(key)})")
        case ir.ApiKey(_, location, parameter):
            named = f"name={literal(parameter)}, place={literal(location)}"
            yield Entry("auth", f"ApiKey(env={literal(key)}, {named})")
    if config.errors.envelope is not None:
        yield Entry("error_envelope", literal(config.errors.envelope))
    error = _error_model(api, models)
    if error is not None:
        yield Entry("error", f"lambda: models.{error}")


def _error_model(api: ir.Api, models: Layout) -> str | None:
    """Return the model that all operations declare for their errors, if it is one."""
    declared = {
        response.body.type
        for operation in api.operations
        for response in operation.responses
        if isinstance(response.body, ir.Json) and _fails(response.status)
    }
    match tuple(declared):
        case (ir.Ref(target),) if isinstance(api.types[target], ir.Model):
            return models.symbols[target].name
        case _:
            return None


def _fails(status: ir.Status) -> bool:
    match status:
        case ir.Code(code):
            return code >= 400
        case ir.Range(hundreds):
            return hundreds >= 4
        case ir.Default():
            return True

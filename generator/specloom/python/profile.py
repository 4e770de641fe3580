"""What the runtime of a client must know of its API."""

from __future__ import annotations

from collections.abc import Iterator

from .. import ir
from ..config import Config
from .access import Access
from .literals import literal
from .package import Entry
from .results import usual_error
from .symbols import Layout


def profile(
    api: ir.Api,
    config: Config,
    access: Access,
    models: Layout,
    *,
    name: str,
    version: str,
    variable: str,
) -> Iterator[Entry]:
    """Yield what the runtime must know of an API, as keywords of ``Profile``.

    ``variable`` is the environment variable that says where the API is.
    """
    yield Entry("title", literal(api.title))
    yield Entry("package", literal(name))
    yield Entry("version", literal(version))
    yield from access.servers.profile()
    yield Entry("base_url_env", literal(variable))
    yield from access.security.profile()
    if config.errors.envelope is not None:
        yield Entry("error_envelope", literal(config.errors.envelope))
    if config.idempotency_header is not None:
        yield Entry("idempotency_header", literal(config.idempotency_header))
    error = usual_error(api)
    if error is not None:
        yield Entry("error", f"lambda: models.{models.symbols[error].name}")

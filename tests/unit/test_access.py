"""What a description says about servers and security, in the IR."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from specloom import ir

from .make import Lowered, Plain, document, lowered, operation

HTTP: Plain = {"type": "http", "scheme": "bearer"}
KEY: Plain = {"type": "apiKey", "in": "header", "name": "X-Key"}
HERE = [{"url": "https://a.example/v1"}]
ANY: list[str] = []
"""The scopes of a requirement that has none."""
NOTHING: Plain = {}


def needs(*requirements: Mapping[str, list[str]]) -> Plain:
    """Return an operation that states security."""
    return {"security": list(requirements)}


def described(schemes: Plain, security: object = None, **operations: Plain) -> Lowered:
    """Return a description with these schemes, and operations with what is said about each."""
    paths = {f"/{name}": {"get": {**operation(), **more}} for name, more in operations.items()}
    written: dict[str, object] = {**document({}, paths), "servers": HERE}
    written["components"] = {"securitySchemes": schemes}
    if security is not None:
        written["security"] = security
    return lowered(written)


def proof(scheme: Plain) -> ir.Proof:
    """Return what a scheme asks for."""
    (found,) = described({"s": scheme}).api.schemes
    return found.proof


def by_path(api: ir.Api) -> dict[str, ir.Operation]:
    """Return the operations by their paths."""
    return {operation.path[1:]: operation for operation in api.operations}


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ({"type": "http", "scheme": "BEARER", "bearerFormat": "JWT"}, ir.Bearer("JWT")),
        ({"type": "http", "scheme": "Basic"}, ir.Basic()),
        ({"type": "http", "scheme": "digest"}, ir.Digest()),
        ({"type": "http", "scheme": "DPoP"}, ir.OtherHttp("DPoP")),
        (KEY, ir.ApiKey("header", "X-Key")),
        ({**KEY, "in": "query"}, ir.ApiKey("query", "X-Key")),
        ({**KEY, "in": "cookie"}, ir.ApiKey("cookie", "X-Key")),
        ({"type": "mutualTLS"}, ir.MutualTls()),
        ({"type": "openIdConnect", "openIdConnectUrl": "/oidc"}, ir.OpenIdConnect("/oidc")),
        ({"type": "oauth2", "flows": {}}, ir.OAuth2(())),
        (
            {"type": "oauth2", "flows": {}, "oauth2MetadataUrl": "/meta"},
            ir.OAuth2((), metadata_url="/meta"),
        ),
        (
            {
                "type": "oauth2",
                "flows": {
                    "deviceAuthorization": {"deviceAuthorizationUrl": "/d", "tokenUrl": "/t"},
                    "authorizationCode": {
                        "authorizationUrl": "/a",
                        "tokenUrl": "/t",
                        "refreshUrl": "/r",
                        "scopes": {"read": "Read.", "write": None},
                    },
                    "x-other": {},
                },
            },
            ir.OAuth2(
                (
                    ir.Flow(
                        "authorization_code",
                        token_url="/t",
                        authorization_url="/a",
                        refresh_url="/r",
                        scopes=(("read", "Read."), ("write", "")),
                    ),
                    ir.Flow("device_code", token_url="/t", device_url="/d"),
                )
            ),
        ),
    ],
)
def test_each_kind_of_scheme(scheme: Plain, expected: ir.Proof) -> None:
    assert proof(scheme) == expected


@pytest.mark.parametrize(
    "scheme",
    [
        {"type": "apiKey", "in": "body", "name": "k"},
        {"type": "apiKey", "in": "header"},
        {"type": "http"},
        {"type": "openIdConnect"},
        {"type": "magic"},
        {},
    ],
)
def test_what_a_scheme_lacks_is_reported(scheme: Plain) -> None:
    found = described({"s": scheme, "ok": HTTP}, a=needs({"s": ANY}, {"ok": ANY}))
    assert found.codes == ["unsupported-security"]
    assert [s.name for s in found.api.schemes] == ["ok"]
    assert found.api.operations[0].security == ((ir.Need("ok"),),)


def test_a_scheme_may_be_a_reference() -> None:
    written = {"s": {"$ref": "#/components/securitySchemes/t"}, "t": HTTP}
    assert [s.proof for s in described(written).api.schemes] == [ir.Bearer(), ir.Bearer()]


def test_an_undeclared_scheme_is_reported_once() -> None:
    wanted = needs({"gone": ANY})
    found = described({"ok": HTTP}, [{"gone": ANY}], a=wanted, b=wanted)
    assert found.codes == ["undeclared-security"]
    assert found.api.security == ()


def test_requirements_have_one_form() -> None:
    a, b = ir.Need("a"), ir.Need("b", ("x", "y"))
    schemes = {"a": HTTP, "b": KEY}
    found = described(
        schemes,
        [{"a": ANY}],
        unsaid=NOTHING,
        same=needs({"a": ANY}),
        none=needs(),
        empty=needs({}),
        optional=needs({}, {"a": ANY}, {}),
        several=needs({"a": ANY, "b": ["x", "y"]}, {"b": ["x", "y"]}, {"b": ["x", "y"]}),
    )
    assert found.api.security == ((a,),)
    assert {name: one.security for name, one in by_path(found.api).items()} == {
        "unsaid": None,
        "same": None,
        "none": (),
        "empty": (),
        "optional": ((a,), ()),
        "several": ((a, b), (b,)),
    }
    assert found.codes == []


# Servers ---------------------------------------------------------------------------------------


def served(servers: object, **paths: Plain) -> Lowered:
    """Return a description with these servers, and with paths that say more."""
    items = {f"/{name}": {"get": operation(), **more} for name, more in paths.items()}
    written = dict(document({}, items or {"/a": {"get": operation()}}))
    if servers is not None:
        written["servers"] = servers
    return lowered(written)


def test_servers_and_their_variables() -> None:
    variables = {
        "port": {"default": 8080, "enum": [80, 8080], "description": "The port."},
        "secure": {"default": True},
        "unused": {"default": "x"},
    }
    written = {
        "url": "https://a.example:{port}/{secure}/{gone}/",
        "name": "here",
        "description": "Right here.",
        "variables": variables,
    }
    found = served([written, {"no": "url"}, 7])
    (server,) = found.api.servers
    assert (server.url, server.name, server.doc) == (
        "https://a.example:{port}/{secure}/{gone}",
        "here",
        "Right here.",
    )
    assert server.variables == (
        ir.Variable("port", "8080", ("80", "8080"), "The port."),
        ir.Variable("secure", "true"),
        ir.Variable("gone", None),
    )
    assert server.default == "https://a.example:8080/true/{gone}"
    assert "undeclared-server-variable" in found.codes


def test_a_default_that_is_none_of_the_choices_is_one_more() -> None:
    variables = {"v": {"default": "c", "enum": ["a", "b"]}}
    found = served([{"url": "https://{v}.example", "variables": variables}])
    assert found.api.servers[0].variables[0].choices == ("c", "a", "b")
    assert found.codes == ["default-not-in-enum"]


@pytest.mark.parametrize(
    ("url", "absolute"),
    [
        ("https://a.example", True),
        ("HTTP://a.example", True),
        ("{scheme}://a.example", True),
        ("{base}/v1", False),
        ("/v1", False),
        ("//a.example/v1", False),
        ("unix:///run/x.sock", False),
        ("wss://a.example", False),
    ],
)
def test_where_a_server_is(url: str, absolute: bool) -> None:
    variables = {"base": {"default": "/api"}}
    found = served([{"url": url, "variables": variables}])
    assert found.api.servers[0].is_absolute is absolute
    assert ("relative-server" in found.codes) is not absolute


def urls(servers: tuple[ir.Server, ...] | None) -> list[str] | None:
    """Return where servers are."""
    return None if servers is None else [server.url for server in servers]


def test_the_nearest_servers_count() -> None:
    own = {"servers": [{"url": "https://b.example"}]}
    found = served(
        HERE,
        unsaid=NOTHING,
        same={"servers": [{"url": "https://a.example/v1/"}]},
        path=own,
        operation={**own, "get": {**operation(), "servers": [{"url": "https://c.example"}]}},
        empty={"servers": ANY},
    )
    assert {name: urls(one.servers) for name, one in by_path(found.api).items()} == {
        "unsaid": None,
        "same": None,
        "path": ["https://b.example"],
        "operation": ["https://c.example"],
        "empty": None,
    }
    assert found.codes == []


@pytest.mark.parametrize(
    ("base", "relative", "resolved"),
    [
        ("https://a.example/v1", "/v2/", "https://a.example/v2"),
        ("https://a.example/v1", "v2", "https://a.example/v1/v2"),
        ("https://a.example/v1", "../v2", "https://a.example/v2"),
        ("https://{r}.example/v1", "/v2", "https://{r}.example/v2"),
        ("https://{r}.example/v1", "v2", None),
        ("/v1", "/v2", None),
        (None, "/v2", None),
    ],
)
def test_a_relative_server_of_an_operation(
    base: str | None, relative: str, resolved: str | None
) -> None:
    variables = {"r": {"default": "eu"}}
    servers = None if base is None else [{"url": base, "variables": variables}]
    found = served(servers, a={"servers": [{"url": relative}]}, b=NOTHING)
    own = by_path(found.api)["a"].servers
    assert urls(own) == (None if resolved is None else [resolved])
    assert "relative-server" in found.codes
    if own and "{r}" in own[0].url:
        assert own[0].variables == (ir.Variable("r", "eu"),)


def test_servers_that_all_operations_have_are_those_of_the_api() -> None:
    own: Mapping[str, object] = {"servers": HERE}
    found = served(None, a=own, b=own)
    assert urls(found.api.servers) == ["https://a.example/v1"]
    assert [one.servers for one in found.api.operations] == [None, None]
    other = served(None, a=own, b=NOTHING)
    assert other.api.servers == ()
    assert urls(by_path(other.api)["a"].servers) == ["https://a.example/v1"]


# Several descriptions --------------------------------------------------------------------------


def one(name: str, scheme: Plain, url: str | None, *, path: str) -> Plain:
    """Return a description of one operation, with one scheme and one server."""
    written: dict[str, object] = dict(document({}, {path: {"get": operation()}}))
    written["components"] = {"securitySchemes": {name: scheme}}
    written["security"] = [{name: ANY}]
    return written | ({} if url is None else {"servers": [{"url": url}]})


def test_what_is_the_same_is_said_once() -> None:
    first = one("token", HTTP, "https://a.example", path="/a")
    second = one("bearer", {**HTTP, "bearerFormat": "JWT"}, "https://a.example/", path="/b")
    found = lowered(first, second)
    assert [scheme.name for scheme in found.api.schemes] == ["token"]
    assert [(o.security, o.servers) for o in found.api.operations] == [(None, None)] * 2
    assert found.codes == []


def test_each_operation_keeps_what_its_description_says() -> None:
    first = one("token", HTTP, "https://a.example", path="/a")
    found = lowered(first, one("key", KEY, "https://b.example", path="/b"))
    api = by_path(found.api)
    assert [scheme.name for scheme in found.api.schemes] == ["token", "key"]
    assert (api["a"].security, urls(api["a"].servers)) == (None, None)
    assert (api["b"].security, urls(api["b"].servers)) == (
        ((ir.Need("key"),),),
        ["https://b.example"],
    )
    assert found.codes == []


def test_one_name_for_two_schemes_is_reported() -> None:
    found = lowered(
        one("auth", HTTP, None, path="/a"),
        one("auth", KEY, None, path="/b"),
        one("auth", {"type": "http", "scheme": "basic"}, None, path="/c"),
    )
    assert [scheme.name for scheme in found.api.schemes] == ["auth", "auth2", "auth3"]
    needed = [o.security for o in found.api.operations]
    assert needed == [None, ((ir.Need("auth2"),),), ((ir.Need("auth3"),),)]
    assert found.codes == ["different-security"] * 2


def test_a_server_that_says_where_it_is_serves_both() -> None:
    first = one("token", HTTP, "/v1", path="/a")
    found = lowered(first, one("token", HTTP, "https://b.example", path="/b"))
    assert urls(found.api.servers) == ["https://b.example"]
    assert [o.servers for o in found.api.operations] == [None, None]
    assert found.codes == ["relative-server", "different-servers"]
    silent = lowered(one("t", HTTP, None, path="/a"), one("t", HTTP, HERE[0]["url"], path="/b"))
    assert urls(silent.api.servers) == [HERE[0]["url"]]
    assert silent.codes == []

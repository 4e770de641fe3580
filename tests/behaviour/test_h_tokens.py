"""H. Access tokens: granted, kept, renewed once, and told to nobody (RFC 6749)."""

from __future__ import annotations

import asyncio
import io
import logging
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import anyio
import pytest

from .authority import CLIENT_ID, CLIENT_SECRET, IDENTITY, Authority, Clock, form, named, refused
from .callers import Flavour, only_async, trio_too
from .server import AT_ONCE, Request, Server, Step, answer, hold
from .vaults import ConnectVault, VaultCaller


@pytest.fixture
def authority(server: Server) -> Authority:
    """An authorization server, where the API is."""
    return Authority(server)


@pytest.fixture(autouse=True)
def clock(vault: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the client."""
    clock = Clock()
    monkeypatch.setattr(f"{vault.__name__}._runtime._grants.now", clock)
    return clock


@trio_too
def test_a_token_is_granted_when_it_is_needed_and_kept(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    client = connect_vault(**IDENTITY, oauth_scopes=["read", "write"])
    client.call("open")
    assert authority.asked == []
    for _ in range(3):
        assert client.call("oauth").ok is True
    (request,) = authority.asked
    assert (request.method, request.target) == ("POST", "/id/token")
    assert form(request) == {"grant_type": "client_credentials", "scope": "read write"}
    assert named(request) == (CLIENT_ID, CLIENT_SECRET)
    assert request.header("accept") == "application/json"
    assert authority.used == [None, *["Bearer t1"] * 3]


@pytest.mark.parametrize(
    ("life", "still_good", "renewed"), [(3600, 3569, 3571), (10, 4.9, 5.1), ("60", 29, 31)]
)
def test_a_token_is_renewed_shortly_before_it_runs_out(
    connect_vault: ConnectVault,
    authority: Authority,
    clock: Clock,
    life: object,
    still_good: float,
    renewed: float,
) -> None:
    authority.expires_in = life
    client = connect_vault(**IDENTITY)
    start = clock.time
    for seconds in (0, still_good, renewed):
        clock.time = start + seconds
        client.call("oauth")
    assert authority.used == ["Bearer t1", "Bearer t1", "Bearer t2"]


@pytest.mark.parametrize("life", [None, "soon", True, 0, -1])
def test_a_token_of_unknown_life_is_used_until_it_is_refused(
    connect_vault: ConnectVault, authority: Authority, clock: Clock, life: object
) -> None:
    authority.expires_in = life
    client = connect_vault(**IDENTITY)
    client.call("oauth")
    clock.time += 1e9
    client.call("oauth")
    assert authority.used == ["Bearer t1"] * 2


@trio_too
def test_a_refused_token_is_renewed_once_and_the_call_is_sent_once_more(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    client = connect_vault(**IDENTITY)
    client.call("oauth")
    authority.revoke()
    raw = client.run(lambda c: c.calls.with_raw_response.oauth())
    assert authority.used == ["Bearer t1", "Bearer t1", "Bearer t2"]
    assert len(authority.asked) == 2
    assert raw.retries_taken == 0


def test_a_new_token_that_is_refused_too_is_an_error(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, server: Server
) -> None:
    def choose(request: Request) -> Step:
        is_call = request.path.startswith("/v1")
        return answer(b"", 401) if is_call else authority.choose(request)

    server.chooses(choose)
    with pytest.raises(vault.AuthenticationError):
        connect_vault(**IDENTITY).call("oauth")
    assert authority.used == ["Bearer t1", "Bearer t2"]


def test_a_body_that_can_be_sent_again_is_sent_again(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    client = connect_vault(**IDENTITY)
    client.call("upload", body=b"first")
    authority.revoke()
    assert client.call("upload", body=io.BytesIO(b"again")).ok is True
    assert [request.body for request in authority.calls] == [b"first", b"again", b"again"]


def test_a_server_that_overlooks_the_header_is_sent_the_form(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    authority.refusals = [refused("invalid_client", 401)]
    client = connect_vault(**IDENTITY)
    client.call("oauth")
    authority.revoke()
    client.call("oauth")
    first, second, third = authority.asked
    assert named(first) == (CLIENT_ID, CLIENT_SECRET)
    for request in (second, third):
        assert request.header("authorization") is None
        sent = form(request)
        assert (sent["client_id"], sent["client_secret"]) == (CLIENT_ID, CLIENT_SECRET)


def test_a_client_without_a_secret_only_says_its_name(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    connect_vault(oauth_client_id=CLIENT_ID, oauth_refresh_token="r0").call("oauth")
    (request,) = authority.asked
    assert request.header("authorization") is None
    assert form(request) == {
        "grant_type": "refresh_token",
        "refresh_token": "r0",
        "client_id": CLIENT_ID,
    }


# One at a time ---------------------------------------------------------------------------------


def many(client: VaultCaller, flavour: Flavour, count: int) -> list[Any]:
    """Makes many calls at once, and gives what each came to."""
    if flavour == "sync":
        with ThreadPoolExecutor(count) as pool:
            futures = [pool.submit(client.client.calls.oauth) for _ in range(count)]
            return [future.exception() or future.result() for future in futures]

    async def all_of_them(vault: Any) -> list[Any]:
        outcomes: list[Any] = []

        async def one() -> None:
            try:
                outcomes.append(await vault.calls.oauth())
            except Exception as error:
                outcomes.append(error)

        async with anyio.create_task_group() as group:
            for _ in range(count):
                group.start_soon(one)
        return outcomes

    outcomes: list[Any] = client.run(all_of_them)
    return outcomes


COUNTS = {"sync": 32, "asyncio": 100, "trio": 100}


@trio_too
def test_one_of_many_gets_the_token(
    connect_vault: ConnectVault, authority: Authority, flavour: Flavour
) -> None:
    authority.gate = threading.Event()
    timer = threading.Timer(0.3, authority.gate.set)
    timer.start()
    outcomes = many(connect_vault(**IDENTITY), flavour, COUNTS[flavour])
    timer.join()
    assert all(outcome.ok is True for outcome in outcomes)
    assert len(authority.asked) == 1
    assert authority.used == ["Bearer t1"] * COUNTS[flavour]


@trio_too
def test_one_of_many_that_are_refused_gets_another_token(
    connect_vault: ConnectVault, authority: Authority, flavour: Flavour
) -> None:
    client = connect_vault(**IDENTITY)
    client.call("oauth")
    authority.revoke()
    outcomes = many(client, flavour, COUNTS[flavour])
    assert all(outcome.ok is True for outcome in outcomes)
    assert len(authority.asked) == 2
    assert set(authority.used) == {"Bearer t1", "Bearer t2"}


@trio_too
def test_a_failure_is_everybodys(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, flavour: Flavour
) -> None:
    authority.gate = threading.Event()
    timer = threading.Timer(0.3, authority.gate.set)
    timer.start()
    authority.more = {"access_token": None, "error": "invalid_scope"}
    outcomes = many(connect_vault(**IDENTITY), flavour, COUNTS[flavour])
    timer.join()
    assert {type(outcome) for outcome in outcomes} == {vault.OAuthError}
    assert {outcome.code for outcome in outcomes} == {"invalid_scope"}
    # Those who waited are told; who comes after the failure tries again.
    assert len(authority.asked) < COUNTS[flavour] / 2
    assert authority.calls == []


def test_every_failure_of_the_network_has_its_cause(
    vault: ModuleType, connect_vault: ConnectVault, flavour: Flavour
) -> None:
    url = "http://127.0.0.1:9/token"
    client = connect_vault(**IDENTITY, oauth_token_url=url, max_retries=1)
    outcomes = many(client, flavour, 16)
    assert {type(outcome) for outcome in outcomes} == {vault.APIConnectionError}
    assert all(outcome.__cause__ is not None for outcome in outcomes)


def test_one_event_loop_of_several_gets_the_token(
    vault: ModuleType, server: Server, authority: Authority
) -> None:
    authority.gate = threading.Event()
    client = vault.AsyncVault(**IDENTITY, base_url=server.url)

    def in_a_loop(_: int) -> bool:
        async def one() -> bool:
            answer = await client.calls.oauth()
            return answer.ok is True

        return asyncio.run(one())

    timer = threading.Timer(0.3, authority.gate.set)
    timer.start()
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(in_a_loop, range(8)))
    timer.join()
    assert len(authority.asked) == 1


@trio_too
def test_who_waits_for_a_token_has_a_deadline_too(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, server: Server
) -> None:
    authority.refusals = [hold, hold]
    options = vault.RequestOptions(deadline=0.4)
    with pytest.raises(vault.APITimeoutError):
        connect_vault(**IDENTITY).call("oauth", options=options)
    assert authority.calls == []


# Other ways to a token -------------------------------------------------------------------------


def test_a_refresh_token_is_exchanged_and_replaced(
    connect_vault: ConnectVault, authority: Authority, clock: Clock, flavour: Flavour
) -> None:
    told: list[Any] = []

    async def asynchronous(token: Any) -> None:
        told.append(token)

    listener = told.append if flavour == "sync" else asynchronous
    authority.more = {"refresh_token": "r1", "scope": "read"}
    client = connect_vault(**IDENTITY, oauth_refresh_token="r0", oauth_on_token=listener)
    client.call("oauth")
    clock.time += 4000
    authority.more = {}
    client.call("oauth")
    clock.time += 4000
    client.call("oauth")
    assert [r.target for r in authority.asked] == ["/id/refresh"] * 3
    assert [form(r)["refresh_token"] for r in authority.asked] == ["r0", "r1", "r1"]
    assert [(t.access_token, t.refresh_token, t.scopes) for t in told] == [
        ("t1", "r1", ("read",)),
        ("t2", "r1", None),
        ("t3", "r1", None),
    ]
    assert told[0].expires_at == clock.time - 8000 + 3600


def test_a_token_of_before_is_used_and_renewed(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, clock: Clock
) -> None:
    authority.valid = {"kept"}
    token = vault.Token(access_token="kept", refresh_token="r0", expires_at=clock.time + 100)
    client = connect_vault(**IDENTITY, oauth_access_token=token)
    client.call("oauth")
    clock.time += 90
    client.call("oauth")
    assert authority.used == ["Bearer kept", "Bearer t1"]
    assert form(authority.asked[0])["refresh_token"] == "r0"


def test_a_text_and_a_refresh_token_are_a_token(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    authority.valid = {"kept"}
    client = connect_vault(oauth_access_token="kept", oauth_refresh_token="r0")
    client.call("oauth")
    authority.revoke()
    client.call("oauth")
    assert authority.used == ["Bearer kept", "Bearer kept", "Bearer t1"]


def test_a_text_alone_is_sent_as_it_is(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority
) -> None:
    authority.valid = {"kept"}
    client = connect_vault(oauth_access_token="kept")
    client.call("oauth")
    authority.revoke()
    with pytest.raises(vault.AuthenticationError):
        client.call("oauth")
    assert authority.used == ["Bearer kept"] * 2
    assert authority.asked == []


def test_a_function_is_asked_for_each_attempt(
    connect_vault: ConnectVault, authority: Authority, server: Server
) -> None:
    tokens = iter(["k0", "k1"])
    server.plays(answer(b"", 500, headers=AT_ONCE), answer({"ok": True}))
    connect_vault(oauth_access_token=lambda: next(tokens)).call("oauth")
    assert authority.used == ["Bearer k0", "Bearer k1"]


def test_name_and_password_are_exchanged_for_a_token(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    connect_vault(oauth_username="ada", oauth_password="pä ss", oauth_scopes="read").call("oauth")
    (request,) = authority.asked
    assert form(request) == {
        "grant_type": "password",
        "username": "ada",
        "password": "pä ss",
        "scope": "read",
    }


def test_a_spent_refresh_token_gives_way_to_what_else_there_is(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    authority.refusals = [refused("invalid_grant")]
    connect_vault(**IDENTITY, oauth_refresh_token="r0").call("oauth")
    assert [form(r)["grant_type"] for r in authority.asked] == [
        "refresh_token",
        "client_credentials",
    ]


def test_secrets_may_be_given_by_functions(
    connect_vault: ConnectVault, authority: Authority, flavour: Flavour
) -> None:
    def secret() -> str:
        return CLIENT_SECRET

    async def asynchronous() -> str:
        return CLIENT_SECRET

    given = secret if flavour == "sync" else asynchronous
    connect_vault(oauth_client_id=CLIENT_ID, oauth_client_secret=given).call("oauth")
    assert named(authority.asked[0]) == (CLIENT_ID, CLIENT_SECRET)


def test_credentials_come_from_the_environment(
    connect_vault: ConnectVault, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_OAUTH_CLIENT_ID", CLIENT_ID)
    monkeypatch.setenv("VAULT_OAUTH_CLIENT_SECRET", CLIENT_SECRET)
    connect_vault().call("oauth")
    monkeypatch.setenv("VAULT_OAUTH_ACCESS_TOKEN", "t1")
    connect_vault().call("oauth")
    connect_vault(**IDENTITY).call("oauth")
    assert authority.used == ["Bearer t1", "Bearer t1", "Bearer t2"]


def test_another_token_endpoint_may_be_given(
    connect_vault: ConnectVault, authority: Authority, server: Server
) -> None:
    url = f"{server.origin}/id/other?a=1"
    connect_vault(**IDENTITY, oauth_token_url=url).call("oauth")
    assert authority.asked[0].target == "/id/other?a=1"


def test_copies_share_the_token_unless_they_are_given_another(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority
) -> None:
    application = connect_vault(**IDENTITY)
    application.call("oauth")
    application.with_options(max_retries=0, bearer="for something else").call("oauth")
    authority.valid |= {"hers"}
    theirs = application.with_options(oauth_access_token=vault.Token(access_token="hers"))
    theirs.call("oauth")
    authority.valid -= {"hers"}
    # What was granted to the application is not used for a person.
    with pytest.raises(vault.AuthenticationError):
        theirs.call("oauth")
    assert authority.used == ["Bearer t1", "Bearer t1", "Bearer hers", "Bearer hers"]
    assert len(authority.asked) == 1


def test_a_client_that_has_no_way_to_a_token_says_so(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, server: Server
) -> None:
    client = connect_vault(oauth_client_id=CLIENT_ID)
    with pytest.raises(vault.CredentialError, match="pass oauth_access_token"):
        client.call("oauth")
    assert server.requests == []


# When there is no token ------------------------------------------------------------------------


@trio_too
def test_a_refusal_is_an_error_with_its_code(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority
) -> None:
    authority.refusals = [refused("invalid_scope", error_description="No such scope.")]
    with pytest.raises(vault.OAuthError) as caught:
        connect_vault(**IDENTITY).call("oauth")
    error = caught.value
    assert str(error) == "Vault was granted no token: invalid_scope: No such scope."
    assert (error.code, error.description, error.status_code) == (
        "invalid_scope",
        "No such scope.",
        400,
    )
    assert isinstance(error, vault.CredentialError)
    assert authority.calls == []
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code) == (vault.OAuthError, str(error), error.code)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>", "status 200, and no token in the answer"),
        ({"token": "t"}, "status 200, and no token in the answer"),
        ({"ok": False, "error": "no_such_client"}, "no_such_client"),
        ([1], "status 200, and no token in the answer"),
    ],
)
def test_what_is_no_token_is_an_error(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, body: Any, said: str
) -> None:
    authority.refusals = [answer(body)]
    with pytest.raises(vault.OAuthError, match=said):
        connect_vault(**IDENTITY).call("oauth")
    assert authority.calls == []


def test_passing_failures_are_tried_again(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority
) -> None:
    authority.refusals = [answer(b"", 503, headers=AT_ONCE), answer(b"", 429, headers=AT_ONCE)]
    client = connect_vault(**IDENTITY)
    assert client.call("oauth").ok is True
    assert len(authority.asked) == 3
    authority.revoke()
    authority.refusals = [answer(b"", 500)]
    with pytest.raises(vault.OAuthError, match="status 500") as caught:
        client.with_options(max_retries=0).call("oauth")
    assert caught.value.status_code == 500


def test_an_authorization_server_that_cannot_be_reached(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority
) -> None:
    url = "http://127.0.0.1:9/token"
    client = connect_vault(**IDENTITY, oauth_token_url=url, max_retries=0)
    with pytest.raises(vault.APIConnectionError) as caught:
        client.call("oauth")
    assert caught.value.__cause__ is not None
    assert authority.calls == []


def test_a_token_endpoint_is_not_followed_anywhere(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, other_server: Server
) -> None:
    authority.refusals = [answer(b"", 307, headers={"Location": f"{other_server.origin}/id/token"})]
    with pytest.raises(vault.OAuthError, match="status 307"):
        connect_vault(**IDENTITY).call("oauth")
    assert other_server.requests == []


def test_what_is_for_the_api_is_not_sent_to_the_token_endpoint(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    more = {"default_headers": {"X-Tenant": "mine"}, "default_query": {"q": "mine"}}
    connect_vault(**IDENTITY, **more).call("oauth")
    (request,) = authority.asked
    assert request.header("x-tenant") is None
    assert request.query == []
    assert (request.header("user-agent") or "").startswith("vault-client/1")


@only_async
def test_a_cancelled_call_leaves_the_way_free(
    connect_vault: ConnectVault, authority: Authority
) -> None:
    authority.refusals = [hold]

    async def cancelled(vault: Any) -> None:
        with anyio.move_on_after(0.2):
            await vault.calls.oauth()

    client = connect_vault(**IDENTITY)
    client.run(cancelled)
    assert client.call("oauth").ok is True


def test_no_secret_is_told(
    vault: ModuleType,
    connect_vault: ConnectVault,
    authority: Authority,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    spoken = f"Not {CLIENT_SECRET}, not r3fresh!"
    refusal = refused("invalid_scope", error_description=spoken)
    authority.refusals = [refusal]
    client = connect_vault(**IDENTITY, oauth_refresh_token="r3fresh")
    with pytest.raises(vault.OAuthError, match=r"Not \[secret\], not \[secret\]!") as caught:
        client.call("oauth")
    told = [repr(client.client), repr(caught.value), repr(caught.value.__cause__)]
    told += [f"{one.getMessage()} {one.args!r}" for one in caplog.records]
    token = vault.Token(access_token="acc3ss", refresh_token="r3fresh", id_token="id3ntity")
    told += [repr(token), str(token)]
    for secret in (CLIENT_SECRET, "r3fresh", "acc3ss", "id3ntity"):
        assert [text for text in told if secret in text] == []

"""H. A certificate of the client's own (mutual TLS): with certificates that this test makes."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import pytest
import trustme

from .callers import Flavour, trio_too
from .server import Connection, Server, answer
from .vaults import ConnectVault


class TLSServer(Server):
    """A server that talks TLS, and to nobody without a certificate."""

    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__()
        self.context = context
        self.origin = self.origin.replace("http://127.0.0.1", "https://localhost")
        self.url = f"{self.origin}/v1"
        self.seen: list[object] = []
        """The certificates that were shown."""

    def _serve(self, sock: socket.socket, connection: Connection) -> None:
        try:
            wrapped = self.context.wrap_socket(sock, server_side=True)
        except OSError:
            sock.close()  # no certificate, no connection
            return
        with self._lock:
            self._open.add(wrapped)
        self.seen.append(wrapped.getpeercert())
        super()._serve(wrapped, connection)


@dataclass
class Certificates:
    """Files of a client's certificate."""

    folder: Path
    authority: trustme.CA = field(default_factory=trustme.CA)

    def __post_init__(self) -> None:
        client = self.authority.issue_cert("client@vault.example", common_name="client")
        self.both, self.chain, self.key = (self.folder / n for n in ("both.pem", "c.pem", "k.pem"))
        client.private_key_and_cert_chain_pem.write_to_path(self.both)
        client.cert_chain_pems[0].write_to_path(self.chain)
        client.private_key_pem.write_to_path(self.key)
        self.root = self.folder / "root.pem"
        self.authority.cert_pem.write_to_path(self.root)

    def context(self) -> ssl.SSLContext:
        """All that there is to say about TLS, on the side of the client."""
        context = ssl.create_default_context(cafile=str(self.root))
        context.load_cert_chain(self.chain, self.key)
        return context


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """A throwaway authority, and what it certified."""
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def tls_server(certificates: Certificates) -> Iterator[TLSServer]:
    """A server that wants to see a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority: Any = certificates.authority  # its types know of more libraries than are here
    authority.issue_cert("localhost").configure_cert(context)
    authority.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED
    server = TLSServer(context)
    with server:
        server.plays(answer({"ok": True}))
        yield server


@pytest.fixture
def trusted(certificates: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine trusts the authority of the test."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.root))


@trio_too
@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("form", ["a path", "a text", "a pair", "with a password", "a context"])
def test_a_certificate_is_shown(
    connect_vault: ConnectVault, tls_server: TLSServer, certificates: Certificates, form: str
) -> None:
    forms: dict[str, Any] = {
        "a path": certificates.both,
        "a text": str(certificates.both),
        "a pair": (certificates.chain, str(certificates.key)),
        "with a password": (certificates.chain, certificates.key, "unused"),
        "a context": certificates.context(),
    }
    client = connect_vault(base_url=tls_server.url, cert=forms[form])
    assert client.call("certificate").ok is True
    assert client.with_options(max_retries=0).call("certificate").ok is True
    (seen,) = tls_server.seen
    assert "client" in str(seen)


@pytest.mark.usefixtures("trusted")
def test_a_certificate_from_the_environment(
    connect_vault: ConnectVault,
    tls_server: TLSServer,
    certificates: Certificates,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("VAULT_CERT", str(certificates.both))
    assert connect_vault(base_url=tls_server.url).call("certificate").ok is True


@pytest.mark.usefixtures("trusted")
def test_without_a_certificate_there_is_no_connection(
    vault: ModuleType, connect_vault: ConnectVault, tls_server: TLSServer
) -> None:
    client = connect_vault(base_url=tls_server.url, max_retries=0)
    with pytest.raises(vault.APIConnectionError):
        client.call("open")
    assert tls_server.requests == []


@pytest.mark.usefixtures("trusted")
def test_a_given_http_client_shows_its_own(
    connect_vault: ConnectVault,
    tls_server: TLSServer,
    certificates: Certificates,
    flavour: Flavour,
) -> None:
    kind = httpx2.Client if flavour == "sync" else httpx2.AsyncClient
    given = kind(verify=certificates.context())
    assert connect_vault(base_url=tls_server.url, http_client=given).call("certificate").ok
    later = connect_vault(base_url=tls_server.url).with_options(http_client=given)
    assert later.call("certificate").ok
    with pytest.raises(ValueError, match="give cert to http_client"):
        connect_vault(http_client=given, cert=str(certificates.both))


@pytest.mark.usefixtures("trusted")
def test_another_server_sees_no_certificate(
    connect_vault: ConnectVault,
    tls_server: TLSServer,
    certificates: Certificates,
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority: Any = certificates.authority
    authority.issue_cert("localhost").configure_cert(context)
    authority.configure_trust(context)
    context.verify_mode = ssl.CERT_OPTIONAL
    stranger = TLSServer(context)
    with stranger:
        stranger.plays(answer({"ok": True}))
        tls_server.plays(answer(b"", 307, headers={"Location": f"{stranger.origin}/there"}))
        client = connect_vault(base_url=tls_server.url, cert=str(certificates.both))
        assert client.call("certificate").ok is True
    assert tls_server.seen != [{}]
    assert stranger.seen in ([{}], [None])


def test_a_certificate_that_is_none(connect_vault: ConnectVault, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        connect_vault(cert=tmp_path / "nowhere.pem")
    for wrong in (7, ("a", 7), ("a", "b", "c", "d")):
        with pytest.raises(TypeError, match="cert must be a path"):
            connect_vault(cert=wrong)

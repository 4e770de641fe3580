"""Sending a request, and following where it is redirected, with nothing of value.

httpx2 follows redirects itself, but takes along every header except ``Authorization``.
What goes wrong on the way is an ``httpx2.RequestError``, whoever has noticed it.
"""

from __future__ import annotations

import traceback
from collections.abc import Generator
from contextlib import contextmanager

import httpx2

from ._codings import unpack
from ._hosts import fault_of
from ._limit import ends_of, read_by
from ._proofs import CARRIED, ELSEWHERE, Carried, discreet, with_query, without_query

__all__ = ["add_cookies", "send", "send_async"]


def send(
    http: httpx2.Client, request: httpx2.Request, *, stream: bool
) -> httpx2.Response:
    """Send a request to its server, and to those that it is redirected to."""
    with _leads_somewhere(request):
        response = http.send(
            request, stream=True, auth=_auth(http, request), follow_redirects=False
        )
    hops = 0
    while response.next_request is not None:
        following = _following(http, response, request)
        if following is None:
            break
        _read(response, request)
        hops += 1
        _check(http, hops, following)
        with _leads_somewhere(following):
            response = http.send(
                following, stream=True, auth=_answers(following), follow_redirects=False
            )
    _received(response, request)
    if not stream:
        try:
            response.read()
        except BaseException:
            response.close()
            raise
    return response


@contextmanager
def _leads_somewhere(request: httpx2.Request) -> Generator[None]:
    """Make an error of the connection of what httpx2 says of a redirect to nowhere."""
    try:
        yield
    except ValueError as error:
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") != "httpx2._urls":
            raise
        message = "The server redirects to what is no URL."
        raise httpx2.RemoteProtocolError(message, request=request) from error


def _read(response: httpx2.Response, request: httpx2.Request) -> None:
    """Read an answer that redirects, in the time that the request has."""
    ends = ends_of(request)
    if ends is None:
        response.read()
        return
    message = "The answer that redirects did not end in time."
    read_by(response, ends, lambda: httpx2.ReadTimeout(message, request=request))


async def send_async(
    http: httpx2.AsyncClient, request: httpx2.Request, *, stream: bool
) -> httpx2.Response:
    """Do as :func:`send` does."""
    with _leads_somewhere(request):
        response = await http.send(
            request, stream=True, auth=_auth(http, request), follow_redirects=False
        )
    hops = 0
    while response.next_request is not None:
        following = _following(http, response, request)
        if following is None:
            break
        await response.aread()
        hops += 1
        _check(http, hops, following)
        with _leads_somewhere(following):
            response = await http.send(
                following, stream=True, auth=_answers(following), follow_redirects=False
            )
    _received(response, request)
    if not stream:
        try:
            await response.aread()
        except BaseException:
            await response.aclose()
            raise
    return response


def _carried(request: httpx2.Request) -> Carried | None:
    found = request.extensions.get(CARRIED)
    return found if isinstance(found, Carried) else None


def _auth(
    http: httpx2.Client | httpx2.AsyncClient, request: httpx2.Request
) -> httpx2.Auth | None:
    """Find what answers a challenge; a given client may have something of its own."""
    carried = _carried(request)
    if carried is not None and (carried.auth or carried.discretion.stays):
        return carried.auth
    return http.auth


def _answers(following: httpx2.Request) -> httpx2.Auth | None:
    """Find the same for a redirected request, whose answer names where it goes."""
    carried = _carried(following)
    at_home = carried is not None and following.url.origin == carried.home.origin
    return carried.auth if carried is not None and at_home else None


def _received(response: httpx2.Response, request: httpx2.Request) -> None:
    """Prepare an answer, which nobody has read yet."""
    if response.history:
        carried = _carried(request)
        if carried is not None and carried.auth is not None:
            # Kept with a response, requests show their headers to whoever looks at it.
            response.history = []
    unpack(response)


def add_cookies(
    http: httpx2.Client | httpx2.AsyncClient, request: httpx2.Request
) -> None:
    """Add the cookies of a given client to those that a request has of its own.

    They are for the API, hence not for an authorization server.
    """
    carried = _carried(request)
    if carried is not None and carried.discretion.stays:
        return
    own = request.headers.pop("cookie", None)
    http.cookies.set_cookie_header(request)
    cookies = _merged(request.headers.get("cookie"), own)
    if own is not None and cookies is not None:
        request.headers["cookie"] = cookies


def _following(
    http: httpx2.Client | httpx2.AsyncClient,
    response: httpx2.Response,
    first: httpx2.Request,
) -> httpx2.Request | None:
    """Make the request that a redirect asks for, if it is to be followed.

    ``first`` is the request that was meant for the API.
    """
    following, sent = response.next_request, response.request
    response.next_request = None
    carried = _carried(first) or Carried(first.url)
    if following is None or carried.discretion.stays or not http.follow_redirects:
        return None
    if getattr(following.stream, "spent", False):
        return None  # a body that passes once has passed
    if following.method == sent.method.upper():
        following.method = sent.method  # httpx2 changes the case, which counts
    home = carried.home.origin
    if following.url.userinfo:  # which would take the place of the credential
        following.url = following.url.copy_with(userinfo=b"")
    if following.url.origin != home:
        for name in carried.discretion.private:
            following.headers.pop(name, None)
        following.url = without_query(following.url, carried.proofs)
        following.extensions[ELSEWHERE] = True
    elif sent.url.origin == home:
        # httpx2 takes cookies out of any redirected request.
        cookies = _merged(sent.headers.get("cookie"), following.headers.get("cookie"))
        if cookies:
            following.headers["cookie"] = cookies
        for proof in carried.proofs:
            if proof.place == "query":
                following.url = with_query(following.url, proof)
    else:
        following.url = discreet(following.url, carried.proofs)
    return following


def _merged(earlier: str | None, later: str | None) -> str | None:
    """Add to the cookies of a jar those that a request had of its own."""
    pairs = {p.partition("=")[0]: p for p in (earlier or "").split("; ") if p}
    pairs |= {p.partition("=")[0]: p for p in (later or "").split("; ") if p}
    return "; ".join(pairs.values()) or None


def _check(
    http: httpx2.Client | httpx2.AsyncClient, hops: int, following: httpx2.Request
) -> None:
    """Refuse to be redirected for ever, or to where nobody can be."""
    if hops > http.max_redirects:
        message = f"redirected more than {http.max_redirects} times"
        raise httpx2.TooManyRedirects(message, request=following)
    if (fault := fault_of(following.url)) is not None:
        message = f"The server redirects to nowhere: {fault}"
        raise httpx2.RemoteProtocolError(message, request=following)

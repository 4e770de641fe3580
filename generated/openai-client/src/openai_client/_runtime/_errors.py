"""What can go wrong with a call, as exceptions."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, cast

import httpx2

if TYPE_CHECKING:
    from ._deviations import Deviation

__all__ = [
    "APIConnectionError",
    "APIError",
    "APIResponseValidationError",
    "APIStatusError",
    "APITimeoutError",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "CredentialError",
    "InternalServerError",
    "NotFoundError",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestValidationError",
    "UnprocessableEntityError",
]


class APIError(Exception):
    """Anything that goes wrong between the caller and the API; the base of the rest.

    Raised as such when a server reports an error inside an answer that began well, as
    streams do. Every error can be pickled; a pickled one has lost its connection but
    none of its facts.
    """

    message: str
    """What happened, in words; never a credential."""

    request: httpx2.Request | None
    """The request as it was sent, or None when nothing was."""

    body: object | None
    """The error as the server sent it: JSON values (what is inside the API's error
    envelope, if it has one), else text, else None."""

    code: str | None
    """The ``code`` of an error body, when it has one."""

    param: str | None
    """The ``param`` of an error body: the argument at fault."""

    type: str | None
    """The ``type`` of an error body."""

    request_id: str | None
    """The server's name for the request, to quote in a question to its owners."""

    error: Any
    """The whole error body as the type that the API declares for it: a model in most
    cases. None where nothing is declared, or where the body is something else."""

    def __init__(
        self,
        message: str,
        request: httpx2.Request | None = None,
        *,
        body: object | None = None,
    ) -> None:
        """Describe a failure of ``request`` in words and, if there is one, its body."""
        super().__init__(message)
        self.message = message
        self.request = request
        self.body = body
        self.request_id = None
        self.error = None
        self.code = _field(body, "code")
        self.param = _field(body, "param")
        self.type = _field(body, "type")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by attributes, since the constructors of the classes differ.

        What was sent stays behind: its headers hold the credential.
        """
        state = dict(self.__dict__)
        request, response = state.get("request"), state.get("response")
        if isinstance(request, httpx2.Request):
            # The text of its URL: a key in a query is not in there.
            url = str(request.url)
            state["request"] = request = httpx2.Request(request.method, url)
        if isinstance(response, httpx2.Response) and request is not None:
            state["response"] = response = copy(response)
            response.request = request
        return _blank, (self.__class__, self.args), state


class CredentialError(APIError):
    """There is no credential to send, or not one that can be sent."""


class RequestValidationError(APIError, ValueError):
    """With ``validate_requests``: a request is not what the API declares.

    Nothing was sent.
    """

    deviations: tuple[Deviation, ...]
    """Each place where it departs from the description."""

    def __init__(self, deviations: tuple[Deviation, ...]) -> None:
        """Describe what is wrong with a request; there is at least one thing."""
        first, *more = deviations
        also = f" (and {len(more)} more)" if more else ""
        super().__init__(f"{first.operation}: {first.path}: {first.message}{also}")
        self.deviations = deviations


class APIConnectionError(APIError):
    """The API could not be reached, or the connection broke; see ``__cause__``."""

    def __init__(
        self, *, message: str = "Connection error.", request: httpx2.Request | None
    ) -> None:
        """Describe a failure of the network under ``request``."""
        super().__init__(message, request)


class APITimeoutError(APIConnectionError):
    """The API did not answer in the time that the caller gave it."""

    def __init__(
        self,
        request: httpx2.Request | None,
        *,
        message: str = "Request timed out.",
    ) -> None:
        """Describe a ``request`` that took too long."""
        super().__init__(message=message, request=request)


class APIResponseValidationError(APIError):
    """A successful answer is not what the API declares.

    Raised for an answer that cannot be read at all and, with ``strict_responses``, for
    one that departs from the description anywhere.
    """

    response: httpx2.Response
    """The answer; of a stream, its head."""

    status_code: int
    """The status of the answer."""

    def __init__(
        self,
        response: httpx2.Response,
        body: object | None,
        *,
        message: str | None = None,
    ) -> None:
        """Describe a ``response`` whose ``body`` cannot be taken for an answer."""
        super().__init__(
            message or "The response is not what the API declares.",
            response.request,
            body=body,
        )
        self.response = response
        self.status_code = response.status_code


class APIStatusError(APIError):
    """The API answered with a status that means failure."""

    response: httpx2.Response
    """The answer, already read."""

    status_code: int
    """The status of the answer."""

    def __init__(
        self, message: str, *, response: httpx2.Response, body: object | None
    ) -> None:
        """Describe a ``response`` that reports a failure in its ``body``."""
        super().__init__(message, response.request, body=body)
        self.response = response
        self.status_code = response.status_code
        self.request_id = response.headers.get("x-request-id")

    @property
    def headers(self) -> httpx2.Headers:
        """The headers of the answer."""
        return self.response.headers


class BadRequestError(APIStatusError):
    """Status 400: the API does not understand the request."""


class AuthenticationError(APIStatusError):
    """Status 401: the credential is missing, wrong or expired."""


class PermissionDeniedError(APIStatusError):
    """Status 403: the credential does not allow this."""


class NotFoundError(APIStatusError):
    """Status 404: there is no such thing."""


class ConflictError(APIStatusError):
    """Status 409: the request collides with another, or with the state of things."""


class UnprocessableEntityError(APIStatusError):
    """Status 422: the request is well formed, but its values make no sense."""


class RateLimitError(APIStatusError):
    """Status 429: too many requests, or the quota is used up."""


class InternalServerError(APIStatusError):
    """Status 500 and above: the API failed."""


_CLASSES: dict[int, type[APIStatusError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}


def class_of(status: int) -> type[APIStatusError]:
    """Choose the class of error for a status."""
    if status >= 500:
        return InternalServerError
    return _CLASSES.get(status, APIStatusError)


def _field(body: object, name: str) -> str | None:
    """Read one short fact of an error body; some servers send numbers for codes."""
    if not isinstance(body, dict):
        return None
    value = cast("dict[str, object]", body).get(name)
    return str(value) if isinstance(value, str | int | float) else None


def _blank(cls: type[APIError], args: tuple[Any, ...]) -> APIError:
    error = cls.__new__(cls, *args)
    error.args = args
    return error

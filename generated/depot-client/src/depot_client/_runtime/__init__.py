"""The part of the client that is the same for every API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._async import AsyncClient
from ._bodies import Alternatives
from ._by_event import ByEvent
from ._choices import ANYTHING, ByStatus, ByType
from ._decoder import BYTES, NOTHING, TEXT, Decoder
from ._deviations import Deviation
from ._errors import (
    APIConnectionError,
    APIError,
    APIResponseValidationError,
    APIStatusError,
    APITimeoutError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    CredentialError,
    InternalServerError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    RequestValidationError,
    UnprocessableEntityError,
)
from ._events import Events
from ._files import FileContent, FileInput, FilePart, FileParts
from ._fold import Fold
from ._hooks import Hooks
from ._keyed import AsyncKeyClient, SyncKeyClient
from ._lazy import lazy
from ._models import BaseModel
from ._omit import Needed, Omit, omit, unless_omitted
from ._open import Impossible, Maybe, Open, OpenTuple, Unique
from ._options import (
    Body,
    Declared,
    Headers,
    Query,
    Request,
    RequestOptions,
    Timeout,
)
from ._profile import Profile
from ._resource import AsyncResource, SyncResource
from ._response import APIResponse, AsyncAPIResponse
from ._schemes import ApiKey, Basic, Bearer, Digest, Input, MutualTLS, OAuth2
from ._secrets import AsyncSecret, Secret
from ._servers import Variable
from ._stream import AsyncStream, Stream
from ._styles import Encoded, Styled
from ._sync import SyncClient
from ._tolerance import Tag
from ._wrappers import async_raw, async_streamed, raw, streamed

if TYPE_CHECKING:
    from ._certificates import Certificate
    from ._hook_events import (
        ErrorEvent,
        RequestEvent,
        ResponseEvent,
        RetryEvent,
    )
    from ._oauth import AsyncOAuth, Authorization, DeviceAuthorization, OAuth
    from ._page import AsyncPage, AsyncPages, Page
    from ._pages import Cursor, NextLink, NextURL, Offset, PageNumber, Pages
    from ._settings import OnDeviation
    from ._testing import (
        JSON,
        MockEvent,
        MockTransport,
        SentPart,
        SentRequest,
        UnexpectedRequest,
        as_json,
    )
    from ._token import OAuthError, Token
    from ._tracing import tracing
    from ._webhooks import Payloads, WebhookReader, WebhookVerificationError

# What few clients need is imported by those who do.
__getattr__, __dir__ = lazy(
    __name__,
    {
        "AsyncOAuth": "_oauth",
        "AsyncPage": "_page",
        "AsyncPages": "_page",
        "Authorization": "_oauth",
        "Certificate": "_certificates",
        "Cursor": "_pages",
        "DeviceAuthorization": "_oauth",
        "ErrorEvent": "_hook_events",
        "JSON": "_testing",
        "MockEvent": "_testing",
        "MockTransport": "_testing",
        "NextLink": "_pages",
        "NextURL": "_pages",
        "OAuth": "_oauth",
        "OAuthError": "_token",
        "Offset": "_pages",
        "OnDeviation": "_settings",
        "Page": "_page",
        "PageNumber": "_pages",
        "Pages": "_pages",
        "Payloads": "_webhooks",
        "RequestEvent": "_hook_events",
        "ResponseEvent": "_hook_events",
        "RetryEvent": "_hook_events",
        "SentPart": "_testing",
        "SentRequest": "_testing",
        "Token": "_token",
        "UnexpectedRequest": "_testing",
        "WebhookReader": "_webhooks",
        "WebhookVerificationError": "_webhooks",
        "as_json": "_testing",
        "tracing": "_tracing",
    },
)

__all__ = [
    "ANYTHING",
    "BYTES",
    "JSON",
    "NOTHING",
    "TEXT",
    "APIConnectionError",
    "APIError",
    "APIResponse",
    "APIResponseValidationError",
    "APIStatusError",
    "APITimeoutError",
    "Alternatives",
    "ApiKey",
    "AsyncAPIResponse",
    "AsyncClient",
    "AsyncKeyClient",
    "AsyncOAuth",
    "AsyncPage",
    "AsyncPages",
    "AsyncResource",
    "AsyncSecret",
    "AsyncStream",
    "AuthenticationError",
    "Authorization",
    "BadRequestError",
    "BaseModel",
    "Basic",
    "Bearer",
    "Body",
    "ByEvent",
    "ByStatus",
    "ByType",
    "Certificate",
    "ConflictError",
    "CredentialError",
    "Cursor",
    "Declared",
    "Decoder",
    "Deviation",
    "DeviceAuthorization",
    "Digest",
    "Encoded",
    "ErrorEvent",
    "Events",
    "FileContent",
    "FileInput",
    "FilePart",
    "FileParts",
    "Fold",
    "Headers",
    "Hooks",
    "Impossible",
    "Input",
    "InternalServerError",
    "Maybe",
    "MockEvent",
    "MockTransport",
    "MutualTLS",
    "Needed",
    "NextLink",
    "NextURL",
    "NotFoundError",
    "OAuth",
    "OAuth2",
    "OAuthError",
    "Offset",
    "Omit",
    "OnDeviation",
    "Open",
    "OpenTuple",
    "Page",
    "PageNumber",
    "Pages",
    "Payloads",
    "PermissionDeniedError",
    "Profile",
    "Query",
    "RateLimitError",
    "Request",
    "RequestEvent",
    "RequestOptions",
    "RequestValidationError",
    "ResponseEvent",
    "RetryEvent",
    "Secret",
    "SentPart",
    "SentRequest",
    "Stream",
    "Styled",
    "SyncClient",
    "SyncKeyClient",
    "SyncResource",
    "Tag",
    "Timeout",
    "Token",
    "UnexpectedRequest",
    "Unique",
    "UnprocessableEntityError",
    "Variable",
    "WebhookReader",
    "WebhookVerificationError",
    "as_json",
    "async_raw",
    "async_streamed",
    "lazy",
    "omit",
    "raw",
    "streamed",
    "tracing",
    "unless_omitted",
]

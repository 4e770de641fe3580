"""The part of the client that is the same for every API."""

from __future__ import annotations

from ._async import AsyncClient
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
    UnprocessableEntityError,
)
from ._events import Events
from ._fold import Fold
from ._lazy import lazy
from ._models import BaseModel
from ._omit import Omit, omit, unless_omitted
from ._open import Maybe, Open
from ._options import Body, Headers, Query, Request, RequestOptions, Timeout
from ._profile import ApiKey, Bearer, Profile
from ._request import segment
from ._resource import AsyncResource, SyncResource
from ._response import APIResponse, AsyncAPIResponse
from ._stream import AsyncStream, Stream
from ._sync import SyncClient
from ._tolerance import Tag
from ._wrappers import async_raw, async_streamed, raw, streamed

__all__ = [
    "BYTES",
    "NOTHING",
    "TEXT",
    "APIConnectionError",
    "APIError",
    "APIResponse",
    "APIResponseValidationError",
    "APIStatusError",
    "APITimeoutError",
    "ApiKey",
    "AsyncAPIResponse",
    "AsyncClient",
    "AsyncResource",
    "AsyncStream",
    "AuthenticationError",
    "BadRequestError",
    "BaseModel",
    "Bearer",
    "Body",
    "ConflictError",
    "CredentialError",
    "Decoder",
    "Deviation",
    "Events",
    "Fold",
    "Headers",
    "InternalServerError",
    "Maybe",
    "NotFoundError",
    "Omit",
    "Open",
    "PermissionDeniedError",
    "Profile",
    "Query",
    "RateLimitError",
    "Request",
    "RequestOptions",
    "Stream",
    "SyncClient",
    "SyncResource",
    "Tag",
    "Timeout",
    "UnprocessableEntityError",
    "async_raw",
    "async_streamed",
    "lazy",
    "omit",
    "raw",
    "segment",
    "streamed",
    "unless_omitted",
]

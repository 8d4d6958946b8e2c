"""Responses: an answer or an error as status, headers and body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from ..api.errors import ApiError
from ..api.route import Bytes
from ..api.values import plain

JSON = "application/json"
_COMMON = {
    "Connection": "close",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_OF_STATUS = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}


@dataclass(frozen=True)
class Response:
    """A response. body: None for a stream, whose body follows."""

    status: int
    media: str
    body: bytes | None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def reason(self) -> str:
        """The words of the status."""
        return HTTPStatus(self.status).phrase

    @property
    def all_headers(self) -> dict[str, str]:
        """The headers with those that every response has."""
        length = {"Content-Length": str(len(self.body))} if self.body is not None else {}
        return {**_COMMON, **self.headers, "Content-Type": self.media, **length}


def respond(answer: Any) -> Response:
    """Return the response for an answer."""
    if isinstance(answer, Bytes):
        return Response(200, answer.media, answer.encode(), answer.headers)
    return Response(200, JSON, to_json(answer))


def refuse(error: ApiError) -> Response:
    """Return the response for an error."""
    return Response(error.status, JSON, to_json(error.to_plain()), _OF_STATUS.get(error.status, {}))


def to_json(value: Any) -> bytes:
    """Return a value as JSON with a line end, so that a terminal shows it well."""
    return json.dumps(plain(value), allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"

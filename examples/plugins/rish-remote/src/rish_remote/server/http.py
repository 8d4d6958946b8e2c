"""HTTP/1.1 as far as this server needs it: one request on each connection, read strictly.

Whatever two readers could understand differently is refused: lengths that are given twice or in chunks, folded
headers, line ends without a carriage return, control characters. The connection is closed after the response, so that
no byte after the body counts as another request (RFC 9112, section 11.2).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from ..api.errors import ApiError

HEAD_BYTES = 16 * 1024
"""The greatest size of the request line and the headers."""
BODY_BYTES = 1024 * 1024
"""The greatest size of a body."""
_LINE = re.compile(rb"(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (/[!-~]*) HTTP/1\.[01]")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*")
_LENGTH = re.compile(r"\d{1,9}", re.ASCII)
_COMMON = {
    "Connection": "close",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True)
class Request:
    """A request. target: the path with its query, as sent. headers: by lower-case name."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Response:
    """A response with a body."""

    status: int
    media: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def encode(self, *, body: bool = True) -> bytes:
        """Return the bytes of the response. body: False for an answer to HEAD."""
        return head_of(self.status, self.media, self.headers, len(self.body)) + (self.body if body else b"")


def head_of(status: int, media: str, headers: Mapping[str, str], length: int | None) -> bytes:
    """Return the head of a response. length: bytes of the body; None for a stream, which ends with the connection."""
    sent = {**_COMMON, **headers, "Content-Type": media}
    if length is not None:
        sent["Content-Length"] = str(length)
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {value}" for name, value in sent.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """Read a request; None if the client sent nothing. Raises ApiError for anything that is not clearly a request."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise ApiError(431, f"the headers are longer than {HEAD_BYTES} bytes") from None
    except asyncio.IncompleteReadError as error:
        if not error.partial:
            return None
        raise ApiError(400, "the request ends within its headers") from None
    request = parse_head(head)
    length = _length(request)
    if not length:
        return request
    try:
        body = await reader.readexactly(length)
    except asyncio.IncompleteReadError:
        raise ApiError(400, f"the body is shorter than its Content-Length of {length}") from None
    return Request(request.method, request.target, request.headers, body)


def parse_head(head: bytes) -> Request:
    """Return the request of a complete head, without a body. Raises ApiError."""
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    first = _LINE.fullmatch(lines[0])
    if first is None:
        raise ApiError(400, "the request line is not METHOD /path HTTP/1.1")
    headers: dict[str, str] = {}
    for line in lines[1:]:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise ApiError(400, "a header is malformed")
        name = found[1].decode("ascii").lower()
        if name in headers:
            raise ApiError(400, f"the header {name} is there twice")
        headers[name] = found[2].decode("latin-1")
    return Request(first[1].decode("ascii"), first[2].decode("ascii"), headers)


def _length(request: Request) -> int:
    """Return the length of the body. Raises ApiError if it is unclear or too great."""
    if "transfer-encoding" in request.headers:
        raise ApiError(501, "a body in chunks is not read: send a Content-Length")
    text = request.headers.get("content-length", "0")
    if not text.isdigit() or not text.isascii():
        raise ApiError(400, "Content-Length is no number")
    if _LENGTH.fullmatch(text) is None or int(text) > BODY_BYTES:
        raise ApiError(413, f"the body is longer than {BODY_BYTES} bytes")
    return int(text)

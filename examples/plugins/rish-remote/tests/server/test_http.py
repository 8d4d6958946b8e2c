"""Reading of requests: what two readers could understand differently is refused."""

from __future__ import annotations

import asyncio

import pytest

from rish_remote.api.errors import ApiError
from rish_remote.server.http import BODY_BYTES, HEAD_BYTES, Request, read_request

GET = b"GET / HTTP/1.1\r\nHost: x\r\n"


def read(data: bytes) -> Request | None:
    """Return the request in these bytes, after which the client has hung up."""

    async def run() -> Request | None:
        reader = asyncio.StreamReader(limit=HEAD_BYTES)
        reader.feed_data(data)
        reader.feed_eof()
        return await read_request(reader)

    return asyncio.run(run())


def test_a_request_is_read() -> None:
    """Method, target, headers by lower-case name, and exactly the bytes of the body are read."""
    found = read(
        b"POST /a%20b?c=1 HTTP/1.1\r\nHost:  localhost \r\nX-A: b: c\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1"
    )
    assert found == Request("POST", "/a%20b?c=1", {"host": "localhost", "x-a": "b: c", "content-length": "3"}, b"abc")
    assert read(b"") is None


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (GET + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
        (GET + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc", 501),
        (GET + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400),
        (GET + b"Content-Length: 3, 4\r\n\r\nabcd", 400),
        (GET + b"Content-Length: +3\r\n\r\nabc", 400),
        (GET + b"Content-Length: 0x3\r\n\r\nabc", 400),
        (GET + b"Content-Length: -1\r\n\r\n", 400),
        (GET + b"Content-Length : 3\r\n\r\nabc", 400),
        (GET + b"Content-Length: 4\r\n\r\nabc", 400),
        (GET + b"Content-Length: %d\r\n\r\n" % (BODY_BYTES + 1), 413),
        (GET + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", 413),
        (GET + b"Host: y\r\n\r\n", 400),
        (GET + b" folded: x\r\n\r\n", 400),
        (GET + b"A: b\rC: d\r\n\r\n", 400),
        (GET + b"A: b\nC: d\r\n\r\n", 400),
        (GET + b"A: \x00\r\n\r\n", 400),
        (GET + b"no colon\r\n\r\n", 400),
        (GET + b"A: " + b"x" * HEAD_BYTES + b"\r\n\r\n", 431),
        (b"x" * (HEAD_BYTES * 2), 431),
        (GET, 400),
        (b"GET  / HTTP/1.1\r\n\r\n", 400),
        (b"GET http://localhost/ HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\n\r\n", 400),
        (b"TRACE / HTTP/1.1\r\n\r\n", 400),
        (b"CONNECT localhost:1 HTTP/1.1\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\r\n\r\n", 400),
        (b"\r\n\r\n", 400),
    ],
)
def test_unclear_requests_are_refused(data: bytes, status: int) -> None:
    """Lengths given twice or in chunks, folded headers, bare line ends, control characters and other forms."""
    with pytest.raises(ApiError) as refusal:
        read(data)
    assert refusal.value.status == status

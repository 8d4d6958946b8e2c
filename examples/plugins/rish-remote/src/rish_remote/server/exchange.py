"""One request and its response, on a connection of its own: checks before its body is read, limits, streams."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPConnection, HTTPHeaders, HTTPMessageDelegate, RequestStartLine, ResponseStartLine
from tornado.iostream import IOStream, StreamClosedError
from tornado.web import Application

from ..api.errors import ApiError
from ..game.watches import Watch
from .dispatch import find_route
from .feed import READER_CLOSED, SLOW
from .messages import Response, refuse, to_json
from .site import Site
from .sockets import check_upgrade

HEAD_BYTES = 16 * 1024
"""The greatest size of the target and the headers."""
BODY_BYTES = 1024 * 1024
"""The greatest size of a body."""
DROPPED_BYTES = 8 * 1024 * 1024
"""The greatest size of a body that is read only so that its client can read why it is refused."""
WRITE_SECONDS = 10.0
"""The longest time for a client to take a response."""
_EVENT_STREAM = Response(200, "text/event-stream", None)


class Exchange(HTTPMessageDelegate):
    """Receives one request from the library and answers it.

    A request is checked before its body is read. The body of a refused one is dropped, not left unread, because closing
    a connection with unread bytes would destroy the response.
    """

    def __init__(self, site: Site, sockets: Application, connection: HTTPConnection) -> None:
        self._site, self._sockets = site, sockets
        self._connection = cast("HTTP1Connection", connection)
        self._method = self._target = ""
        self._body = bytearray()
        self._refusal: ApiError | None = None
        self._socket: HTTPMessageDelegate | None = None

    # What the library calls

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> Any:
        """Check a request whose body has not been read yet."""
        first: RequestStartLine = start_line
        self._method, self._target = first.method, first.path
        try:
            self._check(headers)
        except ApiError as error:
            self._refusal = error
        if self._refusal is None and _wants_socket(headers):
            self._socket = self._sockets.start_request(None, self._connection)
            return self._socket.headers_received(start_line, headers)
        if self._refusal is not None and ("Expect" in headers or _length(headers) > DROPPED_BYTES):
            return self._answer()
        return None

    def data_received(self, chunk: bytes) -> None:
        """Keep a part of the body, if it is wanted."""
        if self._refusal is None and self._socket is None:
            self._body += chunk
            if len(self._body) > BODY_BYTES:
                self._refuse_length()

    def finish(self) -> None:
        """Answer the request."""
        if self._socket is not None:
            self._socket.finish()
        else:
            self._site.spawn(self._answer())

    def on_connection_close(self) -> None:
        """End: the client has gone before its request was complete."""
        if self._socket is not None:
            self._socket.on_connection_close()

    # Checks

    def _check(self, headers: HTTPHeaders) -> None:
        path = self._target.partition("?")[0]
        if not self._target.startswith("/"):
            raise ApiError(400, "the request line is not METHOD /path HTTP/1.1")
        if self._site.check(self._method, path, headers):
            self._site.connections.admit(stream_of(self._connection))
        if len(self._target) + sum(len(name) + len(value) for name, value in headers.get_all()) > HEAD_BYTES:
            raise ApiError(431, f"the headers are longer than {HEAD_BYTES} bytes")
        if _length(headers) > BODY_BYTES:
            self._refuse_length()
        if _wants_socket(headers):
            check_upgrade(find_route(self._method, path)[0], headers)

    def _refuse_length(self) -> None:
        self._refusal = ApiError(413, f"the body is longer than {BODY_BYTES} bytes")
        self._body.clear()

    # Answers

    async def _answer(self) -> None:
        try:
            if self._refusal is not None:
                raise self._refusal
            found = await self._site.answer(self._method, self._target, bytes(self._body))
        except ApiError as error:
            found = refuse(error)
        try:
            if isinstance(found, Watch):
                await self._stream(found)
            else:
                await self._send(found)
            self._connection.finish()
        except (StreamClosedError, TimeoutError):
            pass
        finally:
            self._connection.close()  # at once, before the library can read another request

    async def _send(self, response: Response) -> None:
        async with asyncio.timeout(WRITE_SECONDS):
            await self._head(response)

    def _head(self, response: Response) -> asyncio.Future[None]:
        first = ResponseStartLine("HTTP/1.1", response.status, response.reason)
        body = response.body if self._method != "HEAD" else b""
        return self._connection.write_headers(first, HTTPHeaders(response.all_headers), body)

    async def _stream(self, watch: Watch) -> None:
        """Send the messages of a watch as server-sent events, until the reader or the game ends."""
        feed = self._site.open_feed()
        watch.send = feed.send
        self._connection.set_close_callback(lambda: feed.stop(READER_CLOSED))
        try:
            await self._head(_EVENT_STREAM)
            end = await feed.pump(lambda message: self._connection.write(_event(message)))
        finally:
            watch.closed = True
        if end is SLOW:
            async with asyncio.timeout(WRITE_SECONDS):
                await self._connection.write(_event(ApiError(503, end.reason).to_plain()))


def _event(message: dict[str, Any] | None) -> bytes:
    return b"data: " + to_json(message) + b"\n" if message is not None else b": waiting\n\n"


def stream_of(connection: HTTPConnection) -> IOStream:
    """Return the stream of bytes under a connection that has not become a WebSocket."""
    stream = cast("HTTP1Connection", connection).stream
    assert stream is not None
    return stream


def _wants_socket(headers: HTTPHeaders) -> bool:
    return headers.get("Upgrade", "").lower() == "websocket"


def _length(headers: HTTPHeaders) -> int:
    """Return the length of the body that a request says; the library refuses texts that are no length."""
    text = headers.get("Content-Length", "0")
    return int(text[:20]) if text.isdecimal() else 0

"""The server: a thread that accepts connections of this machine and never touches the World.

It listens on 127.0.0.1, and on ::1 if there is one. The numbers of connections and of waiting requests are limited, and
so is the time of everything that waits for a client, so that no client can keep the others or the game from working.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import threading
from contextlib import suppress
from typing import Any

from rish_core import UsageError

from ..api.errors import ApiError
from ..api.route import Route
from ..game.watches import Watch
from .dispatch import call_of, find_route, refuse, respond, to_json
from .gate import check_host, check_token
from .http import HEAD_BYTES, Request, Response, head_of, read_request
from .inbox import Inbox
from .page import page_response, static_response

_log = logging.getLogger("rish.remote")

MOST = 64
"""The most connections at the same time; others get 503."""
READ_SECONDS = 5.0
"""The longest time from a connection to the end of its request."""
WRITE_SECONDS = 10.0
"""The longest time for a client to take a response."""
_LINGER_SECONDS = 0.5
"""For how long the rest of a refused request is read, because closing earlier would destroy the response."""
_HEARTBEAT = 15.0
_QUEUED = 4
"""The messages of a watch that wait for a slow client; it gets the newer ones."""


def open_sockets(port: int) -> list[socket.socket]:
    """Return listening sockets for 127.0.0.1 and, where there is one, ::1. Raises UsageError if the port is taken."""
    first = socket.socket(socket.AF_INET)
    try:
        _bind(first, "127.0.0.1", port)
    except OSError as error:
        first.close()
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        hint = "Choose another with `--set settings.remote.port=8421`, or 0 for any free one"
        raise UsageError(f"the port {port} is taken or not allowed: {error.strerror}", hint=hint) from None
    opened = [first]
    with suppress(OSError):  # no IPv6, or the port is taken there
        second = socket.socket(socket.AF_INET6)
        try:
            second.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            _bind(second, "::1", first.getsockname()[1])
        except OSError:
            second.close()
            raise
        opened.append(second)
    return opened


def _bind(made: socket.socket, host: str, port: int) -> None:
    if os.name == "posix":  # elsewhere the option would let two servers share a port
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((host, port))
    made.listen(128)
    made.setblocking(False)


class Server:
    """Listens from the beginning and answers from `start` to `close`. port: of the server. writable: whether requests
    may change anything.
    """

    def __init__(self, inbox: Inbox, port: int, token: str, *, writable: bool) -> None:
        self._sockets = open_sockets(port)
        self.port: int = self._sockets[0].getsockname()[1]
        self._inbox, self._token, self._writable = inbox, token, writable
        self._open: set[asyncio.Task[Any]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread: threading.Thread | None = None

    @property
    def started(self) -> bool:
        """Whether the thread was started."""
        return self._thread is not None

    def start(self) -> None:
        """Start the thread."""
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(ready)), name="rish-remote", daemon=True)
        self._thread.start()
        ready.wait(timeout=10)

    def close(self) -> None:
        """Close all connections and end the thread."""
        if self._thread is None or self._loop is None or self._stop is None:
            for each in self._sockets:
                each.close()
            return
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(timeout=10)
        if self._thread.is_alive():
            _log.error("the server's thread did not end")

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        servers = [await asyncio.start_server(self._connect, sock=each, limit=HEAD_BYTES) for each in self._sockets]
        ready.set()
        await self._stop.wait()
        for server in servers:
            server.close()
        if self._open:
            await asyncio.wait(self._open, timeout=1.0)  # for answers that are on their way
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    # Connections

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        full = len(self._open) >= MOST
        self._open.add(task)
        try:
            if full:
                await self._send(writer, refuse(ApiError(503, f"{MOST} connections are open already")).encode())
            else:
                await self._converse(reader, writer)
        except (OSError, TimeoutError, asyncio.CancelledError):
            writer.transport.abort()
        except Exception:
            _log.exception("a connection failed")
            writer.transport.abort()
        finally:
            self._open.discard(task)
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(READ_SECONDS):
                request = await read_request(reader)
        except TimeoutError:
            error = ApiError(408, f"the request took longer than {READ_SECONDS:.0f} s")
            await self._send(writer, refuse(error).encode())
            return
        except ApiError as error:
            await self._send(writer, refuse(error).encode())
            await self._drop_rest(reader, writer)
            return
        if request is None:
            return
        try:
            found = await self._answer(request)
        except ApiError as error:
            found = refuse(error)
        if isinstance(found, Watch):
            await self._stream(found, reader, writer)
        else:
            await self._send(writer, found.encode(body=request.method != "HEAD"))

    async def _send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        writer.write(data)
        async with asyncio.timeout(WRITE_SECONDS):
            await writer.drain()

    async def _drop_rest(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError):
            if writer.can_write_eof():
                writer.write_eof()
            async with asyncio.timeout(_LINGER_SECONDS):
                while await reader.read(65536):
                    pass

    # Requests

    async def _answer(self, request: Request) -> Response | Watch:
        check_host(request)
        path, _, query = request.target.partition("?")
        if request.method == "GET" and path == "/":
            return page_response()
        check_token(request, self._token)
        if request.method == "GET" and (found := static_response(path)) is not None:
            return found
        route, names = find_route(request.method, path)
        if route.writes and not self._writable:
            raise ApiError(403, "the game may only be read: it runs with `settings: remote: {allow: read}`")
        return await self._ask_game(route, call_of(route, names, query, request))

    async def _ask_game(self, route: Route, call: Any) -> Response | Watch:
        future = self._inbox.put(route, call)
        try:
            async with asyncio.timeout(route.seconds):
                found = await asyncio.wrap_future(future)
        except TimeoutError:
            done = "it was not begun" if future.cancelled() else "it was begun and goes on"
            what = f"the game did not answer within {route.seconds:.0f} s; {done}"
            raise ApiError(503, f"{what}. It may be loading, or stopped in a debugger") from None
        return found if isinstance(found, Watch) else await asyncio.to_thread(respond, found)

    # Streams

    async def _stream(self, watch: Watch, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send the messages of a watch as server-sent events, until the client or the game ends."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue(_QUEUED)

        def put(message: dict[str, Any]) -> None:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(message)

        def send(message: dict[str, Any]) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(put, message)

        watch.send = send
        gone = asyncio.ensure_future(reader.read(1))  # a client that sends more or hangs up is gone
        try:
            await self._send(writer, head_of(200, "text/event-stream", {}, None))
            while not gone.done():
                message = asyncio.ensure_future(queue.get())
                await asyncio.wait({message, gone}, timeout=_HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
                if message.done():
                    await self._send(writer, b"data: " + to_json(message.result()) + b"\n")
                else:
                    message.cancel()
                    await self._send(writer, b": waiting\n\n")
        finally:
            watch.closed = True
            gone.cancel()

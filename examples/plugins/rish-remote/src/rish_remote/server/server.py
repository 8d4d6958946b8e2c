"""The server: a thread that accepts connections of this machine and never touches the World.

It listens on 127.0.0.1, and on ::1 if there is one. The library, Tornado, reads HTTP and TLS and limits how long a
request may take to arrive; here are the sockets, the certificate, and the beginning and end of the thread.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
import threading
from contextlib import suppress
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPConnection, HTTPMessageDelegate, HTTPServerConnectionDelegate
from tornado.iostream import IOStream

from rish_core import UsageError
from rish_system import current

from .exchange import DROPPED_BYTES, HEAD_BYTES, Exchange, stream_of
from .inbox import Inbox
from .site import Site
from .sockets import watch_sockets

_log = logging.getLogger("rish.remote")

READ_SECONDS = 5.0
"""The longest time from a connection to the end of its headers, a handshake included, and then for its body."""

_BUFFER_BYTES = 128 * 1024
"""What the system keeps of a response for a slow client; the default of some megabytes would hold old news only."""


def open_sockets(port: int) -> list[socket.socket]:
    """Return listening sockets for 127.0.0.1 and, where there is one, ::1. Raises UsageError if the port is taken."""
    first = socket.socket(socket.AF_INET)
    try:
        _bind(first, "127.0.0.1", port)
    except OSError as error:
        first.close()
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        hint = f"Choose another with `--set settings.remote.port={port % 65535 + 1}`, or 0 for any free one"
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


def _bind(listener: socket.socket, host: str, port: int) -> None:
    if current() != "windows":  # elsewhere the option would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(128)
    listener.setblocking(False)


def read_certificate(certificate: str, key: str) -> ssl.SSLContext:
    """Return the context of a server with a certificate. key: the file of its key, "" if the certificate's has it.

    Raises UsageError.
    """
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key or None, password=lambda: "")  # a key with a password would ask for it
    except (OSError, ValueError) as error:  # an SSLError is an OSError
        files = f"{certificate} and {key}" if key else certificate
        hint = "Give PEM files of a certificate and of its key without a password"
        raise UsageError(f"no certificate can be read from {files}: {error}", hint=hint) from None
    return context


class Server:
    """Listens from the beginning and answers from `start` to `close`. port: of the server. tls: None for plain HTTP.
    writable: whether requests may change anything.
    """

    def __init__(
        self, inbox: Inbox, port: int, token: str, *, tls: ssl.SSLContext | None = None, writable: bool
    ) -> None:
        self._sockets = open_sockets(port)
        self.port: int = self._sockets[0].getsockname()[1]
        self.scheme = "http" if tls is None else "https"
        self._tls = tls
        self._site = Site(inbox, token, scheme=self.scheme, writable=writable)
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
        self._thread = threading.Thread(target=self._run, args=(ready,), name="rish-remote", daemon=True)
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

    def _run(self, ready: threading.Event) -> None:
        # Tornado waits for sockets with `add_reader`, which the standard loop of Windows lacks.
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(self._serve(ready))

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        logging.getLogger("tornado").addHandler(logging.NullHandler())  # a broken client is no news on the terminal
        server = _Listener(
            _Exchanges(self._site), ssl_options=self._tls, max_header_size=4 * HEAD_BYTES,
            idle_connection_timeout=READ_SECONDS, body_timeout=READ_SECONDS, max_body_size=DROPPED_BYTES,
        )  # fmt: skip
        server.site = self._site
        server.add_sockets(self._sockets)
        ready.set()
        await self._stop.wait()
        server.stop()
        await self._site.close()
        await server.close_all_connections()


class _Listener(HTTPServer):
    """Counts the connections."""

    site: Site

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        assert stream.socket is not None
        stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)
        self.site.connections.add(stream)
        super().handle_stream(stream, address)


class _Exchanges(HTTPServerConnectionDelegate):
    """Makes what receives a request. What follows it on its connection is ignored: it is no request of this server."""

    def __init__(self, site: Site) -> None:
        self._site, self._sockets = site, watch_sockets(site)

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        if stream_of(request_conn).closed():
            return HTTPMessageDelegate()
        return Exchange(self._site, self._sockets, request_conn)

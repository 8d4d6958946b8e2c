"""Watches over WebSockets: a reader says what it wants to see, and may say it anew at any time.

Each message of a reader is a mapping of the arguments of `GET /api/1/watch`, which replaces what was watched. An error
is sent as `{"error": ...}`, and the connection stays open.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any

from tornado.iostream import StreamClosedError
from tornado.web import Application
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from ..api.args import checked
from ..api.errors import ApiError
from ..api.route import Call, Route
from ..game.watches import Watch
from .dispatch import arguments, find_route, parse_body
from .feed import HEARTBEAT, READER_CLOSED, Feed
from .gate import SUBPROTOCOL
from .messages import to_json
from .site import Site

_log = logging.getLogger("rish.remote")

MESSAGE_BYTES = 64 * 1024
"""The greatest size of a message; a longer one ends the connection."""


def watch_sockets(site: Site) -> Application:
    """Return what answers requests for WebSockets that have been checked and have shown the token."""
    return Application(
        [(r".*", WatchSocket, {"site": site})],
        log_function=lambda handler: None,
        websocket_max_message_size=MESSAGE_BYTES,
        websocket_ping_interval=HEARTBEAT,
    )


def check_upgrade(route: Route, headers: Mapping[str, str]) -> None:
    """Raise ApiError for a request for a WebSocket that the library would refuse, or of a route that is no stream."""
    if not route.stream:
        raise ApiError(400, f"{route.path} is no stream: a WebSocket watches values at /api/1/watch")
    version, key = headers.get("Sec-WebSocket-Version"), headers.get("Sec-WebSocket-Key")
    if "upgrade" not in headers.get("Connection", "").lower() or version != "13" or not key:
        headers_needed = "Connection: Upgrade, Sec-WebSocket-Version: 13 and a Sec-WebSocket-Key"
        raise ApiError(400, f"a WebSocket begins with the headers {headers_needed}")


class WatchSocket(WebSocketHandler):
    """One reader. The arguments in its address, if there are any, are its first message."""

    def initialize(self, site: Site) -> None:
        """Take what all connections share; called by the library."""
        self._site = site
        self._feed: Feed | None = None
        self._watch: Watch | None = None

    def set_default_headers(self) -> None:
        """Send no name of the library."""
        self.clear_header("Server")

    def check_origin(self, origin: str) -> bool:
        """Return True: `check_host` has refused pages of other sites."""
        return True

    def select_subprotocol(self, subprotocols: list[str]) -> str | None:
        """Return the protocol of this server, if the client names it; the name with the token is never returned."""
        return SUBPROTOCOL if SUBPROTOCOL in subprotocols else None

    async def open(self, *args: str, **kwargs: str) -> None:
        """Begin to send."""
        self._feed = self._site.open_feed()
        self._site.spawn(self._send_all(self._feed))
        query = self.request.query
        if query:
            await self._subscribe(lambda route: arguments(route, query, b""))

    async def on_message(self, message: str | bytes) -> None:
        """Watch something else; the next message is not read before the game has answered."""
        body = message.encode() if isinstance(message, str) else message
        await self._subscribe(lambda route: checked(route.args, parse_body(body)))

    def on_close(self) -> None:
        """End the feed."""
        if self._feed is not None:
            self._feed.stop(READER_CLOSED)

    def log_exception(
        self, typ: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Log an unexpected error where the game's other errors are."""
        _log.error("a WebSocket failed", exc_info=value)

    async def _subscribe(self, read: Callable[[Route], dict[str, Any]]) -> None:
        feed = self._feed
        assert feed is not None
        if self._watch is not None:
            self._watch.closed = True
        try:
            route, _ = find_route("GET", self.request.path)
            watch: Watch = await self._site.ask(route, Call({}, read(route)))
        except ApiError as error:
            feed.put(error.to_plain())
            return
        watch.send, watch.closed = feed.send, feed.end.done()
        self._watch = watch

    async def _send_all(self, feed: Feed) -> None:
        with suppress(StreamClosedError, WebSocketClosedError):
            await feed.pump(self._write)
        feed.stop(READER_CLOSED)
        if self._watch is not None:
            self._watch.closed = True
        self.close(*feed.end.result())

    async def _write(self, message: dict[str, Any] | None) -> None:
        if message is not None:  # the library itself sends pings
            await self.write_message(to_json(message))

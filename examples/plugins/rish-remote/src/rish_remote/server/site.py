"""What the server serves: the way from an admitted request to an answer of the page, the description or the game."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from typing import Any

from ..api.errors import ApiError
from ..api.route import Call, Route
from ..game.watches import Watch
from .connections import Connections
from .dispatch import arguments, find_route
from .feed import OVER, Feed
from .gate import check_host, check_token
from .inbox import Inbox
from .messages import Response, respond
from .page import page_response, static_response

_log = logging.getLogger("rish.remote")
_STOP_SECONDS = 0.3
"""For how long answers that are on their way may take at the end."""


class Site:
    """The data that all connections share. scheme: `http` or `https`. writable: whether requests may change
    anything."""

    def __init__(self, inbox: Inbox, token: str, *, scheme: str, writable: bool) -> None:
        self.scheme = scheme
        self.connections = Connections()
        self._inbox, self._token, self._writable = inbox, token, writable
        self._tasks: set[asyncio.Task[Any]] = set()
        self._feeds: set[Feed] = set()

    def check(self, method: str, path: str, headers: Mapping[str, str]) -> bool:
        """Return whether a request has shown the token; only the page needs none. Raises ApiError."""
        check_host(headers, self.scheme)
        if (method, path) == ("GET", "/"):
            return False
        check_token(headers, self._token)
        return True

    async def answer(self, method: str, target: str, body: bytes) -> Response | Watch:
        """Return the answer to a request. Raises ApiError."""
        path, _, query = target.partition("?")
        if (method, path) == ("GET", "/"):
            return page_response()
        if method == "GET" and (found := static_response(path)) is not None:
            return found
        route, names = find_route(method, path)
        if route.writes and not self._writable:
            raise ApiError(403, "the game may only be read: it runs with `settings: remote: {allow: read}`")
        found = await self.ask(route, Call(names, arguments(route, query, body)))
        return found if isinstance(found, Watch) else await asyncio.to_thread(respond, found)

    async def ask(self, route: Route, call: Call) -> Any:
        """Return the answer of the game. Raises ApiError."""
        future = self._inbox.put(route, call)
        try:
            async with asyncio.timeout(route.seconds):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            done = "it was not begun" if future.cancelled() else "it was begun and goes on"
            what = f"the game did not answer within {route.seconds:.0f} s; {done}"
            raise ApiError(503, f"{what}. It may be loading, or stopped in a debugger") from None

    def open_feed(self) -> Feed:
        """Return a feed that ends with the server."""
        self._feeds = {feed for feed in self._feeds if not feed.end.done()}
        feed = Feed()
        self._feeds.add(feed)
        return feed

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work until it is done or the server ends; an unexpected failure is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a connection failed", exc_info=error)

    async def close(self) -> None:
        """End all feeds, let answers that are on their way finish, and close all connections."""
        for feed in self._feeds:
            feed.stop(OVER)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_STOP_SECONDS)
        self.connections.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

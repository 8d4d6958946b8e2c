"""The messages of a watch on their way to one reader, who is dropped if it reads too slowly.

The game's thread only adds a message to a queue. A reader that is many messages behind would need ever more memory, or
would miss events without knowing it; so its feed ends, and the reader is told why.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

QUEUED = 64
"""The greatest number of messages that wait for a reader."""
WRITE_SECONDS = 10.0
"""The longest time for a reader to take a message."""
HEARTBEAT = 15.0
"""Seconds without a message after which a sign of life is sent."""


class End(NamedTuple):
    """Why a feed ends. code: of the close frame of a WebSocket (RFC 6455, section 7.4.1, and its registry)."""

    code: int
    reason: str


READER_CLOSED = End(1000, "the reader has gone")
OVER = End(1001, "the game has ended")
SLOW = End(1013, f"{QUEUED} messages or {WRITE_SECONDS:.0f} s behind: read faster, or ask for fewer with `every`")


class Feed:
    """A queue of messages. end: is done with the reason when the feed has ended. To be made in the server's thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._messages: deque[dict[str, Any]] = deque()
        self._knock = asyncio.Event()
        self.end: asyncio.Future[End] = self._loop.create_future()

    def send(self, message: dict[str, Any]) -> None:
        """Add a message; called in the game's thread."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self.put, message)

    def put(self, message: dict[str, Any]) -> None:
        """Add a message; called in the server's thread."""
        if len(self._messages) >= QUEUED:
            self.stop(SLOW)
        if not self.end.done():
            self._messages.append(message)
            self._knock.set()

    def stop(self, end: End) -> None:
        """End the feed, unless it has ended."""
        if not self.end.done():
            self.end.set_result(end)
            self._messages.clear()
            self._knock.set()

    async def pump(self, write: Callable[[dict[str, Any] | None], Awaitable[Any]]) -> End:
        """Write all messages until the end, which is returned. write: gets None for a sign of life."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT):
                    await self._knock.wait()
            if self.end.done():
                return self.end.result()
            message = self._messages.popleft() if self._messages else None
            if not self._messages:
                self._knock.clear()
            await self._finish(write(message))

    async def _finish(self, writing: Awaitable[Any]) -> None:
        """Wait until something is written or the feed ends. A write is not cancelled: the library needs its result."""
        task = asyncio.ensure_future(writing)
        await asyncio.wait({task, self.end}, timeout=WRITE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        else:
            self.stop(SLOW)
            task.add_done_callback(lambda late: late.cancelled() or late.exception())

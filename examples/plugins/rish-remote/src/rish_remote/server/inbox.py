"""The way from the server's thread to the game's: requests wait here until a frame answers them."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Event
from typing import Any

from ..api.errors import ApiError
from ..api.route import Call, Route, Where

MAX_REQUESTS = 64
"""The greatest number of waiting requests."""


@dataclass(frozen=True)
class Job:
    """A request that waits. future: gets the answer; a request that nobody waits for any longer is cancelled by it."""

    route: Route
    call: Call
    future: Future[Any]


class Inbox:
    """Requests in the order in which they came. knock: set while there may be any."""

    def __init__(self) -> None:
        self.knock = Event()
        self._jobs: deque[Job] = deque()
        self._begun: list[Job] = []
        self._closed = False

    def put(self, route: Route, call: Call) -> Future[Any]:
        """Add a request; called in the server's thread. Raises ApiError if there are too many or the game has ended."""
        if self._closed:
            raise ApiError(503, "the game has ended")
        if len(self._jobs) >= MAX_REQUESTS:
            raise ApiError(503, f"{MAX_REQUESTS} requests are waiting for the game already: try again later")
        job = Job(route, call, Future())
        self._jobs.append(job)
        self.knock.set()
        return job.future

    def take(self) -> tuple[list[Job], list[Job]]:
        """Return the requests to answer now, and those to answer at the border; called in the game's thread."""
        self.knock.clear()
        jobs = [self._jobs.popleft() for _ in range(len(self._jobs))]
        begun = [job for job in jobs if job.future.set_running_or_notify_cancel()]
        self._begun = [job for job in (*self._begun, *begun) if not job.future.done()]
        in_frame = [job for job in begun if job.route.where is Where.FRAME]
        return in_frame, [job for job in begun if job.route.where is Where.BORDER]

    def close(self) -> None:
        """Refuse all requests from now on, also those that wait and those that no border or step has answered yet."""
        self._closed = True
        for job in self._begun:
            if not job.future.done():
                job.future.set_exception(ApiError(503, "the game has ended"))
        while self._jobs:
            job = self._jobs.popleft()
            if job.future.set_running_or_notify_cancel():
                job.future.set_exception(ApiError(503, "the game has ended"))

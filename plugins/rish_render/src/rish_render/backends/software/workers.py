"""Worker threads that draw the bands of a frame together.

Kernels release Python's global lock, so plain threads are enough. They take bands from one shared list until it is
empty. A thread that starts late finds the list empty and is not waited for. So on a busy machine, several threads are
slower than one by the time of the last band at most.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from queue import SimpleQueue

MAX_THREADS = 8


class _Job:
    """The bands that are still to be drawn, and the number of bands that are being drawn at the moment."""

    def __init__(self, bands: Iterable[tuple[int, int]], work: Callable[[int, int], object]) -> None:
        self.bands = deque(bands)
        self.work = work
        self.running = 0
        self.error: BaseException | None = None
        self.changed = threading.Condition()

    def help(self) -> None:
        """Draw bands until none is left."""
        while True:
            with self.changed:
                if not self.bands:
                    return
                band = self.bands.popleft()
                self.running += 1
            try:
                self.work(*band)
            except BaseException as error:
                self.error = error
                self.bands.clear()
            finally:
                with self.changed:
                    self.running -= 1
                    self.changed.notify_all()

    def wait(self) -> None:
        """Wait until every band that was taken is drawn; raise the exception of one of them, if any."""
        with self.changed:
            while self.running:
                self.changed.wait()
        if self.error is not None:
            raise self.error


class Workers:
    """A number of threads, including the caller's; the others start when they are first needed."""

    def __init__(self, threads: int) -> None:
        self.threads = max(1, threads)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._started = 0

    def run(self, bands: Sequence[tuple[int, int]], work: Callable[[int, int], object]) -> None:
        """Call `work(first row, row after the last)` for each band, in any order and on any of the threads."""
        helpers = min(self.threads, len(bands)) - 1
        if helpers < 1:
            for band in bands:
                work(*band)
            return
        while self._started < helpers:
            threading.Thread(target=self._serve, name="rish-software", daemon=True).start()
            self._started += 1
        job = _Job(bands, work)
        for _ in range(helpers):
            self._jobs.put(job)
        job.help()
        job.wait()

    def close(self) -> None:
        """Stop the threads."""
        for _ in range(self._started):
            self._jobs.put(None)
        self._started = 0

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            job.help()


def cores() -> int:
    """Return how many processors this process may use, at most MAX_THREADS."""
    affinity = getattr(os, "sched_getaffinity", None)
    return max(1, min(len(affinity(0)) if affinity is not None else os.cpu_count() or 1, MAX_THREADS))


def wished_threads(count: int | None) -> int:
    """Return how many threads to draw with: `count`, or RISH_THREADS if None, or one for each processor if neither is
    set.
    """
    if count is None:
        text = os.environ.get("RISH_THREADS", "")
        count = int(text) if text.isdecimal() else 0
    return count if count > 0 else cores()

"""Finds data that grows without end: objects and containers of plugins, threads, open files, rows of the World.

An amount is reported if it has grown at each of several checks, and by more than a minimum. It is reported again only
after it has shrunk.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rish_core import Place, shorten_path

from .containers import Key, line_of, sizes_of_containers
from .open_audit import Opened
from .owners import CORE, Owners
from .reports import Report
from .settings import WatchdogSettings

_MIN_GROWTHS = 4
"""The number of consecutive checks at which an amount must have grown."""
_MIN_HANDLES = _MIN_GROWTHS
"""The number of threads or open files that must be added before a report."""
_KIB = 1024


class Growth:
    """Amounts at the last checks. unit: a word for the amounts. minimum: the growth that is reported."""

    def __init__(self, unit: str, minimum: int) -> None:
        self._unit, self._minimum = unit, minimum
        self._runs: dict[Key, list[int]] = {}
        self._reported: set[Key] = set()

    def look(self, amounts: Mapping[Any, int]) -> Iterator[Report]:
        """Record the present amounts, and yield a report for each that has grown at every check."""
        for key in self._runs.keys() - amounts.keys():
            del self._runs[key]
            self._reported.discard(key)
        for key, amount in amounts.items():
            run = self._runs.setdefault(key, [])
            if run and amount < run[-1]:
                self._reported.discard(key)
            if run and amount <= run[-1]:
                run.clear()
            run.append(amount)
            if key not in self._reported and len(run) > _MIN_GROWTHS and amount - run[0] >= self._minimum:
                self._reported.add(key)
                yield self._report(key, run)

    def _report(self, key: Key, run: list[int]) -> Report:
        plugin, what, where = key
        text = f"{what} of plugin '{plugin}' grew from {run[0]:,} to {run[-1]:,} {self._unit} at {len(run) - 1} looks"
        return Report("leak", plugin, what, line_of(where), text, count=run[-1] - run[0])


class Leaks:
    """Checks everything that may grow, at intervals of `leak_interval`."""

    def __init__(self, settings: WatchdogSettings, app: Any, owners: Owners) -> None:
        self._mode, self._interval = settings.leak, settings.leak_interval
        self._app, self._owners, self._world = app, owners, app.world
        self._opened = Opened(owners, app.world)
        self._next = 0.0
        large = settings.leak_growth
        self._objects, self._items = Growth("objects", large), Growth("items", large)
        self._threads, self._files = Growth("threads", _MIN_HANDLES), Growth("open files", _MIN_HANDLES)
        self._rows, self._memory = Growth("rows", large), Growth("KiB", large)

    def begin(self) -> None:
        """Begin to note who opens files, starts threads and, with `trace`, allocates memory."""
        if self._mode != "off":
            self._opened.begin()
        self._traces = self._mode == "trace" and not tracemalloc.is_tracing()
        if self._traces:
            tracemalloc.start()

    def end(self) -> None:
        """Stop noting."""
        self._opened.end()
        if self._traces:
            tracemalloc.stop()

    def is_due(self, now: float) -> bool:
        """Return whether the next check is due. now: seconds of `time.monotonic`."""
        due = self._mode != "off" and now >= self._next
        if due:
            self._next = now + self._interval
        return due

    def check(self) -> Iterator[Report]:
        """Count everything, and yield a report for each amount that has grown at every check."""
        yield from self._objects.look(self._count_objects())
        yield from self._items.look(sizes_of_containers(self._app, self._owners))
        yield from self._threads.look(self._count_threads())
        yield from self._files.look(self._opened.count_files())
        yield from self._rows.look(self._count_rows())
        if tracemalloc.is_tracing():
            yield from self._memory.look(self._count_memory())

    def _count_objects(self) -> dict[Key, int]:
        counts: dict[Key, int] = {}
        for cls, count in Counter(map(type, gc.get_objects())).items():
            plugin = self._owners.of_module(cls.__module__)
            if plugin not in (None, CORE):
                key = str(plugin), f"the number of {cls.__qualname__} objects", cls
                counts[key] = counts.get(key, 0) + count
        return counts

    def _count_threads(self) -> dict[Key, int]:
        """Count the threads by the function of a plugin that they run."""
        places = [self._owners.outermost(frame) for frame in sys._current_frames().values()]
        return dict(Counter((plugin, "the number of threads", place) for plugin, place in places if plugin is not None))

    def _count_rows(self) -> dict[Key, int]:
        world = self._world
        counts: dict[Key, int] = {}
        for what, kinds in (("component", world.tables), ("table", world.columns), ("event", world.queues)):
            for cls, storage in kinds.items():
                kind = storage.kind if what == "event" else storage.schema
                amount = storage.end - storage.base if what == "event" else len(storage)
                counts[kind.owner or CORE, f"the {what} {kind.key}", cls] = amount
        return counts

    def _count_memory(self) -> dict[Key, int]:
        sizes: dict[Key, int] = {}
        for line in tracemalloc.take_snapshot().statistics("lineno"):
            frame = line.traceback[0]
            plugin = self._owners.of_file(frame.filename)
            if plugin not in (None, CORE):
                place = Place(shorten_path(frame.filename), frame.lineno)
                sizes[str(plugin), "the memory allocated by a line", place] = line.size // _KIB
        return sizes

"""Finds what grows on and on: objects and containers of plugins, threads, open files, rows of the World.

Something is reported when it was more at each of several looks, and the difference is not small. It is reported again
only after it has become less.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rish_core import Place, shorten_path

from .containers import Key, line_of, sizes_of_containers
from .opened import Opened
from .owners import CORE, Owners
from .reports import Report
from .settings import WatchdogSettings

_LOOKS = 4
"""Consecutive looks at which it must have grown."""
_FEW = _LOOKS
"""Threads and open files that must be added before it is reported."""
_KIB = 1024


class Growth:
    """Amounts of several things over the last looks. unit: a word for the amounts. minimum: what must be added."""

    def __init__(self, unit: str, minimum: int) -> None:
        self._unit, self._minimum = unit, minimum
        self._runs: dict[Key, list[int]] = {}
        self._told: set[Key] = set()

    def look(self, amounts: dict[Key, int]) -> Iterator[Report]:
        """Note the amounts of now, and yield a report for each that has grown on and on."""
        for key in self._runs.keys() - amounts.keys():
            del self._runs[key]
            self._told.discard(key)
        for key, amount in amounts.items():
            run = self._runs.setdefault(key, [])
            if run and amount < run[-1]:
                self._told.discard(key)
            if run and amount <= run[-1]:
                run.clear()
            run.append(amount)
            if key not in self._told and len(run) > _LOOKS and amount - run[0] >= self._minimum:
                self._told.add(key)
                yield self._report(key, run)

    def _report(self, key: Key, run: list[int]) -> Report:
        plugin, what, where = key
        text = f"{what} of plugin '{plugin}' grew from {run[0]:,} to {run[-1]:,} {self._unit} at {len(run) - 1} looks"
        return Report("leak", plugin, what, line_of(where), text, count=run[-1] - run[0])


class Leaks:
    """The looks at everything that may grow, at intervals of `leak_interval`."""

    def __init__(self, settings: WatchdogSettings, app: Any, owners: Owners) -> None:
        self._mode, self._interval = settings.leak, settings.leak_interval
        self._app, self._owners, self._world = app, owners, app.world
        self._opened = Opened(owners, app.world)
        self._next = 0.0
        large = settings.leak_growth
        self._objects, self._items = Growth("objects", large), Growth("items", large)
        self._threads, self._files = Growth("threads", _FEW), Growth("open files", _FEW)
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
        """Whether to look now; in seconds of `time.monotonic`."""
        due = self._mode != "off" and now >= self._next
        if due:
            self._next = now + self._interval
        return due

    def check(self) -> Iterator[Report]:
        """Count everything, and yield what has grown."""
        yield from self._objects.look(self._count_objects())
        yield from self._items.look(sizes_of_containers(self._app, self._owners))
        yield from self._threads.look(self._count_threads())
        yield from self._files.look(self._opened.count_files())
        yield from self._rows.look(self._count_rows())
        if tracemalloc.is_tracing():
            yield from self._memory.look(self._count_memory())

    def _count_objects(self) -> dict[Key, int]:
        found: dict[Key, int] = {}
        for cls, count in Counter(map(type, gc.get_objects())).items():
            plugin = self._owners.of_module(cls.__module__)
            if plugin not in (None, CORE):
                key = str(plugin), f"the number of {cls.__qualname__} objects", cls
                found[key] = found.get(key, 0) + count
        return found

    def _count_threads(self) -> dict[Key, int]:
        """Count the threads by the function of a plugin that they run."""
        places = [self._owners.outermost(frame) for frame in sys._current_frames().values()]
        return dict(Counter((plugin, "the number of threads", place) for plugin, place in places if plugin is not None))

    def _count_rows(self) -> dict[Key, int]:
        world = self._world
        found: dict[Key, int] = {}
        for what, kinds in (("component", world.tables), ("table", world.columns), ("event", world.queues)):
            for cls, held in kinds.items():
                kind = held.kind if what == "event" else held.schema
                amount = held.end - held.base if what == "event" else len(held)
                found[kind.owner or CORE, f"the {what} {kind.key}", cls] = amount
        return found

    def _count_memory(self) -> dict[Key, int]:
        found: dict[Key, int] = {}
        for line in tracemalloc.take_snapshot().statistics("lineno"):
            frame = line.traceback[0]
            plugin = self._owners.of_file(frame.filename)
            if plugin not in (None, CORE):
                place = Place(shorten_path(frame.filename), frame.lineno)
                found[str(plugin), "the memory allocated by a line", place] = line.size // _KIB
        return found

"""Compares the time that plugins take in each frame with their budgets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np

import rish_jit
from rish_core import Place, Profiler
from rish_core.loop import FrameTimes

from ..timings import Timing, Timings
from .owners import ME
from .reports import Report
from .settings import WatchdogSettings

_TO_MS = 1e3
_RECOVERED_SHARE = 0.9
"""The share of its budget below which a plugin has recovered, so that a time near the limit is not reported often."""
BACKEND = "backend"
_MAX_NAMED, _MIN_SHARE = 3, 0.1
"""The maximum number of systems that a report names, and the minimum share of the plugin's time that each must have."""


class Budgets:
    """The times of plugins: their systems, from the profiler, and their hooks, as measured by the guards.

    place: returns the file and line of a system or hook. Frames in which kernels were compiled are ignored.
    """

    def __init__(
        self, settings: WatchdogSettings, profiler: Profiler, place: Callable[[str, str], Place | None]
    ) -> None:
        self._settings, self._profiler, self._place = settings, profiler, place
        self._hooks: deque[dict[tuple[str, str], float]] = deque(maxlen=settings.window)
        self._current: dict[tuple[str, str], float] = {}
        self._compiled: set[float] = set()
        self._compilations = rish_jit.compilations
        self._frames = 0
        self._reports: dict[str, Report] = {}

    def add_hook_time(self, plugin: str, hook: str, seconds: float) -> None:
        """Add the time of a call of a hook to the current frame."""
        self._current[plugin, hook] = self._current.get((plugin, hook), 0.0) + seconds

    def end_frame(self) -> Iterator[Report]:
        """Note the current frame, whose total is not known yet. After each window yield the plugins above their budget.

        A report is yielded once, when it is over, and then again when the plugin is above its budget again.
        """
        if self._frames and self._frames % self._settings.window == 0:
            yield from self._compare()
            first = self._profiler.frames[0].begin if self._profiler.frames else 0.0
            self._compiled = {begin for begin in self._compiled if begin >= first}
        self._frames += 1
        self._hooks.append(self._current)
        self._current = {}
        if self._compilations != rish_jit.compilations:
            self._compilations = rish_jit.compilations
            self._compiled.add(self._profiler.begin)

    def times(self) -> list[tuple[str, float, float]]:
        """Return for each plugin its median milliseconds per frame, and its budget, the slowest first."""
        rows = [(timing.name, timing.median, self.budget(timing.name)) for timing, _ in self._plugins()]
        return sorted(rows, key=lambda row: -row[1])

    def budget(self, plugin: str) -> float:
        """Return the budget of a plugin in milliseconds, 0 for none."""
        default = 0.0 if plugin == BACKEND else self._settings.budget
        return float(self._settings.budgets.get(plugin, default))

    def _compare(self) -> Iterator[Report]:
        for timing, parts in self._plugins():
            budget, report = self.budget(timing.name), self._reports.get(timing.name)
            if report is not None and not report.over:
                if timing.median < budget * _RECOVERED_SHARE:
                    report.over = True
                    yield report
            elif budget and timing.median > budget and timing.name != ME:
                yield self._report(timing, parts, budget)

    def _report(self, timing: Timing, parts: list[Timing], budget: float) -> Report:
        """Return the report about a plugin; a second time it is the same one."""
        worst = sorted(parts, key=lambda part: -part.median)
        worst = [part for part in worst[:_MAX_NAMED] if part.median > _MIN_SHARE * timing.median] or worst[:1]
        places = {part.name: self._place(timing.name, part.name) for part in worst}
        description = ", ".join(f"{_kind(part.name)} {part.median:.2f} ms" for part in worst[:1])
        description += "".join(f", {_kind(part.name)} {part.median:.2f} ms ({places[part.name]})" for part in worst[1:])
        report = self._reports.setdefault(timing.name, Report("budget", timing.name, "", None, "", count=0))
        report.what, report.place = _kind(worst[0].name), places[worst[0].name]
        report.milliseconds, report.count, report.over = timing.median, report.count + 1, False
        report.text = (
            f"plugin '{timing.name}' takes {timing.median:.2f} ms a frame, allowed are {budget:g} ms "
            f"(p99 {timing.p99:.2f}, worst {timing.worst:.2f}): {description}"
        )
        return report

    def _plugins(self) -> list[tuple[Timing, list[Timing]]]:
        """Return the timing of each plugin over the window, and those of its systems and hooks."""
        timings = Timings(self._profiler, self._recent())
        parts: dict[str, list[Timing]] = {}
        for timing in [*timings.systems(), *self._hook_timings()]:
            parts.setdefault(timing.plugin, []).append(timing)
        rows = {timing.name: timing for timing in timings.plugins()}
        timings_and_parts = [(_sum(name, rows.get(name), parts[name]), parts[name]) for name in parts]
        if BACKEND in self._settings.budgets:
            backend = timings.backend()
            timings_and_parts.append((backend, [timing for timing in timings.verbs() if timing.median]))
        return timings_and_parts

    def _recent(self) -> list[FrameTimes]:
        recent = list(self._profiler.frames)[-self._settings.window :]
        return [frame for frame in recent if frame.begin not in self._compiled]

    def _hook_timings(self) -> list[Timing]:
        keys = dict.fromkeys(key for frame in self._hooks for key in frame)
        timings: list[Timing] = []
        for plugin, hook in keys:
            ms = np.array([frame.get((plugin, hook), 0.0) for frame in self._hooks]) * _TO_MS
            spread = float(np.median(ms)), float(np.percentile(ms, 99)), float(ms.max()), float(ms[-1])
            timings.append(Timing(f"{plugin}.{hook}", None, *spread))
        return timings


def _sum(name: str, systems: Timing | None, parts: list[Timing]) -> Timing:
    """Return the timing of a plugin: its systems together, and its hooks added."""
    rows = [*([systems] if systems is not None else []), *(part for part in parts if part.stage is None)]
    columns = [sum(getattr(row, column) for row in rows) for column in ("median", "p99", "worst", "last")]
    return Timing(name, None, *columns)


def _kind(name: str) -> str:
    plugin, _, last = name.partition(".")
    if not last:
        return f"{plugin} of the backend"
    return f"{last} of '{plugin}'" if last.startswith("rish_") else f"system '{name}'"

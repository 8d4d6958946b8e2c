"""The profiler: what each system took in each of the last frames, and what a person makes of it.

The schedule adds seconds to `times`, one number a system and one a stage for applying structure changes; at
the end of a frame that list goes into a ring of past frames as it is. So a frame pays for one append, and
whoever looks pays for the statistics. The verbs of the backend have numbers behind those of the stages. Counters (draw
calls, instances, ...) go the same way.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rish_ecs.declarations.resource import resource
from rish_ecs.declarations.system import Stage

if TYPE_CHECKING:
    from rich.table import Table

VERBS = ("poll", "pages", "draw", "present")
"""What a frame asks of what shows it; `pages` is the upload of pictures that changed."""
_TO_MS = 1e3
_TO_US = 1e6


@dataclass(frozen=True)
class Timing:
    """What one row took over the kept frames, in milliseconds a frame; ticks of one frame are added up."""

    name: str
    stage: Stage | None
    median: float
    p99: float
    worst: float
    last: float


class FrameTimes(NamedTuple):
    """One past frame: begin and length in seconds, ticks run, seconds by slot, counters by name."""

    begin: float
    seconds: float
    ticks: int
    times: list[float]
    counters: dict[str, float]


@resource(derived=True)
class Profiler:
    """Times of the last `keep` frames by system and stage, and counters."""

    keep: int = 240
    times: list[float] = field(default_factory=list[float])
    """Seconds of the current frame by slot; written by the schedule."""
    slots: list[tuple[str, Stage]] = field(default_factory=list[tuple[str, Stage]])
    frames: deque[FrameTimes] = field(default_factory=deque[FrameTimes])
    counters: dict[str, float] = field(default_factory=dict[str, float])
    begin: float = 0.0

    def __post_init__(self) -> None:
        """Limit the ring."""
        self.frames = deque(self.frames, maxlen=self.keep)
        self.name_slots(self.slots)

    def rebuild(self, world: Any) -> None:
        """Nothing to do after a restore: times are not state."""

    def name_slots(self, slots: Sequence[tuple[str, Stage]]) -> None:
        """Set the systems in order of slot; a slot a stage follows for its structure changes. Forgets past
        frames.
        """
        self.slots = list(slots)
        self._zeros = [0.0] * (len(self.slots) + len(Stage) + len(VERBS))
        self.times = self._zeros.copy()
        self.frames.clear()

    def begin_frame(self) -> None:
        """Call first in a frame."""
        self.begin = perf_counter()

    def end_frame(self, ticks: int = 1) -> None:
        """Call last in a frame, with the number of ticks that it ran."""
        seconds = perf_counter() - self.begin
        self.frames.append(FrameTimes(self.begin, seconds, ticks, self.times, self.counters))
        self.times = self._zeros.copy()
        self.counters = {}

    def add_verb(self, verb: str, seconds: float) -> None:
        """Add what a verb of the backend took in this frame; only those in `VERBS` count."""
        if verb in VERBS:
            self.times[len(self.slots) + len(Stage) + VERBS.index(verb)] += seconds

    def count(self, name: str, amount: float = 1) -> None:
        """Add to a counter of the current frame."""
        self.counters[name] = self.counters.get(name, 0) + amount

    def frame(self) -> Timing:
        """The whole frame, from `begin_frame` to `end_frame`."""
        return _timing("frame", None, np.array([frame.seconds for frame in self.frames]))

    def systems(self) -> list[Timing]:
        """A timing for each system, in the order of running."""
        seconds = self._matrix()
        return [_timing(name, stage, seconds[:, slot]) for slot, (name, stage) in enumerate(self.slots)]

    def stages(self) -> list[Timing]:
        """A timing for each stage: its systems and the structure changes that they queued."""
        seconds = self._matrix()
        found: list[Timing] = []
        for stage in Stage:
            mine = [slot for slot, (_, where) in enumerate(self.slots) if where is stage]
            mine.append(len(self.slots) + stage)
            found.append(_timing(stage.name, stage, seconds[:, mine].sum(axis=1)))
        return found

    def backend(self) -> list[Timing]:
        """A timing for each verb of the backend."""
        seconds = self._matrix()[:, len(self.slots) + len(Stage) :]
        return [_timing(verb, None, seconds[:, k]) for k, verb in enumerate(VERBS)]

    def rest(self) -> Timing:
        """What is neither of a stage nor of the backend: events, layers, hooks, scenes, waiting."""
        whole = np.array([frame.seconds for frame in self.frames])
        return _timing("the rest", None, (whole - self._matrix().sum(axis=1)).clip(0))

    def summary(self) -> dict[str, Any]:
        """Everything as plain data: milliseconds for the frame, stages, systems and backend, and the mean counters."""
        names = list(dict.fromkeys(name for frame in self.frames for name in frame.counters))
        return {
            "frames": len(self.frames),
            "ticks": sum(frame.ticks for frame in self.frames),
            "frame": _plain(self.frame()),
            "stages": {timing.name: _plain(timing) for timing in self.stages()},
            "systems": {timing.name: _plain(timing) for timing in self.systems()},
            "backend": {timing.name: _plain(timing) for timing in self.backend()},
            "rest": _plain(self.rest()),
            "counters": {name: float(np.mean([f.counters.get(name, 0) for f in self.frames])) for name in names},
        }

    def table(self) -> Table:
        """The same as a table for the terminal, the systems under their stages. Rows in bold add up to it."""
        from rich.table import Table

        made = Table(title=f"{len(self.frames)} frames, milliseconds a frame")
        made.add_column("")
        for heading in ("median", "p99", "worst", "last"):
            made.add_column(heading, justify="right")
        systems = self.systems()
        made.add_row("frame", *_cells(self.frame()), style="bold")
        for stage in self.stages():
            mine = [timing for timing in systems if timing.stage is stage.stage]
            if mine or stage.worst:
                made.add_row(stage.name, *_cells(stage), style="bold")
            for timing in mine:
                made.add_row(f"  {timing.name}", *_cells(timing))
        verbs = self._matrix()[:, len(self.slots) + len(Stage) :].sum(axis=1)
        made.add_row("backend", *_cells(_timing("backend", None, verbs)), style="bold")
        for timing in self.backend():
            if timing.worst:
                made.add_row(f"  {timing.name}", *_cells(timing))
        made.add_row("the rest", *_cells(self.rest()), style="bold")
        for name, mean in self.summary()["counters"].items():
            made.add_row(name, f"{mean:.6g}", "", "", "")
        return made

    def to_chrome_trace(self, path: str | Path) -> Path:
        """Write the kept frames for chrome://tracing or ui.perfetto.dev; gives the path.

        Systems are laid one after the other within their frame, with the sum of its ticks: lengths are
        measured, the gaps between them are not.
        """
        events: list[dict[str, Any]] = []
        for number, frame in enumerate(self.frames):
            events += self._trace_frame(number, frame)
        target = Path(path)
        target.write_text(json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}), encoding="utf-8")
        return target

    def _trace_frame(self, number: int, frame: FrameTimes) -> list[dict[str, Any]]:
        start = frame.begin * _TO_US
        events = [_span(f"frame {number}", "frame", start, frame.seconds, {"ticks": frame.ticks})]
        for stage in Stage:
            first = start
            mine: list[dict[str, Any]] = []
            rows = [(name, frame.times[slot]) for slot, (name, where) in enumerate(self.slots) if where is stage]
            for name, seconds in (*rows, ("structure changes", frame.times[len(self.slots) + stage])):
                if seconds:
                    mine.append(_span(name, "system", start, seconds, {}))
                    start += seconds * _TO_US
            if mine:
                events += [_span(stage.name, "stage", first, (start - first) / _TO_US, {}), *mine]
        first = start
        for verb, seconds in zip(VERBS, frame.times[len(self.slots) + len(Stage) :], strict=True):
            if seconds:
                events.append(_span(verb, "backend", start, seconds, {}))
                start += seconds * _TO_US
        if start > first:
            events.append(_span("backend", "stage", first, (start - first) / _TO_US, {}))
        for name, amount in frame.counters.items():
            events.append({"name": name, "ph": "C", "ts": frame.begin * _TO_US, "pid": 1, "args": {name: amount}})
        return events

    def _matrix(self) -> NDArray[np.float64]:
        """float64 (frames, slots): seconds."""
        return np.array([frame.times for frame in self.frames]).reshape(len(self.frames), len(self._zeros))


def _span(name: str, category: str, start: float, seconds: float, arguments: dict[str, Any]) -> dict[str, Any]:
    length = seconds * _TO_US
    return {
        "name": name,
        "cat": category,
        "ph": "X",
        "ts": start,
        "dur": length,
        "pid": 1,
        "tid": 1,
        "args": arguments,
    }


def _timing(name: str, stage: Stage | None, seconds: NDArray[np.float64]) -> Timing:
    if not len(seconds):
        return Timing(name, stage, 0.0, 0.0, 0.0, 0.0)
    ms = seconds * _TO_MS
    return Timing(name, stage, float(np.median(ms)), float(np.percentile(ms, 99)), float(ms.max()), float(ms[-1]))


def _plain(timing: Timing) -> dict[str, float]:
    return {"median": timing.median, "p99": timing.p99, "worst": timing.worst, "last": timing.last}


def _cells(timing: Timing) -> list[str]:
    return [f"{ms:.3f}" for ms in (timing.median, timing.p99, timing.worst, timing.last)]

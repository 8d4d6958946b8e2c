"""The profiler: what each system took in each of the last frames, and what a person makes of it.

The schedule adds seconds to `times`, one number a system and one a stage for applying structure changes; at
the end of a frame that list goes into a ring of past frames as it is. So a frame pays for one append, and
whoever looks pays for the statistics. The verbs of the backend have numbers behind those of the stages. Counters (draw
calls, instances, ...) go the same way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rish_ecs import Stage, resource

VERBS = ("poll", "pages", "draw", "present")
"""What a frame asks of what shows it; `pages` is the upload of pictures that changed."""
_TO_MS = 1e3


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

    def whole_backend(self) -> Timing:
        """All verbs together."""
        return _timing("backend", None, self._matrix()[:, len(self.slots) + len(Stage) :].sum(axis=1))

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

    def _matrix(self) -> NDArray[np.float64]:
        """float64 (frames, slots): seconds."""
        return np.array([frame.times for frame in self.frames]).reshape(len(self.frames), len(self._zeros))


def _timing(name: str, stage: Stage | None, seconds: NDArray[np.float64]) -> Timing:
    if not len(seconds):
        return Timing(name, stage, 0.0, 0.0, 0.0, 0.0)
    ms = seconds * _TO_MS
    return Timing(name, stage, float(np.median(ms)), float(np.percentile(ms, 99)), float(ms.max()), float(ms[-1]))


def _plain(timing: Timing) -> dict[str, float]:
    return {"median": timing.median, "p99": timing.p99, "worst": timing.worst, "last": timing.last}

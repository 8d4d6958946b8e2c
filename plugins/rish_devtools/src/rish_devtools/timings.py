"""Statistics of the profiler: milliseconds by system, stage and verb of the host, over the frames that it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_core import Profiler, Stage
from rish_core.loop import VERBS, FrameTimes

_TO_MS = 1e3


@dataclass(frozen=True)
class Timing:
    """The statistics of one row over the kept frames, in milliseconds per frame; a frame's ticks are added up."""

    name: str
    stage: Stage | None
    median: float
    p99: float
    worst: float
    last: float

    @property
    def plugin(self) -> str:
        """The plugin of a system."""
        return self.name.partition(".")[0]


class Timings:
    """Statistics of the frames that a profiler keeps at the time of the call. frames: only of these; None: of all."""

    def __init__(self, profiler: Profiler, frames: Sequence[FrameTimes] | None = None) -> None:
        self._slots = profiler.slots
        self._frames = list(profiler.frames if frames is None else frames)
        width = len(self._slots) + len(Stage) + len(VERBS)
        self._seconds = np.array([frame.times for frame in self._frames], np.float64).reshape(-1, width)

    def frame(self) -> Timing:
        """The timing of the complete frame, from `begin_frame` to `end_frame`."""
        return _timing("frame", None, self._totals())

    def systems(self) -> list[Timing]:
        """A timing for each system, in the order in which they run."""
        return [_timing(name, stage, self._seconds[:, slot]) for slot, (name, stage) in enumerate(self._slots)]

    def stages(self) -> list[Timing]:
        """A timing for each stage: its systems and the structure changes that they queued."""
        timings: list[Timing] = []
        for stage in Stage:
            slots = [slot for slot, (_, where) in enumerate(self._slots) if where is stage]
            slots.append(len(self._slots) + stage)
            timings.append(_timing(stage.name, stage, self._seconds[:, slots].sum(axis=1)))
        return timings

    def plugins(self) -> list[Timing]:
        """A timing for each plugin: its systems together."""
        columns: dict[str, list[int]] = {}
        for slot, (name, _) in enumerate(self._slots):
            columns.setdefault(name.partition(".")[0], []).append(slot)
        return [_timing(plugin, None, self._seconds[:, slots].sum(axis=1)) for plugin, slots in columns.items()]

    def verbs(self) -> list[Timing]:
        """A timing for each verb of the host."""
        return [_timing(verb, None, seconds) for verb, seconds in zip(VERBS, self._verbs().T, strict=True)]

    def backend(self) -> Timing:
        """The timing of all verbs of the host together."""
        return _timing("backend", None, self._verbs().sum(axis=1))

    def rest(self) -> Timing:
        """The timing of the rest of the frame: events, layers, hooks, scenes, waiting."""
        return _timing("the rest", None, (self._totals() - self._seconds.sum(axis=1)).clip(0))

    def counters(self) -> dict[str, float]:
        """The mean per frame of each counter."""
        names = dict.fromkeys(name for frame in self._frames for name in frame.counters)
        return {name: float(np.mean([frame.counters.get(name, 0) for frame in self._frames])) for name in names}

    def summary(self) -> dict[str, Any]:
        """All statistics as plain data that JSON can hold."""
        return {
            "frames": len(self._frames),
            "ticks": sum(frame.ticks for frame in self._frames),
            "frame": _plain(self.frame()),
            "stages": {timing.name: _plain(timing) for timing in self.stages()},
            "systems": {timing.name: _plain(timing) for timing in self.systems()},
            "backend": {timing.name: _plain(timing) for timing in self.verbs()},
            "rest": _plain(self.rest()),
            "counters": self.counters(),
        }

    def _totals(self) -> NDArray[np.float64]:
        """Return float64 (frames,): the seconds of each frame."""
        return np.array([frame.seconds for frame in self._frames], np.float64)

    def _verbs(self) -> NDArray[np.float64]:
        return self._seconds[:, len(self._slots) + len(Stage) :]


def _timing(name: str, stage: Stage | None, seconds: NDArray[np.float64]) -> Timing:
    if not len(seconds):
        return Timing(name, stage, 0.0, 0.0, 0.0, 0.0)
    ms = seconds * _TO_MS
    return Timing(name, stage, float(np.median(ms)), float(np.percentile(ms, 99)), float(ms.max()), float(ms[-1]))


def _plain(timing: Timing) -> dict[str, float]:
    return {"median": timing.median, "p99": timing.p99, "worst": timing.worst, "last": timing.last}

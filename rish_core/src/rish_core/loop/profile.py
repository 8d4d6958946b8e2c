"""The profiler: the time of each system in each of the last frames.

The schedule adds seconds to `times`: one slot for each system, then one for each stage (applying its structure
changes), then one for each verb of the host. At the end of a frame the list is appended to a ring buffer of past frames
without a copy, so measuring is cheap. `rish_devtools.Timings` computes statistics from the ring buffer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import field
from time import perf_counter
from typing import NamedTuple

from rish_ecs import Stage, resource

VERBS = ("poll", "pages", "draw", "present")
"""The operations of the host that are measured in each frame; `pages` uploads changed images."""


class FrameTimes(NamedTuple):
    """One past frame: begin and duration in seconds, number of ticks, seconds by slot, counters by name."""

    begin: float
    seconds: float
    ticks: int
    times: list[float]
    counters: dict[str, float]


@resource(derived=True)
class Profiler:
    """The times of the last `keep` frames by system and stage, and counters."""

    keep: int = 240
    times: list[float] = field(default_factory=list[float])
    """Seconds of the current frame by slot; written by the schedule."""
    slots: list[tuple[str, Stage]] = field(default_factory=list[tuple[str, Stage]])
    frames: deque[FrameTimes] = field(default_factory=deque[FrameTimes])
    counters: dict[str, float] = field(default_factory=dict[str, float])
    begin: float = 0.0

    def __post_init__(self) -> None:
        """Limit the length of the ring buffer."""
        self.frames = deque(self.frames, maxlen=self.keep)
        self.name_slots(self.slots)

    def name_slots(self, slots: Sequence[tuple[str, Stage]]) -> None:
        """Set the systems in order of slot; the slots of stages and verbs follow. Clears past frames."""
        self.slots = list(slots)
        first = len(self.slots) + len(Stage)
        self._verb_slots = {verb: first + k for k, verb in enumerate(VERBS)}
        self._zeros = [0.0] * (first + len(VERBS))
        self.times = self._zeros.copy()
        self.frames.clear()

    def begin_frame(self) -> None:
        """Start measuring a frame."""
        self.begin = perf_counter()

    def end_frame(self, ticks: int = 1) -> None:
        """Store the times of the frame. ticks: the number of ticks that it ran."""
        seconds = perf_counter() - self.begin
        self.frames.append(FrameTimes(self.begin, seconds, ticks, self.times, self.counters))
        self.times = self._zeros.copy()
        self.counters = {}

    def add_verb(self, verb: str, seconds: float) -> None:
        """Add seconds to the slot of a host operation in this frame; operations that are not in `VERBS` are ignored."""
        slot = self._verb_slots.get(verb)
        if slot is not None:
            self.times[slot] += seconds

    def count(self, name: str, amount: float = 1) -> None:
        """Add to a counter of the current frame."""
        self.counters[name] = self.counters.get(name, 0) + amount

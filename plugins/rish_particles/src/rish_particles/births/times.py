"""When an emitter emits: delays, durations and pulses, counted in whole nanoseconds.

A pulse that is due where one tick ends and the next begins must come once: not twice and not never, after an hour as in
the first second. Whole numbers see to that. An emitter's time is turned into nanoseconds at both ends of a tick, the
end of one tick is the beginning of the next to the last digit, and from then on nothing is rounded.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..preset import Emission, Pulse

Array = npt.NDArray[Any]
SECOND = 1_000_000_000
_EVER = 2**62
_MAX_ROUNDS = 64
"""Times that a loop comes round in one tick; a shorter one misses some."""


class Spell(NamedTuple):
    """A part of a tick in which emitters may be at work: int64 n, ns since the pattern began this time round."""

    begin: Array
    end: Array

    @property
    def lasting(self) -> Array:
        """float64 n, s: how long."""
        return np.maximum(self.end - self.begin, 0) / SECOND


def moments(seconds: Array) -> Array:
    """int64 n, ns."""
    return np.rint(seconds * SECOND).astype(np.int64)


def spells_of(pattern: Emission, begin: Array, end: Array) -> list[Spell]:
    """When a pattern is at work in a tick from begin to end, ns since its emitter began; not at all where end ≤ begin.

    A tick in which a loop comes round has two parts or more: the rest of one time round, and the beginning of the next.
    """
    delay = _whole(pattern.delay)
    begin, end = np.maximum(begin - delay, 0), end - delay
    if pattern.duration < 0:
        return [Spell(begin, end)]
    length = _whole(pattern.duration)
    if not pattern.loop:
        return [Spell(begin, np.minimum(end, length))]
    period = max(length + _whole(pattern.pause), 1)
    past = begin // period * period
    begin, end = begin - past, end - past
    rounds = min(int(np.max(end // period, initial=0)) + 1, _MAX_ROUNDS)
    return [Spell(np.maximum(begin - k * period, 0), np.minimum(end - k * period, length)) for k in range(rounds)]


def pulses_within(pulse: Pulse, spell: Spell) -> Array:
    """int64 n: how many of a pulse's moments lie in [begin, end)."""
    begin, end = spell
    at, maximum = _whole(pulse.at), _EVER if pulse.times < 0 else pulse.times
    if pulse.every < 0 or pulse.times == 1:
        return ((begin <= at) & (at < end)).astype(np.int64)
    if pulse.every == 0:  # as often as can be: once a tick
        last = (end - begin) * min(maximum, 10**8) + at
        return ((end > at) & (begin < last) & (begin < end)).astype(np.int64)
    every = max(_whole(pulse.every), 1)
    before, after = (np.clip(-((at - t) // every), 0, maximum) for t in (begin, end))
    return np.maximum(after - before, 0)


def _whole(seconds: float) -> int:
    return round(seconds * SECOND)

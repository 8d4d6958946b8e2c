"""The times at which an emitter emits: delays, durations and pulses, counted in whole nanoseconds.

A pulse at the border between two ticks must occur exactly once, after an hour as in the first second. Integers ensure
that: an emitter's time is converted to nanoseconds at both ends of a tick, the end of one tick is exactly the beginning
of the next, and after that nothing is rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_jit import Array

from ..preset import Emission, Pulse

SECOND = 1_000_000_000
_FOREVER = 2**62
_MAX_ROUNDS = 64
"""The greatest number of repetitions of a loop in one tick; further repetitions are left out."""


class Spell(NamedTuple):
    """A part of a tick in which emitters may emit: int64 n, ns since the current repetition of the pattern began."""

    begin: Array
    end: Array

    @property
    def lasting(self) -> Array:
        """The duration of the part, float64 n, seconds."""
        return np.maximum(self.end - self.begin, 0) / SECOND


def moments(seconds: Array) -> Array:
    """Convert seconds to whole nanoseconds, int64 n."""
    return np.rint(seconds * SECOND).astype(np.int64)


def spells_of(pattern: Emission, begin: Array, end: Array) -> list[Spell]:
    """Return the parts of a tick from `begin` to `end` (ns since the emitter began) in which a pattern emits.

    A part with end ≤ begin is empty. A tick in which a loop starts again has two parts or more: the rest of one
    repetition, and the beginning of the next.
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
    """Return the number of a pulse's times that are in [begin, end) of each spell, int64 (n,)."""
    begin, end = spell
    at, maximum = _whole(pulse.at), _FOREVER if pulse.times < 0 else pulse.times
    if pulse.every < 0 or pulse.times == 1:
        return ((begin <= at) & (at < end)).astype(np.int64)
    if pulse.every == 0:  # once in each tick, the highest possible frequency
        last = (end - begin) * min(maximum, 10**8) + at
        return ((end > at) & (begin < last) & (begin < end)).astype(np.int64)
    every = max(_whole(pulse.every), 1)
    before, after = (np.clip(-((at - t) // every), 0, maximum) for t in (begin, end))
    return np.maximum(after - before, 0)


def _whole(seconds: float) -> int:
    return round(seconds * SECOND)

"""Delays, durations and pulses, to the nanosecond."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_particles.births.times import SECOND, Spell, moments, pulses_within, spells_of
from rish_particles.preset import Emission, Pulse

TICK = 1 / 60


def ticks(count: int, dt: float = TICK) -> tuple[np.ndarray, np.ndarray]:
    """Return the start and end times of some ticks."""
    ends = moments(np.arange(count + 1) * dt)
    return ends[:-1], ends[1:]


def counted(pattern: Emission, pulse: Pulse, count: int, dt: float = TICK) -> np.ndarray:
    """Return how often a pulse occurs in each of some ticks."""
    return sum((pulses_within(pulse, spell) for spell in spells_of(pattern, *ticks(count, dt))), np.zeros(count, int))


def lasting(pattern: Emission, count: int, dt: float = TICK) -> np.ndarray:
    """Return how long a pattern is active in each of some ticks, seconds."""
    return sum((spell.lasting for spell in spells_of(pattern, *ticks(count, dt))), np.zeros(count))


def test_every_moment_of_a_pulse_lies_in_one_tick():
    """Each repetition of a pulse is in exactly one tick."""
    found = counted(Emission(), Pulse((1.0, 1.0), at=0.1, every=0.07, times=-1), 600)
    assert found.sum() == int((10 - 0.1) / 0.07) + 1
    assert found.max() == 1


def test_a_pulse_on_the_border_of_two_ticks_belongs_to_the_later():
    """A pulse at 0.5 s, the border of two ticks, belongs to the later one, tick 30."""
    assert np.flatnonzero(counted(Emission(), Pulse((1.0, 1.0), at=0.5), 60)).tolist() == [30]


def test_a_duration_ends_and_a_loop_begins_again():
    """A looped pattern is active after its delay for its duration, pauses, and is active again."""
    pattern = Emission(rate=1, duration=1.0, delay=0.5, loop=True, pause=0.5)
    at_work = lasting(pattern, 210)
    assert np.flatnonzero(at_work).tolist() == [*range(30, 90), *range(120, 180)]
    assert at_work.sum() == pytest.approx(2)


def test_a_delay_that_ends_within_a_tick_loses_nothing():
    """If a delay ends within a tick, the pulse at the start is emitted and the rest of the tick counts."""
    pattern = Emission(delay=0.51, duration=1.0)
    assert counted(pattern, Pulse((1.0, 1.0)), 120).sum() == 1
    assert lasting(pattern, 120).sum() == pytest.approx(1)


def test_a_tick_in_which_a_loop_comes_round_has_both_its_parts():
    """Without a pause a loop is active all the time, and each repetition begins with its pulse."""
    pattern = Emission(duration=0.11, loop=True)
    assert lasting(pattern, 600) == pytest.approx(TICK)
    assert counted(pattern, Pulse((1.0, 1.0)), 600).sum() == int(10 / 0.11) + 1


def test_as_often_as_can_be_is_once_a_tick():
    """A pulse repeats at most once a tick, for ever or for a number of times."""
    assert counted(Emission(), Pulse((1.0, 1.0), every=0.0, times=-1), 90).tolist() == [1] * 90
    assert counted(Emission(), Pulse((1.0, 1.0), at=0.5, every=0.0, times=4), 90).sum() == 4


def test_a_spell_that_is_none_is_nothing():
    """A span of time whose end is before its beginning has no duration and no pulses."""
    spell = Spell(np.array([5 * SECOND]), np.array([3 * SECOND]))
    assert spell.lasting.tolist() == [0]
    for pulse in (
        Pulse((1.0, 1.0), at=4),
        Pulse((1.0, 1.0), every=0.5, times=-1),
        Pulse((1.0, 1.0), every=0, times=-1),
    ):
        assert pulses_within(pulse, spell).tolist() == [0]


@settings(max_examples=long(60, 15), deadline=None)
@given(
    st.floats(0, 2), st.floats(0.01, 2), st.floats(0, 2), st.floats(0.01, 3), st.floats(0, 1), st.integers(2, 20),
    st.sampled_from([TICK, 1 / 50, 0.01, 1 / 144]),
)  # fmt: skip
def test_a_loop_has_all_of_its_pulses(
    at: float, every: float, delay: float, duration: float, pause: float, times: int, dt: float
):
    """A loop has as many pulses as an integration in exact steps of a nanosecond."""
    pattern, pulse = (
        Emission(delay=delay, duration=duration, loop=True, pause=pause),
        Pulse((1.0, 1.0), at, every, times),
    )
    count = 400
    whole = [round(value * SECOND) for value in (at, every, delay, duration, pause)]
    last = int(moments(np.array([count * dt]))[0])
    due = 0
    for begin in range(whole[2], last, max(whole[3] + whole[4], 1)):
        offsets = [whole[0] + k * whole[1] for k in range(times)]
        due += sum(offset < whole[3] and begin + offset < last for offset in offsets)
    assert counted(pattern, pulse, count, dt).sum() == due

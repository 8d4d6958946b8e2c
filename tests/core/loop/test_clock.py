"""The clock divides irregular real time into ticks of one length, and every dropped tick is counted."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core.loop.clock import Clock
from rish_ecs import World

FREE = 1_000_000
"""A limit that no test in this file reaches."""


def test_a_tick_a_frame_at_the_tick_rate() -> None:
    """Frames as long as a tick give one tick each."""
    clock = Clock()
    assert [clock.advance(1 / 60) for _ in range(120)].count(1) >= 119
    assert clock.frame == 120


def test_short_frames_add_up() -> None:
    """At twice the tick rate every second frame has a tick, and alpha is the fraction between two ticks."""
    clock = Clock(dt=0.02)
    seen = [(clock.advance(0.01), clock.alpha) for _ in range(4)]
    assert seen == [(0, 0.5), (1, 0.0), (0, 0.5), (1, 0.0)]


@given(
    cuts=st.lists(st.integers(0, 10_000_000_000), max_size=30),
    rate=st.sampled_from([30, 50, 60, 120, 144, 240]),
)
def test_irregular_frames_give_as_many_ticks_as_regular_ones(cuts: list[int], rate: int) -> None:
    """Ten seconds give the same number of ticks and the same alpha, however they are divided into frames."""
    one = Clock(dt=1 / rate, max_ticks=FREE)
    many = Clock(dt=1 / rate, max_ticks=FREE)
    edges = [0, *sorted(cuts), 10_000_000_000]
    total = sum(many.advance((b - a) / 1e9) for a, b in pairwise(edges))
    assert total == one.advance(10.0) == 10 * rate
    assert many.alpha == one.alpha == 0.0


@given(frames=st.lists(st.floats(0, 0.2), min_size=1, max_size=50), cap=st.integers(1, 8))
def test_no_time_is_lost_but_what_is_counted(frames: list[float], cap: int) -> None:
    """Ticks run, ticks dropped and alpha add up to the passed time, and the cap always holds."""
    clock = Clock(max_ticks=cap)
    ticks = [clock.advance(seconds) for seconds in frames]
    assert all(0 <= n <= cap for n in ticks)
    assert 0 <= clock.alpha < 1
    total = sum(ticks) + clock.dropped + clock.alpha
    assert total == pytest.approx(sum(frames) * 60, abs=1e-5 * len(frames))


def test_a_long_stall_does_not_spiral() -> None:
    """After a stall of ten seconds one frame runs the maximum of ticks, and the next frame is normal."""
    clock = Clock(dt=0.02)
    assert clock.advance(10.0) == 5
    assert clock.dropped == 495
    assert clock.advance(0.02) == 1
    assert clock.frame_dt == 0.02


def test_frame_systems_get_a_bounded_time() -> None:
    """`frame_dt` is limited, so a stall makes no visual jump."""
    clock = Clock()
    clock.advance(10.0)
    assert clock.frame_dt == 0.25


@pytest.mark.parametrize("seconds", [-1.0, 0.0, math.nan, math.inf, -math.inf])
def test_a_clock_that_stands_or_jumps_gives_no_tick(seconds: float) -> None:
    """Negative, infinite or NaN time counts as zero."""
    clock = Clock()
    assert clock.advance(seconds) == 0
    assert clock.advance(1.5 / 60) == 1


def test_speed_changes_how_many_ticks_not_how_long() -> None:
    """The speed changes the number of ticks, not their length."""
    for speed in (0.5, 1.0, 2.0, 8.0):
        clock = Clock(dt=0.02, time_scale=speed)
        assert sum(clock.advance(0.02) for _ in range(50)) == 50 * speed
        assert (clock.dt, clock.dropped) == (0.02, 0)


def test_a_pause_stops_ticks_and_is_not_caught_up() -> None:
    """During a pause frames continue without ticks, and the time of the pause is not caught up."""
    clock = Clock(dt=0.02)
    clock.advance(0.03)
    clock.pause()
    assert [clock.advance(1.0) for _ in range(3)] == [0, 0, 0]
    assert (clock.frame, clock.alpha) == (4, 0.5)
    clock.pause(False)
    assert clock.advance(0.01) == 1


def test_single_steps_while_paused() -> None:
    """While paused, each requested step is one tick in one frame; unused steps are cancelled when the pause ends."""
    clock = Clock()
    clock.pause()
    clock.request_steps(2)
    assert [clock.advance(1.0) for _ in range(3)] == [1, 1, 0]
    assert clock.alpha == 1.0
    clock.request_steps()
    clock.pause(False)
    clock.pause()
    assert clock.advance(1.0) == 0


def test_headless_is_one_tick_a_frame() -> None:
    """Without real time each frame has exactly one tick; a pause holds as well."""
    clock = Clock(dt=0.05)
    assert [clock.step() for _ in range(3)] == [1, 1, 1]
    assert (clock.frame, clock.frame_dt, clock.alpha) == (3, 0.05, 1.0)
    clock.pause()
    clock.request_steps()
    assert [clock.step() for _ in range(2)] == [1, 0]


def test_the_clock_is_no_state() -> None:
    """The clock is not in the hash, and after a restore its dt is that of the world."""
    world = World(dt=0.02)
    world.put(Clock())
    snapshot, before = world.snapshot(), world.hash()
    world[Clock].advance(0.7)
    assert world.hash() == before
    world.restore(snapshot)
    assert world[Clock].dt == 0.02

"""Timers fire at the ticks nearest to their times, and no firing is lost."""

from __future__ import annotations

import pytest

from rish_basics import Timer, TimerFired
from rish_core import find


def fired(app, ticks: int) -> dict[int, int]:
    """Return how often timers fired, by the number of the tick."""
    found: dict[int, int] = {}
    for _ in range(ticks):
        app.tick()
        for event in app.world.events(TimerFired):
            found[app.world.tick] = found.get(app.world.tick, 0) + int(event.times)
        app.world.end_frame()
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seconds", "ticks"),
    [
        (0.5, [30, 60, 90, 120]),
        (1.0, [60, 120]),
        (0.04, [2, 5, 7, 10, 12]),
        (7.0, []),
        (0, []),
    ],
)
def test_it_fires_again_and_again(play, seconds: float, ticks: list[int]) -> None:
    """The remainder of a tick counts for the next period, so that no firing is lost over time."""
    app = play(f"{{Transform: {{}}, Timer: {{seconds: {seconds}}}}}")
    found = fired(app, 120)
    assert list(found)[: len(ticks)] == ticks
    assert sum(found.values()) == (round(2 / seconds) if 0 < seconds <= 2 else 0)


def test_one_that_is_shorter_than_a_tick_fires_several_times_in_it(play) -> None:
    """The event has the number of firings in the tick: 300 times a second are 5 a tick."""
    app = play(f"{{Transform: {{}}, Timer: {{seconds: {1 / 300}}}}}")
    found = fired(app, 60)
    assert set(found.values()) == {5}
    assert len(found) == 60


@pytest.mark.slow
def test_one_that_does_not_repeat_stops(play) -> None:
    """A timer without repeat stops, and starts from zero when it is set running again."""
    app = play("{name: fuse, Transform: {}, Timer: {seconds: 0.25, repeat: false}}")
    assert list(fired(app, 60)) == [15]
    fuse = app.world.get(find(app.world, "fuse"), Timer)
    assert (fuse.running, fuse.elapsed) == (False, 0)
    fuse.running = True
    assert list(fired(app, 60)) == [75]


def test_one_that_does_not_run_keeps_its_time(play) -> None:
    """The time of a timer counts only while it runs."""
    app = play("{name: fuse, Transform: {}, Timer: {seconds: 0.5, running: false, elapsed: 0.25}}")
    assert fired(app, 60) == {}
    app.world.get(find(app.world, "fuse"), Timer).running = True
    assert list(fired(app, 20)) == [75]

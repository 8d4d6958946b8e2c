"""The profiler stores the times of the last frames."""

from __future__ import annotations

import pytest

from rish_core.loop.profile import Profiler
from rish_core.loop.schedule import BoundSystem, Schedule
from rish_ecs import Stage, World, system
from rish_ecs.declarations import resource_spec


def test_only_the_last_frames_are_kept() -> None:
    """Only the given number of frames is kept."""
    profiler = Profiler(keep=3)
    profiler.name_slots([("a.a", Stage.STEP)])
    for number in range(5):
        profiler.begin_frame()
        profiler.times[0] = float(number)
        profiler.end_frame()
    assert [frame.times[0] for frame in profiler.frames] == [2, 3, 4]
    assert profiler.times[0] == 0


def test_the_schedule_fills_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each system's seconds go to its own slot, and those of the ticks of one frame are added up."""
    now = [0.0]
    monkeypatch.setattr("rish_core.loop.schedule.perf_counter", lambda: now[0])

    @system(Stage.UPDATE)
    def slow(world: World, dt: float) -> None:
        now[0] += 5.0

    @system(Stage.UPDATE)
    def quick(world: World, dt: float) -> None:
        now[0] += 1.0

    schedule = Schedule([BoundSystem.of("game", fn.__system__) for fn in (quick, slow)])  # type: ignore[attr-defined]
    world, profiler = World(), schedule.profiler
    world.put(profiler)
    for ticks in (1, 3):
        profiler.begin_frame()
        for _ in range(ticks):
            schedule.tick(world, 1 / 60)
        profiler.end_frame(ticks)
    assert profiler.slots == [("game.quick", Stage.UPDATE), ("game.slow", Stage.UPDATE)]
    assert [frame.times[:2] for frame in profiler.frames] == [[1, 5], [3, 15]]


def test_times_are_no_state() -> None:
    """The profiler is derived: it is in no hash and no snapshot."""
    spec = resource_spec(Profiler)
    assert spec is not None
    assert spec.derived

"""The profiler keeps the last frames and makes numbers, a summary of them."""

from __future__ import annotations

import json

import pytest
from in_memory import profiled

from rish_core.loop.profile import Profiler
from rish_core.loop.schedule import BoundSystem, Schedule
from rish_ecs import Stage, World, system
from rish_ecs.declarations import resource_spec


def test_systems_have_median_p99_and_worst() -> None:
    """The statistics of a system are over the kept frames, in milliseconds."""
    step, move = profiled(*[(0.001, 0.002)] * 99, (0.005, 0.002)).systems()
    assert (step.name, step.stage) == ("physics.step", Stage.STEP)
    assert (step.median, step.worst, step.last) == pytest.approx((1, 5, 5))
    assert step.p99 == pytest.approx(1.04)
    assert (move.median, move.worst) == pytest.approx((2, 2))


def test_a_stage_is_the_sum_of_its_systems_and_structure_changes() -> None:
    """Applying queued structure changes counts for the stage, and for no system."""
    profiler = profiled((0.001, 0.002))
    profiler.begin_frame()
    profiler.times[0] = 0.003
    profiler.times[2 + Stage.STEP] = 0.004
    profiler.end_frame()
    stages = {timing.name: timing for timing in profiler.stages()}
    assert list(stages) == [stage.name for stage in Stage]
    assert stages["STEP"].last == pytest.approx(7)
    assert stages["UPDATE"].last == 0


def test_the_verbs_of_the_backend_and_the_rest_make_up_the_frame() -> None:
    """Drawing has rows, which with the others add up to the frame."""
    profiler = profiled((0.0, 0.0))
    profiler.begin_frame()
    profiler.times[0] = 0.001
    profiler.add_verb("draw", 0.002)
    profiler.add_verb("draw", 0.001)
    profiler.add_verb("poll", 0.004)
    profiler.begin -= 0.02
    profiler.end_frame()
    assert {timing.name: timing.last for timing in profiler.backend()} == pytest.approx(
        {"poll": 4, "pages": 0, "draw": 3, "present": 0}
    )
    assert profiler.rest().last + 8 == pytest.approx(profiler.frame().last)


def test_only_the_last_frames_are_kept() -> None:
    """The ring forgets the oldest frames, and an empty one gives zeros."""
    profiler = Profiler(keep=3)
    profiler.name_slots([("a.a", Stage.STEP)])
    assert profiler.systems()[0].median == profiler.frame().worst == 0
    for number in range(5):
        profiler.begin_frame()
        profiler.times[0] = float(number)
        profiler.end_frame()
    assert [frame.times[0] for frame in profiler.frames] == [2, 3, 4]
    assert profiler.times[0] == 0


def test_the_summary_is_plain_data() -> None:
    """The summary can be written as JSON, with counters as means a frame."""
    summary = json.loads(json.dumps(profiled((0.001, 0.002), (0.003, 0.002)).summary()))
    assert (summary["frames"], summary["ticks"]) == (2, 4)
    assert summary["counters"] == {"draw_calls": 3}
    assert summary["systems"]["physics.step"]["median"] == pytest.approx(2)
    assert summary["stages"]["UPDATE"]["worst"] == pytest.approx(2)
    assert summary["frame"]["median"] > 0


def test_the_schedule_fills_it() -> None:
    """Each system's time goes into its own row, ticks of one frame added up."""
    clock = {"now": 0}

    @system(Stage.UPDATE)
    def slow(world: World, dt: float) -> None:
        clock["now"] = sum(range(20_000))

    @system(Stage.UPDATE)
    def quick(world: World, dt: float) -> None:
        pass

    schedule = Schedule([BoundSystem.of("game", fn.__system__) for fn in (quick, slow)])  # type: ignore[attr-defined]
    world, profiler = World(), schedule.profiler
    world.put(profiler)
    once, thrice = [], []
    for ticks, into in ((1, once), (3, thrice)) * 5:
        profiler.begin_frame()
        for _ in range(ticks):
            schedule.tick(world, 1 / 60)
        profiler.end_frame(ticks)
        into.append(profiler.systems()[1].last)
    fast, late = profiler.systems()
    assert (fast.name, late.name) == ("game.quick", "game.slow")
    assert late.median > 10 * fast.median
    assert min(thrice) > 2 * min(once)


def test_times_are_no_state() -> None:
    """The profiler is derived: no hash and no snapshot sees it."""
    spec = resource_spec(Profiler)
    assert spec is not None
    assert spec.derived

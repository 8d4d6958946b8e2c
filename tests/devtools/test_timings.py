"""Statistics of the profiler's frames."""

from __future__ import annotations

import json

import pytest
from in_memory import profiled

from rish_core import Profiler, Stage
from rish_devtools import Timings


def test_systems_have_median_p99_and_worst() -> None:
    """The statistics of a system are over the kept frames, in milliseconds."""
    step, move = Timings(profiled(*[(0.001, 0.002)] * 99, (0.005, 0.002))).systems()
    assert (step.name, step.stage) == ("physics.step", Stage.STEP)
    assert (step.median, step.worst, step.last) == pytest.approx((1, 5, 5))
    assert step.p99 == pytest.approx(1.04)
    assert (move.median, move.worst) == pytest.approx((2, 2))


def test_a_stage_is_the_sum_of_its_systems_and_structure_changes() -> None:
    """The time to apply queued structure changes counts for the stage, and for no system."""
    profiler = profiled((0.001, 0.002))
    profiler.begin_frame()
    profiler.times[0] = 0.003
    profiler.times[2 + Stage.STEP] = 0.004
    profiler.end_frame()
    stages = {timing.name: timing for timing in Timings(profiler).stages()}
    assert list(stages) == [stage.name for stage in Stage]
    assert stages["STEP"].last == pytest.approx(7)
    assert stages["UPDATE"].last == 0


def test_the_verbs_of_the_backend_and_the_rest_make_up_the_frame() -> None:
    """Drawing has rows of its own, which add up to the frame with the others."""
    profiler = profiled((0.0, 0.0))
    profiler.begin_frame()
    profiler.times[0] = 0.001
    profiler.add_verb("draw", 0.002)
    profiler.add_verb("draw", 0.001)
    profiler.add_verb("poll", 0.004)
    profiler.end_frame()
    profiler.frames[-1] = profiler.frames[-1]._replace(seconds=0.02)
    assert {timing.name: timing.last for timing in Timings(profiler).verbs()} == pytest.approx(
        {"poll": 4, "pages": 0, "draw": 3, "present": 0}
    )
    assert (Timings(profiler).rest().last, Timings(profiler).frame().last) == pytest.approx((12, 20))


def test_the_summary_is_plain_data() -> None:
    """The summary can be written as JSON, with counters as means per frame."""
    summary = json.loads(json.dumps(Timings(profiled((0.001, 0.002), (0.003, 0.002))).summary()))
    assert (summary["frames"], summary["ticks"]) == (2, 4)
    assert summary["counters"] == {"draw_calls": 3}
    assert summary["systems"]["physics.step"]["median"] == pytest.approx(2)
    assert summary["stages"]["UPDATE"]["worst"] == pytest.approx(2)
    assert summary["frame"]["median"] > 0


def test_without_frames_all_is_zero() -> None:
    """Before the end of the first frame all figures are zero."""
    profiler = Profiler()
    profiler.name_slots([("a.a", Stage.STEP)])
    timings = Timings(profiler)
    assert timings.systems()[0].median == timings.frame().worst == timings.backend().last == 0
    assert timings.counters() == {}

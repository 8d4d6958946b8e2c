"""Measured times of the stages of a step."""

from __future__ import annotations

from physics_rig import Rig

from rish_physics.components.timings import Timings


def test_nothing_is_measured_unasked() -> None:
    """Nothing is measured by default."""
    rig = Rig("pyramid20")
    rig.step(2)
    timings = rig.world[Timings]
    assert not timings.wanted
    assert timings.seconds == {}
    assert timings.steps == 0


def test_each_line_is_measured_in_the_order_of_the_step() -> None:
    """The stages are measured in the order of the step, and added up until they are cleared."""
    rig = Rig("pyramid20")
    timings = rig.world[Timings]
    timings.wanted = True
    rig.step(3)
    assert timings.wanted
    assert timings.steps == 3
    assert list(timings.seconds) == [
        "pairs",
        "collide",
        "color",
        "prepare",
        "substeps",
        "remember",
        "finalize",
        "continuous",
        "sleep",
    ]
    assert all(value >= 0 for value in timings.seconds.values())
    timings.clear()
    assert timings.seconds == {}
    timings.wanted = False
    rig.step()
    assert timings.steps == 0

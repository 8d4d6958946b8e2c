"""Times of the lines of a step, for whoever asks."""

from __future__ import annotations

from physics_rig import Rig

from rish_physics.components.timings import Timings


def test_nothing_is_measured_unasked() -> None:
    """The clock is not even read."""
    rig = Rig("pyramid20")
    rig.step(2)
    timings = rig.world[Timings]
    assert not timings.wanted
    assert timings.seconds == {}
    assert timings.steps == 0


def test_each_line_is_measured_in_the_order_of_the_step() -> None:
    """The lines are the names of the stages; their times add up, until they are cleared."""
    rig = Rig("pyramid20")
    timings = rig.world[Timings]
    timings.wanted = True
    rig.step(3)
    assert timings.wanted
    assert timings.steps == 3
    assert list(timings.seconds) == [
        "pairs",
        "collide",
        "colour",
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

"""Bad numbers in components: their body is set aside and named once, everything else goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_core import Name
from rish_physics3d import Body3D, Collider3D, HingeJoint3D, overlap_sphere_3d, ray_cast_3d
from rish_space3d import Transform3D

NAN, HUGE = float("nan"), 1e30
BAD: list[tuple[type, str, Any]] = [
    *((Transform3D, "position", each) for each in ((NAN, 0, 0), (HUGE, 0, 0), (0, 1e9, 0), (0, float("-inf"), 0))),
    *((Transform3D, "scale", each) for each in ((0, 1, 1), (NAN, 1, 1), (1e20, 1, 1))),
    *((Body3D, "velocity", each) for each in ((NAN, 0, 0), (0, float("inf"), 0))),
    (Body3D, "angular_velocity", (0, NAN, 0)),
    *((Body3D, name, (NAN, 0, 0)) for name in ("force", "torque")),
    *((Body3D, "mass", each) for each in (NAN, -1.0, float("inf"))),
    *((Body3D, name, NAN) for name in ("gravity_scale", "linear_damping", "angular_damping")),
    *((Collider3D, "size", each) for each in ((0, 1, 1), (NAN, 1, 1), (-1, 1, 1), (HUGE, 1, 1), (1e-20, 1, 1))),
    *((Collider3D, "offset", each) for each in ((NAN, 0, 0), (0, float("inf"), 0))),
    *((Collider3D, name, each) for name in ("density", "friction", "rolling_resistance") for each in (NAN, -1.0)),
]
"""A component, its field, and a value that makes the body invalid."""
FINE: list[tuple[type, str, Any]] = [
    (Transform3D, "rotation", (0, 0, 0, 0)),
    (Transform3D, "rotation", (NAN, 0, 0, 1)),
    (Transform3D, "scale", (-1, 1, -2)),
    (Body3D, "mass", 1e-12),
    (Body3D, "linear_damping", 1e30),
    (Collider3D, "rotation", (0, 0, 0, 0)),
    (Collider3D, "density", 1e30),
    (Collider3D, "density", 1e-30),
]
"""Values that are unusual, and have a meaning."""


class Rig:
    """A stack, a pendulum, a compound body and a `culprit`, which lies on the stack and holds a ball on a hinge."""

    def __init__(self, game: Any) -> None:
        self.game, self.world = game, game.world
        game.ground()
        others = [game.box(0, 0.5 + k, 0) for k in range(2)]
        compound = game.box(6, 0.5, 0)
        game.world.spawn(Transform3D(position=(0, 1, 0), parent=compound), Collider3D(shape="sphere"))
        others += [compound, game.ball(3, 4, 0, body={"velocity": (1, 0, 0)})]
        game.world.spawn(HingeJoint3D(b=others[-1], anchor_a=(3, 6, 0), anchor_b=(0, 2, 0), axis=(0, 0, 1)))
        self.culprit = game.put(0, 2.5, 0, Name(value="culprit"), Body3D(), Collider3D())
        others.append(game.ball(0, 2.5, 3))
        game.world.spawn(HingeJoint3D(a=self.culprit, b=others[-1], anchor_b=(0, 0, -3), axis=(0, 0, 1)))
        self.others = others

    def check(self, caplog: pytest.LogCaptureFixture, names: int) -> None:
        """Assert that the others have finite places near the start, that queries answer, and how often it is named."""
        places = np.array([self.game.position(each) for each in self.others])
        assert np.isfinite(places).all()
        assert (np.abs(places) < 20).all()
        assert np.isfinite([self.game.velocity(each) for each in self.others]).all()
        assert ray_cast_3d(self.world, (6, 9, 0), (6, -9, 0)).entity
        assert len(overlap_sphere_3d(self.world, (0, 0.5, 0), 0.4)) >= 1
        named = [each.getMessage() for each in caplog.records if "culprit" in each.getMessage()]
        assert len(named) == names, named


@pytest.mark.parametrize(("cls", "name", "value", "in_play"), [(*each, k % 2) for k, each in enumerate(BAD)])
def test_a_bad_number_is_named_and_harms_nothing_else(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture, cls: type, name: str, value: Any, in_play: int
) -> None:
    """One line names the culprit; the bodies that touch it and that are joined to it go on, and queries answer."""
    rig = Rig(yard(gravity=-10))
    rig.game.run(3 * in_play)
    part = rig.world.table(cls)
    for _ in range(6):
        part.column(name)[part.row_of(rig.culprit)] = value
        part.mark([part.row_of(rig.culprit)])
        rig.game.run(1)
    rig.check(caplog, 1)


@pytest.mark.parametrize(("cls", "name", "value"), FINE)
def test_an_unusual_number_has_a_meaning(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture, cls: type, name: str, value: Any
) -> None:
    """Rotations without a length turn nothing, mirrored boxes are boxes, very light and heavy bodies are simulated."""
    rig = Rig(yard(gravity=-10))
    part = rig.world.table(cls)
    part.column(name)[part.row_of(rig.culprit)] = value
    part.mark([part.row_of(rig.culprit)])
    rig.game.run(6)
    rig.check(caplog, 0)
    assert np.isfinite(rig.game.position(rig.culprit)).all()


def test_many_mistakes_at_once(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    """Random mistakes in random fields of one body, in play: no error, and no number that is not finite elsewhere."""
    for seed in range(long(200, 1)):
        rng = np.random.default_rng(seed)
        rig = Rig(yard(gravity=-10))
        rig.game.run(int(rng.integers(3)))
        for _ in range(8):
            cls, name, value = [*BAD, *FINE][rng.integers(len(BAD) + len(FINE))]
            part = rig.world.table(cls)
            part.column(name)[part.row_of(rig.culprit)] = value
            part.mark([part.row_of(rig.culprit)])
            rig.game.run(1)
        places = np.array([rig.game.position(each) for each in rig.others])
        assert np.isfinite(places).all(), seed


@pytest.mark.parametrize("place", [(NAN, 0, 0), (1e38, 0, 0)])
@pytest.mark.parametrize("more", [(), (Body3D(type="kinematic"),)], ids=["static", "kinematic"])
def test_what_does_not_move_is_named_too(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture, place: Any, more: Any
) -> None:
    """A static or kinematic body without a place meets nothing."""
    rig = Rig(yard(gravity=-10))
    wall = rig.game.put(0, 0, 900, Name(value="wall"), Collider3D(size=(100, 100, 100)), *more)
    places = rig.world.table(Transform3D)
    for _ in range(5):
        places.position[places.row_of(wall)] = place
        places.mark([places.row_of(wall)])
        rig.game.run(1)
    rig.check(caplog, 0)
    assert len([each for each in caplog.records if "wall" in each.getMessage()]) == 1


def test_parents_that_go_in_circles_shear_or_are_deleted(yard: Callable[..., Any]) -> None:
    """Whatever happens to parents in play, the other bodies go on."""
    rig = Rig(yard(gravity=-10))
    top = rig.world.spawn(Transform3D(position=(0, 9, 0), scale=(1, 5, 1), rotation=(0, 0, 0.3, 1)))
    below = rig.world.spawn(Transform3D(parent=top, rotation=(0.2, 0, 0.3, 1), scale=(3, 1, 1)), Body3D(), Collider3D())
    rig.game.run(3)
    places = rig.world.table(Transform3D)
    places.parent[places.row_of(top)] = below
    places.mark([places.row_of(top)])
    rig.game.run(3)
    rig.world.despawn(top)
    rig.game.run(3)
    rig.world.despawn(rig.others[2])  # its child is a shape of it
    rig.others.pop(2)
    rig.game.run(3)
    assert np.isfinite([rig.game.position(each) for each in rig.others]).all()

"""No force presses a body through a wall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Transform
from rish_physics import Body, Collider, DistanceJoint, MotorJoint, MouseJoint, PrismaticJoint, apply_force

FORMS: dict[str, dict[str, Any]] = {
    "box": {"size": (1, 1)},
    "circle": {"shape": "circle", "radius": 0.5},
    "capsule": {"shape": "capsule", "size": (0.6, 1.2)},
    "triangle": {"shape": "polygon", "points": [(-0.5, -0.4), (0.5, -0.4), (0, 0.6)]},
    "outline": {"shape": "outline", "points": [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0, 0), (-0.5, 0.5)]},
}
JOINTS: dict[str, Callable[[int, float], Any]] = {
    "motor": lambda body, strong: MotorJoint(b=body, offset=(0, -30), max_force=strong, hertz=1000),
    "mouse": lambda body, strong: MouseJoint(b=body, target=(0, -30), max_force=strong, hertz=1000),
    "slide": lambda body, strong: PrismaticJoint(b=body, axis=(0, -1), motor=True, motor_speed=1e4, max_force=strong),
    "rod": lambda body, _: DistanceJoint(b=body, anchor_a=(0, -30), length=1.0),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("joint", JOINTS)
def test_a_joint_presses_no_body_through_a_wall(yard: Callable[..., Any], joint: str, form: str) -> None:
    """A joint of any force that pulls a body into a floor of its own thickness leaves it on the floor."""
    scene = yard()
    scene.wall(0, -1, 2000, 2)
    body = scene.put(0, 0.8, Body(), Collider(**FORMS[form]))
    scene.world.spawn(JOINTS[joint](body, 1e8))
    for _ in range(60):
        scene.run()
        assert scene.place(body)[1] > 0


@pytest.mark.parametrize("form", FORMS)
def test_a_spinning_body_is_pressed_through_no_wall(yard: Callable[..., Any], form: str) -> None:
    """Also a body that turns by half a turn in each tick stays before the wall: its points are elsewhere after that."""
    scene = yard()
    scene.wall(0, -1, 2000, 2)
    body = scene.put(0, 0.8, Body(angular_velocity=180), Collider(**FORMS[form], friction=0))
    scene.world.spawn(JOINTS["mouse"](body, 1e8))
    for _ in range(60):
        scene.run()
        scene.world.get(body, Body).angular_velocity = 180
        assert scene.place(body)[1] > 0


def test_a_body_between_a_press_and_a_wall_stays_on_its_side(yard: Callable[..., Any]) -> None:
    """A kinematic press moves through the body, and not the body through the wall."""
    scene = yard(gravity=[0, 0])
    scene.wall(0, -1, 20, 2)
    body = scene.box(0, 0.5)
    press = scene.put(0, 3, Body(type="kinematic", velocity=(0, -2)), Collider(size=(4, 1)))
    for _ in range(90):
        scene.run()
        assert scene.place(body)[1] > 0.2
    assert scene.place(press)[1] < 0.5


def test_a_force_leaves_a_body_in_a_corner(yard: Callable[..., Any]) -> None:
    """A force of ten million times the weight into a corner of two walls moves a body out of neither."""
    scene = yard()
    scene.wall(0, -1, 20, 2)
    scene.wall(-6, 5, 10, 12)
    body = scene.box(-0.4, 0.5)
    for _ in range(60):
        apply_force(scene.world, body, (-1e8, -1e8))
        scene.run()
        x, y = scene.place(body)
        assert x > -0.8
        assert y > 0.2


def test_a_light_load_is_left_to_the_contact(yard: Callable[..., Any]) -> None:
    """A stack at rest keeps the bits that it has without the correction: its overlaps are those of soft contacts."""
    scene = yard(sleeping=False)
    scene.wall(0, -0.5, 20, 1)
    boxes = [scene.box(0, 0.5 + k) for k in range(5)]
    scene.run(120)
    for k, box in enumerate(boxes):
        assert scene.place(box) == pytest.approx([0, 0.5 + k], abs=0.02)


def test_a_body_that_begins_inside_a_wall_comes_out(yard: Callable[..., Any]) -> None:
    """A body that is spawned deep in a wall is pushed out as before, and not held there."""
    scene = yard(gravity=[0, 0])
    scene.wall(0, 0, 4, 4)
    body = scene.put(1.8, 0, Body(), Collider(size=(1, 1)))
    scene.run(60)
    assert scene.place(body)[0] > 2.4
    assert scene.world.get(body, Transform).position.tolist()[1] == pytest.approx(0, abs=0.2)

"""Sketches for tools: outlines of colliders and joints in the world, from the columns alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform, UnknownName, UsageError
from rish_physics import (
    Body,
    Collider,
    DistanceJoint,
    GearJoint,
    MotorJoint,
    MouseJoint,
    PrismaticJoint,
    RevoluteJoint,
    WheelJoint,
    collider_outlines,
    joint_sketches,
    move_anchor,
    overlap_point,
)

SHAPES: dict[str, dict[str, Any]] = {
    "box": {"shape": "box", "size": (4, 2)},
    "box that is moved and turned": {"shape": "box", "size": (4, 2), "offset": (1, 2), "rotation": 0.4},
    "rounded box": {"shape": "box", "size": (4, 2), "radius": 0.5},
    "circle": {"shape": "circle", "radius": 1.5, "offset": (1, 0)},
    "circle by its size": {"shape": "circle", "size": (3, 3)},
    "capsule": {"shape": "capsule", "size": (2, 5)},
    "lying capsule": {"shape": "capsule", "size": (6, 2), "rotation": 0.3},
    "capsule between points": {"shape": "capsule", "radius": 0.7, "points": [(0, 0), (3, 1)]},
    "polygon": {"shape": "polygon", "points": [(0, 0), (3, 0), (2, 2)]},
    "clockwise polygon": {"shape": "polygon", "points": [(2, 2), (3, 0), (0, 0)], "radius": 0.4},
    "rounded segment": {"shape": "segment", "points": [(-2, 0), (2, 1)], "radius": 0.5},
    "outline": {"shape": "outline", "points": [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]},
    "rounded outline": {"shape": "outline", "points": [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)], "radius": 0.3},
}
PLACES: dict[str, dict[str, Any]] = {
    "plain": {},
    "turned and enlarged": {"rotation": 1.1, "scale": (2, 2)},
    "mirrored": {"rotation": -0.5, "scale": (-1, 1)},
}


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("form", SHAPES.values(), ids=SHAPES)
def test_an_outline_is_the_edge_of_what_collides(
    yard: Callable[..., Any], form: dict[str, Any], place: dict[str, Any]
) -> None:
    """A little inside of an outline is in the shape for queries, a little outside is not; it runs counter-clockwise."""
    scene = yard(gravity=(0, 0))
    entity = scene.put(10, -5, Collider(**form), **place)
    (outline,) = collider_outlines(scene.world, entity)
    assert outline.dtype == np.float32
    assert (outline[0] == outline[-1]).all()
    scene.run()
    side = np.diff(outline, axis=0)
    outward = np.column_stack([side[:, 1], -side[:, 0]]) / np.linalg.norm(side, axis=1, keepdims=True)
    middle = (outline[:-1] + outline[1:]) / 2
    inside, outside = ([len(found) for found in _found(scene, middle + way * outward)] for way in (-0.02, 0.02))
    assert min(inside) == 1
    assert max(outside) == 0


def _found(scene: Any, points: Any) -> list[Any]:
    return [overlap_point(scene.world, tuple(point)).tolist() for point in points.astype(float)]


def test_outlines_follow_the_columns_at_once(yard: Callable[..., Any]) -> None:
    """No step is needed: children move with their parents, edits show at once, and each entity has its own result."""
    scene = yard()
    tank = scene.put(100, 0, Body(), Collider(size=(2, 2)))
    barrel = scene.put(5, 0, Collider(size=(4, 1)), parent=tank)
    bare, nothing = scene.put(0, 0), scene.world.spawn(Collider())
    found = collider_outlines(scene.world, np.array([barrel, bare, tank, nothing]))
    assert [len(outline) for outline in found] == [5, 0, 5, 0]
    assert found[0].min(axis=0).tolist() == [103, -0.5]
    scene.world.get(tank, Transform).position = (0, 50)
    assert collider_outlines(scene.world, barrel)[0].min(axis=0).tolist() == [3, 49.5]


def test_chains_are_lines(yard: Callable[..., Any]) -> None:
    """An open chain is drawn through its points, a closed one comes back; a shape without points has none."""
    scene = yard()
    points = [(0, 0), (4, 0), (4, 3)]
    chains = [scene.put(1, 1, Collider(shape="chain", points=points, closed=closed)) for closed in (False, True)]
    empty = scene.put(0, 0, Collider(shape="polygon"))
    line, ring, none = collider_outlines(scene.world, [*chains, empty])
    assert line.tolist() == [[1, 1], [5, 1], [5, 4]]
    assert ring.tolist() == [*line.tolist(), [1, 1]]
    assert none.shape == (0, 2)


def test_a_joint_is_sketched_in_the_world(yard: Callable[..., Any]) -> None:
    """Anchors, axis and limits are in the world, whatever the bodies' poses are; 0 is the world itself."""
    scene = yard()
    a, b = scene.box(10, 0, angle=np.pi / 2), scene.box(20, 0)
    slide = scene.world.spawn(
        PrismaticJoint(a=a, b=b, anchor_a=(1, 0), anchor_b=(-2, 0), axis=(3, 0), limited=True, lower=-1, upper=4)
    )
    pin = scene.world.spawn(RevoluteJoint(b=b, anchor_a=(19, 0), anchor_b=(-1, 0), angle=np.pi))
    (sketch,) = joint_sketches(scene.world, slide)
    assert (sketch.joint, sketch.cls, sketch.a, sketch.b) == (slide, PrismaticJoint, a, b)
    np.testing.assert_allclose(sketch.anchors, [(10, 1), (18, 0)], atol=1e-6)
    np.testing.assert_allclose(sketch.direction, (0, 1), atol=1e-6)
    assert (sketch.lower, sketch.upper) == (-1, 4)
    (sketch,) = joint_sketches(scene.world, [pin])
    np.testing.assert_allclose(sketch.anchors, [(19, 0), (19, 0)], atol=1e-6)
    np.testing.assert_allclose(sketch.direction, (-1, 0), atol=1e-6)
    assert sketch.lower is None
    assert [found.joint for found in joint_sketches(scene.world)] == [pin, slide]


def test_anchors_stay_together_in_the_simulation(yard: Callable[..., Any]) -> None:
    """The solver and the sketches mean the same points: of a swinging pin both anchors stay at one place."""
    scene = yard()
    arm = scene.box(2, 0, 4, 1)
    pin = scene.world.spawn(RevoluteJoint(b=arm, anchor_b=(-2, 0)))
    scene.run(40)
    (sketch,) = joint_sketches(scene.world, pin)
    assert abs(scene.angle(arm)) > 0.3
    np.testing.assert_allclose(sketch.anchors[1], sketch.anchors[0], atol=0.02)


@pytest.mark.parametrize(
    ("cls", "names"),
    [
        (RevoluteJoint, ("anchor_a", "anchor_b")),
        (DistanceJoint, ("anchor_a", "anchor_b")),
        (WheelJoint, ("anchor_a", "anchor_b")),
        (MouseJoint, ("target", "anchor_b")),
        (MotorJoint, ("offset", "")),
    ],
)
def test_a_dragged_anchor_goes_to_its_point(yard: Callable[..., Any], cls: Any, names: tuple[str, str]) -> None:
    """`move_anchor` writes the field of a side, so that its sketch is at the point; the other side stays."""
    scene = yard()
    a, b = scene.box(10, 3, angle=0.7), scene.box(20, 0, angle=-2)
    joint = scene.world.spawn(cls(a=a, b=b))
    (before,) = joint_sketches(scene.world, joint)
    assert before.fields == names
    for side, name in enumerate(names):
        if name:
            move_anchor(scene.world, joint, cls, side, (14, 5 + side))
            (after,) = joint_sketches(scene.world, joint)
            np.testing.assert_allclose(after.anchors[side], (14, 5 + side), atol=1e-5)
    if not names[1]:
        np.testing.assert_allclose(after.anchors[1], before.anchors[1])


def test_gears_have_no_place_in_the_world(yard: Callable[..., Any]) -> None:
    """A gear with the world is drawn at its body, and its anchors can't be moved."""
    scene = yard()
    wheel = scene.ball(3, 4)
    gear = scene.world.spawn(GearJoint(b=wheel))
    (sketch,) = joint_sketches(scene.world, gear)
    assert sketch.anchors.tolist() == [[3, 4], [3, 4]]
    assert sketch.fields == ("", "")
    with pytest.raises(UsageError, match=r"GearJoint has no anchor in b\. Move the body"):
        move_anchor(scene.world, gear, GearJoint, 1, (0, 0))


def test_what_can_not_be_moved_is_refused(yard: Callable[..., Any]) -> None:
    """A class that is no joint, an entity without the joint, and a point that is none are named."""
    scene = yard()
    box = scene.box(0, 0)
    joint = scene.world.spawn(RevoluteJoint(b=box))
    with pytest.raises(UsageError, match=r"Body is no joint. Choices: .*GearJoint"):
        move_anchor(scene.world, joint, Body, 0, (0, 0))
    with pytest.raises(UnknownName, match="RevoluteJoint"):
        move_anchor(scene.world, box, RevoluteJoint, 0, (0, 0))
    with pytest.raises(UsageError, match="expected a pair of numbers"):
        move_anchor(scene.world, joint, RevoluteJoint, 0, (0, float("nan")))


def test_joints_of_what_is_gone_are_left_out(yard: Callable[..., Any]) -> None:
    """A joint whose body was despawned, and that the next step will remove, is not sketched."""
    scene = yard()
    box = scene.box(0, 0)
    joint = scene.world.spawn(RevoluteJoint(b=box))
    scene.world.despawn(box)
    assert joint_sketches(scene.world, joint) == []

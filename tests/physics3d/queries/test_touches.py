"""Queries of current contacts and overlaps in space, and of the body below the pointer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import UsageError
from rish_physics3d import Body3D, Collider3D, ColliderShape3D, contacts_of_3d, overlaps_of_3d, pick_body_3d
from rish_space3d import Transform3D


def test_contacts_tell_both_sides(yard: Callable[..., Any]) -> None:
    """`contacts_of_3d` returns contacts with both neighbors, with normals away from the queried entity."""
    scene = yard(gravity=-10)
    ground, box, ball = scene.ground(), scene.box(0, 0.5, 0), scene.ball(0, 1.3, 0, 0.3)
    scene.run(25)
    found = contacts_of_3d(scene.world, box)
    assert found.entity.tolist() == found.body.tolist() == [box, box]
    assert found.other.tolist() == [ground, ball]
    assert found.other_body.tolist() == [0, ball]
    assert found.normal == pytest.approx(np.array([(0, -1, 0), (0, 1, 0)]), abs=1e-3)
    assert found.points.tolist() == [4, 1]
    assert found.point == pytest.approx(np.array([(0, 0, 0), (0, 1, 0)]), abs=0.02)
    assert np.abs(found.separation).max() < 0.02
    weights = np.array([1000.0, 1000 * np.pi * 4 / 3 * 0.027]) * 10 / 60 / 4
    assert found.impulse == pytest.approx([weights.sum(), weights[1]], rel=0.02)
    many = contacts_of_3d(scene.world, np.array([ball, 77, box, ball]))
    assert many.query.tolist() == [0, 2, 2, 3]
    assert many.other.tolist() == [box, ground, ball, box]
    scene.world.despawn(ball)
    assert contacts_of_3d(scene.world, box).other.tolist() == [ground]


def test_triangles_with_one_normal_are_one_row(yard: Callable[..., Any]) -> None:
    """A box on many triangles of flat ground has one row with the sums of all; a child stands for its body too."""
    scene = yard(gravity=-10)
    field = {"shape": ColliderShape3D.HEIGHTFIELD, "columns": 9, "cell": 0.4, "heights": [0.0] * 81}
    ground = scene.put(0, 0, 0, Collider3D(**field))
    body = scene.put(0.1, 0.5, 0.1, Body3D())
    child = scene.world.spawn(Transform3D(parent=body), Collider3D())
    scene.run(25)
    for asked in (body, child):
        found = contacts_of_3d(scene.world, asked)
        assert (found.entity.tolist(), found.body.tolist(), found.other.tolist()) == ([child], [body], [ground])
        assert found.normal[0] == pytest.approx([0, -1, 0], abs=1e-3)
        assert found.impulse[0] == pytest.approx(1000 * 10 / 60 / 4, rel=0.05)


def test_a_sensor_tells_what_it_holds(yard: Callable[..., Any]) -> None:
    """`overlaps_of_3d` returns the colliders and bodies in a sensor, and nothing for other entities."""
    scene = yard()
    gate = scene.put(0, 0, 0, Collider3D(size=(2, 2, 2), sensor=True))
    inside, outside = scene.ball(0.5, 0, 0), scene.ball(9, 0, 0)
    scene.run(2)
    found = overlaps_of_3d(scene.world, np.array([outside, gate, inside]))
    assert found.query.tolist() == [1]
    assert (found.entity.tolist(), found.other.tolist(), found.other_body.tolist()) == ([gate], [inside], [inside])
    assert not len(contacts_of_3d(scene.world, gate))


def test_nothing_touches_in_an_empty_world(yard: Callable[..., Any]) -> None:
    """In an empty world nothing touches, and names are refused as handles."""
    world = yard().world
    assert not len(contacts_of_3d(world, 1))
    assert not len(overlaps_of_3d(world, np.array([1, 2])))
    with pytest.raises(UsageError, match="handle"):
        contacts_of_3d(world, np.array(["crate"]))


def test_the_body_below_the_pointer_is_picked(yard: Callable[..., Any]) -> None:
    """The first body of the ray is picked, or a movable one near the ray before the ground, but none behind it."""
    scene = yard()
    ground, crate = scene.ground(), scene.box(0, 0.5, 0)
    scene.box(5, -3, 0)
    assert pick_body_3d(scene.world, (0, 9, 0), (0, -9, 0)) == crate
    assert pick_body_3d(scene.world, (0.6, 9, 0), (0.6, -9, 0)) == ground
    assert pick_body_3d(scene.world, (0.6, 9, 0), (0.6, -9, 0), reach=0.2) == crate
    assert pick_body_3d(scene.world, (5, 9, 0), (5, -9, 0), reach=0.2) == ground
    assert pick_body_3d(scene.world, (0, 9, 0), (0, 8, 0)) is None
    starts = np.array([(0, 9, 0), (0.6, 9, 0), (999, 9, 0)])
    assert pick_body_3d(scene.world, starts, starts - [0, 18, 0], reach=0.2).tolist() == [crate, crate, 0]

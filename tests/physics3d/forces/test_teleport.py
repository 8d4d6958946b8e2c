"""Teleported bodies do not touch anything between the old and the new place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import UnknownName, UsageError
from rish_physics3d import Body3D, BodyType3D, Collider3D, teleport_bodies_3d
from rish_physics3d.components.tables import Contacts3D
from rish_space3d import Transform3D, quaternions

QUARTER = quaternions.from_axis((0, 1, 0), np.pi / 2)


def _platform(scene: Any, x: float, y: float, z: float, **body: Any) -> int:
    return scene.put(x, y, z, Body3D(type=BodyType3D.KINEMATIC, **body), Collider3D(size=(4, 1, 4)))


def test_a_kinematic_body_is_there_without_having_moved(yard: Callable[..., Any]) -> None:
    """A teleported kinematic body has no velocity: bodies that slept on it fall, those on its way are not touched."""
    scene = yard(gravity=-10, sleep_time=0.1)
    lift = _platform(scene, 0, 0, 0)
    rider, bystander = scene.box(0, 1, 0), scene.box(6, 0, 0, body={"gravity_scale": 0})
    scene.run(20)
    assert scene.world.get(rider, Body3D).asleep
    teleport_bodies_3d(scene.world, lift, (12, 0, 0), 3 * QUARTER)
    scene.run(1)
    assert scene.position(lift).tolist() == [12, 0, 0]
    assert np.array(scene.world.get(lift, Transform3D).rotation) == pytest.approx(QUARTER, abs=1e-6)
    assert not scene.velocity(lift).any()
    assert scene.velocity(rider)[0] == pytest.approx(0, abs=1e-3)
    scene.run(30)
    assert scene.position(bystander) == pytest.approx([6, 0, 0], abs=1e-4)
    assert scene.position(rider)[1] < 0
    assert scene.position(lift).tolist() == [12, 0, 0]


def test_it_goes_on_with_the_velocity_it_has(yard: Callable[..., Any]) -> None:
    """A teleported body keeps its velocity, kinematic or dynamic."""
    scene = yard()
    belt, stone = _platform(scene, 0, 0, 0, velocity=(3, 0, 0)), scene.ball(0, 5, 0, body={"velocity": (0, 2, 0)})
    scene.run(5)
    teleport_bodies_3d(scene.world, np.array([belt, stone]), [(100, 0, 0), (50, 50, 0)])
    scene.run(30)
    assert scene.position(belt) == pytest.approx([101.5, 0, 0], abs=1e-3)
    assert scene.position(stone) == pytest.approx([50, 51, 0], abs=1e-3)


def test_pictures_do_not_slide_there(yard: Callable[..., Any]) -> None:
    """The last pose is set to the new one for every type of body, so that frames are not interpolated in between."""
    scene = yard()
    wall = scene.put(0, 20, 0, Body3D(type=BodyType3D.STATIC), Collider3D())
    several = np.array([_platform(scene, 0, 0, 0), scene.ball(0, 9, 0), wall])
    scene.run(2)
    table = scene.world.table(Transform3D)
    rows = table.rows_of(several)
    teleport_bodies_3d(scene.world, several, [(7, 1, 0), (8, 2, 0), (90, 3, 0)], QUARTER)
    np.testing.assert_array_equal(table.column("last_position")[rows], table.position[rows])
    np.testing.assert_array_equal(table.column("last_rotation")[rows], table.rotation[rows])
    np.testing.assert_array_equal(table.position[rows], [(7, 1, 0), (8, 2, 0), (90, 3, 0)])


def test_a_body_below_a_parent_is_put_at_a_place_of_the_world(yard: Callable[..., Any]) -> None:
    """A body with a parent is put at a place in the world, and its Transform3D is relative to the parent."""
    scene = yard()
    parent = scene.put(10, 0, 0, rotation=QUARTER.tolist(), scale=(2, 2, 2))
    place = Transform3D(position=(1, 0, 0), parent=parent)
    body = scene.world.spawn(place, Body3D(type=BodyType3D.KINEMATIC), Collider3D())
    scene.run(1)
    teleport_bodies_3d(scene.world, body, (10, 4, -8), QUARTER)
    scene.run(1)
    assert scene.position(body) == pytest.approx([4, 2, 0], abs=1e-5)
    assert np.array(scene.world.get(body, Transform3D).rotation) == pytest.approx([0, 0, 0, 1], abs=1e-6)


def test_a_new_body_can_be_put_somewhere_before_its_first_step(yard: Callable[..., Any]) -> None:
    """A new body can be teleported before its first step, and has no contact at its old place."""
    scene = yard()
    scene.put(0, 0, 0, Collider3D())
    box = scene.box(0, 0, 0)
    teleport_bodies_3d(scene.world, box, (5, 5, 5))
    scene.run(1)
    assert scene.position(box).tolist() == [5, 5, 5]
    assert not len(scene.world[Contacts3D])


def test_mistakes_move_no_body(yard: Callable[..., Any]) -> None:
    """Invalid numbers, entities without a body and parents without a size raise errors, and no body is moved."""
    scene = yard()
    box, bare = scene.box(1, 2, 3), scene.put(0, 0, 0)
    parent = scene.put(0, 0, 0, scale=(1, 0, 1))
    flat = scene.world.spawn(Transform3D(parent=parent), Body3D())
    loose = scene.world.spawn(Body3D())
    for body, where, turn in (
        (box, (np.nan, 0, 0), None), (box, "here", None), (box, (1, 2), None), (box, (0, 0, 0), (0, 0, 0, 0)),
        (box, (0, 0, 0), (1, 2)), (flat, (0, 0, 0), None), (loose, (0, 0, 0), None),
    ):  # fmt: skip
        with pytest.raises(UsageError):
            teleport_bodies_3d(scene.world, body, where, turn)
    with pytest.raises(UnknownName, match="no Body3D"):
        teleport_bodies_3d(scene.world, [box, bare], (0, 0, 0))
    assert scene.position(box).tolist() == [1, 2, 3]

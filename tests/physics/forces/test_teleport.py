"""Teleported bodies do not touch anything between the old and the new place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform, UnknownName, UsageError
from rish_physics import Body, Collider, teleport_bodies
from rish_physics.components.tables import Bodies, Contacts


def _platform(scene: Any, x: float, y: float, **body: Any) -> int:
    return scene.put(x, y, Body(type="kinematic", **body), Collider(size=(4, 1)))


def test_a_kinematic_body_is_there_without_having_moved(yard: Callable[..., Any]):
    """A teleported kinematic body has no velocity: bodies on it fall, and bodies on its way are not touched."""
    scene = yard()
    lift = _platform(scene, 0, 0)
    rider, bystander = scene.box(0, 1), scene.put(6, 0, Body(gravity_scale=0), Collider(size=(1, 1)))
    scene.run(60)
    teleport_bodies(scene.world, lift, (12, 0), 0.5)
    scene.run()
    assert scene.place(lift) == [12, 0]
    assert scene.angle(lift) == pytest.approx(0.5)
    assert not scene.world[Bodies].state[scene.slot(lift), :3].any()
    assert scene.velocity(rider)[0] == pytest.approx(0, abs=1e-3)
    scene.run(30)
    assert scene.place(bystander) == pytest.approx([6, 0], abs=1e-4)
    assert scene.place(rider)[1] < 0
    assert scene.place(lift) == [12, 0]


def test_it_goes_on_with_the_velocity_it_has(yard: Callable[..., Any]):
    """A teleported body keeps its velocity, kinematic or dynamic."""
    scene = yard(gravity=[0, 0])
    belt, stone = _platform(scene, 0, 0, velocity=(3, 0)), scene.ball(0, 5, body={"velocity": (0, 2)})
    scene.run(10)
    teleport_bodies(scene.world, np.array([belt, stone]), [(100, 0), (50, 50)])
    scene.run(60)
    assert scene.place(belt) == pytest.approx([103, 0], abs=1e-3)
    assert scene.place(stone) == pytest.approx([50, 52], abs=1e-3)


def test_pictures_do_not_slide_there(yard: Callable[..., Any]):
    """The last pose is set to the new one for every type of body, so that frames are not interpolated in between."""
    scene = yard(gravity=[0, 0])
    several = np.array([_platform(scene, 0, 0), scene.ball(0, 9), scene.put(0, 20, Body(type="static"), Collider())])
    scene.run(3)
    table = scene.world[Transform]
    rows = table.rows_of(several)
    teleport_bodies(scene.world, several, [(7, 1), (8, 2), (90, 3)], [0.1, 0.2, 0.3])
    np.testing.assert_array_equal(table.column("last_position")[rows], table.position[rows])
    np.testing.assert_array_equal(table.column("last_rotation")[rows], table.rotation[rows])
    np.testing.assert_allclose(table.rotation[rows], [0.1, 0.2, 0.3], rtol=1e-6)


def test_a_body_below_a_parent_is_put_at_a_place_of_the_world(yard: Callable[..., Any]):
    """A body with a parent is put at a place in the world, and its Transform is relative to the parent."""
    scene = yard(gravity=[0, 0])
    parent = scene.put(10, 0, rotation=np.pi / 2, scale=(2, 2))
    body = scene.world.spawn(Transform(position=(1, 0), parent=parent), Body(type="kinematic"), Collider(size=(1, 1)))
    scene.run()
    teleport_bodies(scene.world, body, (10, 8), 0.0)
    scene.run()
    assert scene.place(body) == pytest.approx([4, 0], abs=1e-5)
    pose = scene.world[Bodies].pose[scene.slot(body)]
    assert pose == pytest.approx([10, 8, 1, 0], abs=1e-5)


def test_a_new_body_can_be_put_somewhere_before_its_first_step(yard: Callable[..., Any]):
    """A new body can be teleported before its first step, and has no contact at its old place."""
    scene = yard(gravity=[0, 0])
    scene.wall(0, 0, 1, 1)
    box = scene.box(0, 0)
    teleport_bodies(scene.world, box, (5, 5))
    scene.run()
    assert scene.place(box) == [5, 5]
    assert not len(scene.world[Contacts])


def test_mistakes_move_no_body(yard: Callable[..., Any]):
    """Invalid numbers and entities without a body raise errors, and no body is moved."""
    scene = yard(gravity=[0, 0])
    box, bare = scene.box(1, 2), scene.put(0, 0)
    scene.run()
    for where, turn in (((np.nan, 0), None), ("here", None), ((1, 2, 3), None), ((0, 0), np.inf)):
        with pytest.raises(UsageError):
            teleport_bodies(scene.world, box, where, turn)
    with pytest.raises(UnknownName, match="no Body"):
        teleport_bodies(scene.world, [box, bare], (0, 0))
    assert scene.place(box) == [1, 2]

"""Columns of components are read before a step and written after it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Disabled, Transform
from rish_physics import Body, Collider, ContactEnd
from rish_physics.components.tables import (
    AWAKE,
    BOX,
    DYNAMIC,
    QUARANTINED,
    STATIC,
    TYPE,
    Bodies,
    Contacts,
    Free,
    Shapes,
)

RIGHT = np.pi / 2


def test_a_collider_alone_stands_still(yard: Callable[..., Any]):
    """A collider without a body gets a static body, and stays in place."""
    scene = yard()
    wall = scene.wall(3, 4, 2, 2)
    scene.run(5)
    assert scene.place(wall) == [3, 4]
    assert scene.world[Bodies].flags[scene.slot(wall)] & TYPE == STATIC


def test_a_child_without_a_body_is_one_more_shape_of_its_parent(yard: Callable[..., Any]):
    """A child collider is a shape of its parent: both boxes of a hammer fall as one body with their common mass."""
    scene = yard(gravity=[0, 0])
    hammer = scene.box(0, 0, 1, 1)
    head = scene.world.spawn(Transform(position=(2, 0), parent=hammer), Collider(size=(1, 1)))
    scene.run()
    bodies = scene.world[Bodies]
    slot = scene.slot(hammer)
    assert not (bodies.entity == head).any()
    assert bodies.state[slot, 3] == pytest.approx(0.5)
    assert bodies.extent[slot, :2].tolist() == [1, 0]
    assert 1 / bodies.state[slot, 7] == pytest.approx(2 * (1 / 6 + 1))
    scene.world.get(hammer, Body).angular_velocity = 1.0
    scene.run(30)
    assert scene.place(hammer) != [0, 0]
    assert scene.world.get(head, Transform).position.tolist() == [2, 0]


def test_mass_center_and_inertia_can_be_given(yard: Callable[..., Any]):
    """Given values of mass and center are used; an inertia that is not given follows the given mass."""
    scene = yard(gravity=[0, 0])
    plain = scene.box(0, 0, body={"mass": 6})
    whole = scene.box(9, 0, body={"mass": 6, "inertia": 5, "center_of_mass": (0.25, 0), "center_of_mass_given": True})
    scene.run()
    bodies = scene.world[Bodies]
    assert bodies.state[scene.slot(plain), [3, 7]] == pytest.approx([1 / 6, 1])
    assert bodies.state[scene.slot(whole), [3, 7]] == pytest.approx([1 / 6, 1 / 5])
    assert bodies.extent[scene.slot(whole), :2].tolist() == [0.25, 0]


def test_a_dynamic_body_that_is_moved_jumps_and_is_not_shown_on_its_way(yard: Callable[..., Any]):
    """A dynamic body that is moved is teleported: its contacts end, it wakes, and it is not interpolated."""
    scene = yard()
    scene.wall(0, -0.5, 20, 1)
    box = scene.box(0, 0.5)
    scene.run(90)
    assert scene.world.get(box, Body).asleep
    scene.world.get(box, Transform).position = (5, 3)
    scene.run()
    assert not scene.world.get(box, Body).asleep
    assert scene.world.get(box, Transform).last_position.tolist() == [5, 3]
    assert len(scene.world.events(ContactEnd)) == 1
    scene.run(60)
    assert scene.place(box) == pytest.approx([5, 0.5], abs=0.01)


def test_nothing_is_a_teleport_because_of_rounding(yard: Callable[..., Any]):
    """Writing tables without changing values does not count as a teleport."""
    scene = yard()
    scene.wall(0, -0.5, 20, 1)
    scene.box(0.1, 0.5, angle=0.3)
    scene.run(10)
    world = scene.world
    for _ in range(50):
        world[Transform].mark()
        world[Body].mark()
        world[Collider].mark()
        before = len(world[Contacts])
        scene.run()
        assert len(world[Contacts]) == before


def test_a_kinematic_body_is_at_its_target_and_carries_what_lies_on_it(yard: Callable[..., Any]):
    """A lift driven by its position carries a box, also sideways, and its velocity column is not changed."""
    scene = yard()
    lift = scene.put(0, 0, Body(type="kinematic"), Collider(size=(6, 1)))
    box = scene.box(0, 1)
    scene.run(90)
    assert scene.world.get(box, Body).asleep
    for tick in range(60):
        target = np.float32(0.02 * (tick + 1))
        scene.world.get(lift, Transform).position = (target, target)
        scene.run()
        assert scene.place(lift) == [target, target]
    assert scene.velocity(lift) == [0, 0]
    assert scene.place(box) == pytest.approx([1.2, 2.2], abs=0.06)
    scene.run(120)
    assert scene.world.get(box, Body).asleep


def test_a_kinematic_body_moves_with_its_velocity(yard: Callable[..., Any]):
    """A kinematic body moves with its velocity, and no other body stops it."""
    scene = yard()
    scene.wall(3, 0, 1, 8)
    plate = scene.put(0, 0, Body(type="kinematic", velocity=(3, 0), angular_velocity=1), Collider(size=(1, 1)))
    scene.run(60)
    assert scene.place(plate) == pytest.approx([3, 0], abs=1e-4)
    assert scene.angle(plate) == pytest.approx(1, abs=1e-4)


def test_a_kinematic_body_that_would_be_too_fast_jumps(yard: Callable[..., Any]):
    """A kinematic body whose target is too far away is teleported, and pushes nothing in between."""
    scene = yard(gravity=[0, 0])
    plate = scene.put(-20, 0, Body(type="kinematic"), Collider(size=(1, 8)))
    box = scene.box(0, 0)
    scene.run(2)
    scene.world.get(plate, Transform).position = (20, 0)
    scene.run(5)
    assert scene.place(plate) == [20, 0]
    assert scene.place(box) == [0, 0]


def test_a_velocity_or_a_force_wakes(yard: Callable[..., Any]):
    """A velocity, a force, or clearing `asleep` wakes a body; setting `asleep` puts it to sleep."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    boxes = [scene.box(4.0 * k, 0.5) for k in range(4)]
    scene.run(90)
    body = scene.world[Body]
    assert body.asleep.all()
    scene.world.get(boxes[0], Body).velocity = (1, 0)
    scene.world.get(boxes[1], Body).force = (30, 0)
    scene.world.get(boxes[2], Body).asleep = False
    scene.run()
    assert body.asleep.tolist() == [False, False, False, True]
    assert scene.velocity(boxes[0])[0] > 0.8
    assert scene.velocity(boxes[1])[0] > 0.1
    scene.world.get(boxes[2], Body).asleep = True
    scene.run()
    assert body.asleep.tolist() == [False, False, True, True]


@pytest.mark.parametrize("awake", [False, True])
def test_columns_written_as_arrays_are_noticed_among_many(yard: Callable[..., Any], awake: bool):
    """Values that a system writes into single rows are found among many, in a sleeping and a moving world."""
    scene = yard(sleeping=not awake)
    scene.wall(0, -0.5, 400, 1)
    boxes = [scene.box(4.0 * k - 80, 0.5) for k in range(40)]
    scene.run(90)
    body, places, forms = scene.world[Body], scene.world[Transform], scene.world[Collider]
    assert body.asleep.all() != awake
    body.velocity[body.row_of(boxes[3])] = (2, 0)
    body.force[body.row_of(boxes[7])] = (60, 0)
    body.mark()
    scene.run()
    assert scene.velocity(boxes[3])[0] > 1.5
    assert scene.velocity(boxes[7])[0] > 0.5
    assert scene.velocity(boxes[8])[0] == pytest.approx(0, abs=1e-3)
    places.position[places.row_of(boxes[9])] = (-40, 7)
    places.mark()
    forms.size[forms.row_of(boxes[11])] = (3, 1)
    forms.mark()
    scene.run()
    assert scene.place(boxes[9])[1] == pytest.approx(7, abs=0.01)
    shape = int(scene.world[Bodies].first_shape[scene.slot(boxes[11])])
    assert scene.world[Shapes].size[shape, 0] == 1.5
    body.velocity[body.row_of(boxes[3])] = (0, 5)
    body.mark()
    scene.run()
    assert scene.velocity(boxes[3])[1] > 4.5


def test_a_body_whose_row_moved_is_marked_where_it_is(yard: Callable[..., Any]):
    """Of a few awake bodies among many, the rows that are written are marked, also after an entity without a body has
    gone, whose row the last entity gets.
    """
    scene = yard(gravity=[0, 0])
    sprite = scene.world.spawn(Transform(position=(0, 50)))
    for k in range(40):
        scene.wall(3.0 * k, 0, 1, 1)
    ball = scene.ball(0, 9, body={"velocity": (1, 0)})
    scene.run(2)
    scene.world.despawn(sprite)
    scene.run()
    places = scene.world[Transform]
    assert places.row_of(ball) == 0
    before = places.version
    scene.run()
    assert 0 in places.changes(before).rows.tolist()
    assert not places.changes(before).all


def test_a_force_acts_for_one_tick(yard: Callable[..., Any]):
    """A force acts for one tick and is then reset."""
    scene = yard(gravity=[0, 0])
    box = scene.box(0, 0, body={"mass": 2})
    scene.world.get(box, Body).force = (120, 0)
    scene.world.get(box, Body).torque = 1
    scene.run()
    assert scene.velocity(box) == pytest.approx([1, 0], rel=1e-5)
    spin = float(scene.world.get(box, Body).angular_velocity)
    scene.run(10)
    assert scene.velocity(box) == pytest.approx([1, 0], rel=1e-5)
    assert float(scene.world.get(box, Body).angular_velocity) == spin


@pytest.mark.parametrize("turn", [0.0, 0.7, -2.5])
@pytest.mark.parametrize("scale", [(1, 1), (2, 2), (-1, 1)])
def test_a_body_below_a_parent_falls_in_the_world(yard: Callable[..., Any], turn: float, scale: tuple[float, float]):
    """A body with a parent falls in the world, however the parent is rotated, scaled and mirrored."""
    scene = yard()
    parent = scene.put(3, 4, rotation=turn, scale=scale)
    place = Transform(position=(2, 1), parent=parent)
    child = scene.world.spawn(place, Body(angular_velocity=1), Collider(size=(1, 1)))
    before = _world_place(scene, child)
    scene.run(30)
    after = _world_place(scene, child)
    assert after[:2] == pytest.approx([before[0], before[1] - 1.25], abs=0.03)
    assert np.cos(after[2] - before[2] - 0.5) == pytest.approx(1, abs=1e-5)


def _world_place(scene: Any, entity: int) -> list[float]:
    from rish_core import world_matrices

    a, b, _, _, x, y = world_matrices(scene.world)[scene.world[Transform].row_of(entity)].tolist()
    return [x, y, float(np.arctan2(b, a))]


def test_a_parent_that_moves_takes_its_bodies_along(yard: Callable[..., Any]):
    """A moved parent moves its child bodies and child colliders."""
    scene = yard(gravity=[0, 0])
    parent = scene.put(0, 0)
    child = scene.world.spawn(Transform(position=(1, 0), parent=parent), Body(), Collider(size=(1, 1)))
    wall = scene.world.spawn(Transform(position=(5, 0), parent=parent), Collider(size=(1, 1)))
    scene.run(2)
    scene.world.get(parent, Transform).position = (0, 7)
    scene.run(2)
    poses = scene.world[Bodies].pose
    assert poses[scene.slot(child), :2].tolist() == pytest.approx([1, 7])
    assert poses[scene.slot(wall), :2].tolist() == pytest.approx([5, 7])


def test_a_compound_that_turns_is_not_made_anew(yard: Callable[..., Any]):
    """Shapes of a rotating compound, or below a rotating parent, are not made again when tables are marked."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    wheel = scene.box(0, 0.5, 1, 1, body={"velocity": (1, 0)}, friction=0.1)
    scene.world.spawn(Transform(position=(0.7, 0.2), rotation=0.3, parent=wheel), Collider(size=(1, 0.3)))
    stand = scene.put(9, 0.5, Body(type="kinematic", angular_velocity=1), scale=(0.3, 0.3))
    scene.world.spawn(Transform(position=(1, 2), scale=(3, 3), parent=stand), Body(), Collider(size=(1, 1)))
    scene.run(2)
    known = scene.world[Shapes].known.copy()
    contacts = scene.world[Contacts]
    for _ in range(60):
        scene.world[Transform].mark()
        scene.run()
        np.testing.assert_array_equal(scene.world[Shapes].known, known)
    assert len(contacts) > 0


def test_scale_resizes_shapes(yard: Callable[..., Any]):
    """A box of scale 3 is three times as large, nine times as heavy, and is still flagged as a box."""
    scene = yard()
    box = scene.box(0, 0)
    scene.run()
    scene.world.get(box, Transform).scale = (3, 3)
    scene.run()
    slot = scene.slot(box)
    shape = int(scene.world[Bodies].first_shape[slot])
    assert scene.world[Shapes].size[shape, :2].tolist() == [1.5, 1.5]
    assert scene.world[Shapes].flags[shape] & BOX
    assert 1 / scene.world[Bodies].state[slot, 3] == pytest.approx(9)


def test_shear_is_refused_by_name(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture):
    """A rotated box below a parent with unequal scales would be sheared; it is left out, with one log message."""
    scene = yard()
    parent = scene.put(0, 0, scale=(3, 1))
    child = scene.world.spawn(Transform(rotation=0.6, parent=parent), Collider(size=(1, 1)))
    with caplog.at_level(logging.WARNING, "rish.physics"):
        scene.run(5)
    assert len(caplog.records) == 1
    assert "shear" in caplog.text
    assert not (scene.world[Shapes].entity == child).any()


def test_what_is_despawned_disabled_or_stripped_leaves_nothing(yard: Callable[..., Any]):
    """Despawned, disabled or removed parts leave no body, shape or contact, and their slots are reused."""
    scene = yard()
    scene.wall(0, -0.5, 20, 1)
    boxes = [scene.box(3.0 * k - 6, 0.5) for k in range(5)]
    scene.run(5)
    world = scene.world
    assert len(world[Contacts]) == 5
    world.despawn(boxes[0])
    world.add(boxes[1], Disabled())
    world.get(boxes[2], Body).enabled = False
    world.remove(boxes[3], Collider)
    world.remove(boxes[4], Body)
    scene.run()
    assert np.count_nonzero(world[Bodies].entity) == 3
    assert len(world[Contacts]) == 0
    assert scene.slot(boxes[3])
    assert world[Bodies].flags[scene.slot(boxes[4])] & TYPE == STATIC
    world.remove(boxes[1], Disabled)
    world.get(boxes[2], Body).enabled = True
    scene.run(2)
    assert len(world[Contacts]) == 2
    assert len(world[Bodies]) == 7
    free = len(world[Bodies]) - 1 + len(world[Shapes])
    assert len(world[Free]) == free - np.count_nonzero(world[Bodies].entity) - np.count_nonzero(world[Shapes].entity)


def test_type_shape_and_filter_change_while_it_runs(yard: Callable[..., Any]):
    """A static box can become dynamic, change its size, and change its mask while the game runs."""
    scene = yard()
    scene.wall(0, -0.5, 20, 1)
    box = scene.put(0, 3, Body(type="static"), Collider(size=(1, 1)))
    scene.run(30)
    assert scene.place(box) == [0, 3]
    scene.world.get(box, Body).type = "dynamic"
    scene.run(90)
    assert scene.place(box)[1] == pytest.approx(0.5, abs=0.01)
    assert scene.world[Bodies].flags[scene.slot(box)] & TYPE == DYNAMIC
    scene.world.get(box, Collider).size = (1, 2)
    scene.world.get(box, Transform).position = (0, 1.2)
    scene.run(90)
    assert scene.place(box)[1] == pytest.approx(1, abs=0.01)
    scene.world.get(box, Collider).mask = 0
    scene.run(60)
    assert scene.place(box)[1] < -2


def test_a_body_without_a_transform_is_named_and_left_out(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture):
    """A body without a Transform is logged and left out."""
    scene = yard()
    scene.world.spawn(Body(), Collider())
    with caplog.at_level(logging.WARNING, "rish.physics"):
        scene.run(3)
    assert "has no Transform" in caplog.text
    assert len(scene.world[Bodies]) == 1


def test_a_body_at_no_place_is_set_aside_until_it_is_placed_anew(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture
):
    """A body at NaN is set aside until it is placed again, and the body on top of it falls to the ground."""
    scene = yard()
    scene.wall(0, -0.5, 20, 1)
    lower, upper = scene.box(0, 0.5), scene.box(0, 1.5)
    scene.run(60)
    table = scene.world[Transform]
    table.position[table.row_of(lower)] = (np.nan, 0)
    table.mark()
    with caplog.at_level(logging.WARNING, "rish.physics"):
        scene.run(60)
    assert "removed from the simulation" in caplog.text
    assert scene.world[Bodies].flags[scene.slot(lower)] & (QUARANTINED | AWAKE) == QUARANTINED
    assert scene.place(upper)[1] == pytest.approx(0.5, abs=0.01)
    scene.world.get(lower, Transform).position = (4, 2)
    scene.run(60)
    assert scene.place(lower) == pytest.approx([4, 0.5], abs=0.01)


def test_a_speed_beyond_the_greatest_is_cut_down(yard: Callable[..., Any]):
    """A body with a huge velocity moves with `max_speed`."""
    scene = yard(gravity=[0, 0])
    stone = scene.ball(0, 0, body={"velocity": (1e9, 0)})
    scene.run()
    assert scene.velocity(stone)[0] == pytest.approx(400)


def test_a_body_without_weight_falls_like_any_other(yard: Callable[..., Any]):
    """A body without colliders, or with density 0, is a point of one kilogram."""
    scene = yard()
    bare = scene.put(0, 0, Body())
    light = scene.box(5, 0, density=0)
    scene.run(60)
    for entity in (bare, light):
        assert scene.place(entity)[1] == pytest.approx(-5, abs=0.1)
        assert scene.world[Bodies].state[scene.slot(entity), 3] == 1


def test_a_fingerprint_does_not_depend_on_other_bodies(yard: Any) -> None:
    """The fingerprint of a collider does not depend on other colliders in the same call."""
    from rish_physics import Collider
    from rish_physics.bodies.fingerprints import fingerprints_of

    scene = yard()
    plain = scene.world.spawn(Transform(), Collider())
    pointed = scene.world.spawn(Transform(), Collider(shape="polygon", points=[(0, 0), (1, 0), (0, 1)]))
    rows = scene.world.table(Collider).rows_of(np.array([plain, pointed]))
    frames, filters = np.tile([1.0, 0, 0, 1, 0, 0], (2, 1)), np.ones((2, 2), np.int32)
    together = fingerprints_of(scene.world, rows, frames, filters)
    alone = fingerprints_of(scene.world, rows[:1], frames[:1], filters[:1])
    assert np.array_equal(together[:1], alone)

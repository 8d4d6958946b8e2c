"""Queries of current contacts and overlaps."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rish_core import UsageError
from rish_physics import Body, Collider
from rish_physics.components import tables as t
from rish_physics.queries.touches import contacts_of, overlaps_of


@pytest.fixture
def heap(rig: ModuleType) -> Any:
    """Return a box on a floor, a ball on it, a sensor around it, and a body high above, after half a second."""
    scene = rig.Scene()
    scene.box(0, -1, 50, 1, t.STATIC)
    scene.box(0, 0.5, 0.5, 0.5)
    scene.circle(0, 1.3, 0.3)
    scene.box(0, 1, 2, 0.2, t.STATIC)
    scene.box(9, 30, 0.5, 0.5)
    made = rig.Rig(scene)
    made.world[t.Shapes].flags[3] |= t.SENSOR
    made.step(30)
    return made


def test_contacts_tell_both_sides(heap: Any) -> None:
    """`contacts_of` returns contacts with both neighbors, with normals away from the queried entity."""
    found = contacts_of(heap.world, 2)
    assert found.entity.tolist() == [2, 2]
    assert found.other.tolist() == found.other_body.tolist() == [1, 3]
    assert found.normal == pytest.approx(np.array([(0, -1), (0, 1)]), abs=1e-3)
    assert found.points.tolist() == [2, 1]
    assert found.point == pytest.approx(np.array([(0, 0), (0, 1)]), abs=0.02)
    assert np.abs(found.separation).max() < 0.02
    weights = np.array([1.0, np.pi * 0.09]) * 10 / 60 / 4
    assert found.impulse == pytest.approx([weights.sum(), weights[1]], rel=0.02)


def test_many_are_asked_at_once(heap: Any) -> None:
    """`contacts_of` accepts an array of entities, also with duplicates, entities without contacts, and unknown ones."""
    found = contacts_of(heap.world, np.array([3, 5, 2, 77, 3]))
    assert found.query.tolist() == [0, 2, 2, 4]
    assert found.other.tolist() == [2, 1, 3, 2]
    assert found.normal[0] == pytest.approx([0, -1], abs=1e-3)
    assert len(contacts_of(heap.world, np.zeros(0, np.int64))) == 0
    assert len(contacts_of(heap.world, 0)) == 0


def test_a_body_stands_for_all_of_its_colliders(heap: Any) -> None:
    """A child's collider is found by its own entity and by its body's entity."""
    heap.world[t.Shapes].entity[1] = 200
    for asked in (2, 200):
        found = contacts_of(heap.world, asked)
        assert found.entity.tolist() == [200, 200]
        assert found.body.tolist() == [2, 2]


def test_a_sensor_tells_what_it_holds(heap: Any) -> None:
    """`overlaps_of` returns the colliders and bodies in a sensor, and nothing for other entities."""
    found = overlaps_of(heap.world, 4)
    assert len(found) == 2
    assert found.query.tolist() == [0, 0]
    assert found.entity.tolist() == found.body.tolist() == [4, 4]
    assert sorted(found.other.tolist()) == sorted(found.other_body.tolist()) == [2, 3]
    assert overlaps_of(heap.world, np.array([2, 4])).query.tolist() == [1, 1]
    assert len(overlaps_of(heap.world, 2)) == 0
    assert len(contacts_of(heap.world, 4)) == 0


def test_nothing_touches_in_an_empty_world(rig: ModuleType) -> None:
    """In an empty world nothing touches, and names are refused as handles."""
    world = rig.empty_world()
    assert len(contacts_of(world, 1)) == 0
    assert len(overlaps_of(world, np.array([1, 2]))) == 0
    with pytest.raises(UsageError, match="handle"):
        contacts_of(world, np.array(["crate"]))


NOTCH = [(-9, -2), (9, -2), (9, 4), (0, 0), (-9, 4)]
"""An outline with a V on top, in two or more pieces."""


def test_pieces_with_one_normal_are_one_row(yard: Callable[..., Any]) -> None:
    """A box on the pieces of one flat floor has one row with the sums of all, as on a whole floor."""
    scene = yard()
    arch = [(8, 0), (0, 0), (-8, 0), (-8, -4), (0, -2), (8, -4)]
    floors = [scene.put(0, 0, Collider(shape="outline", points=arch)), scene.wall(40, -1, 16, 2)]
    line = [(x, 0.0) for x in range(88, 71, -1)]
    floors.append(scene.put(0, 0, Collider(shape="chain", points=line)))
    boxes = [scene.box(x + 0.5, 1, 6, 2) for x in (0, 40, 80)]
    scene.run(60)
    found = contacts_of(scene.world, np.array(boxes))
    assert found.query.tolist() == [0, 1, 2]
    assert found.other.tolist() == floors
    assert (found.points[[0, 2]] > 2).all()
    assert found.impulse == pytest.approx([12 * 10 / 60 / 4] * 3, rel=0.02)
    assert found.normal == pytest.approx(np.array([(0, -1)] * 3), abs=1e-3)
    assert found.point[1] == pytest.approx([40.5, 0], abs=0.02)
    assert found.point[:, 1] == pytest.approx(0, abs=0.02)
    assert abs(found.separation).max() < 0.02
    back = contacts_of(scene.world, np.array(floors))
    assert back.other.tolist() == boxes
    assert back.impulse == pytest.approx(found.impulse)


@pytest.mark.parametrize(
    "form", [{"shape": "outline", "points": NOTCH}, {"shape": "chain", "points": [(9, 4), (0, 0), (-9, 4)]}]
)
def test_a_ball_in_a_v_has_two_rows(yard: Callable[..., Any], form: dict[str, Any]) -> None:
    """A ball in the V of one collider touches it with two normals, in two rows."""
    scene = yard()
    ground, ball = scene.put(0, 0, Collider(**form)), scene.ball(0, 1.2, 1.0)
    scene.run(60)
    found = contacts_of(scene.world, ball)
    assert found.other.tolist() == [ground, ground]
    assert sorted(found.normal[:, 0]) == pytest.approx([-0.406, 0.406], abs=0.01)
    assert len(contacts_of(scene.world, ground)) == 2


def test_a_cut_sensor_holds_a_cut_visitor_once(yard: Callable[..., Any]) -> None:
    """A sensor and a visitor of several pieces each are one row, whichever of their pieces overlap."""
    scene = yard(gravity=(0, 0))
    sensor = scene.put(0, 0, Collider(shape="outline", points=NOTCH, sensor=True))
    visitors = [scene.put(x, -1, Body(), Collider(shape="outline", points=NOTCH)) for x in (0, 3)]
    scene.run(2)
    found = overlaps_of(scene.world, np.array([sensor, visitors[0]]))
    assert found.query.tolist() == [0, 0]
    assert found.entity.tolist() == [sensor, sensor]
    assert sorted(found.other.tolist()) == sorted(found.other_body.tolist()) == sorted(visitors)
    assert found.body.tolist() == [sensor, sensor]

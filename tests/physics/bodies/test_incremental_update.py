"""Adding and removing a few entities gives the same state, to the bit, as a synchronization of all entities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from physics_hand import Hand

from long_runs import long
from rish_core import Transform
from rish_physics import Body, Collider, apply_impulse
from rish_physics.bodies import incremental_update, shape_cache
from rish_physics.components.links import Links
from rish_physics.components.settings import PhysicsSettings
from rish_physics.components.tables import Bodies, Contacts, Ended, Free, Joints, Shapes, Woken
from rish_physics.sync import columns as sync

TABLES = (Bodies, Shapes, Contacts, Joints, Free, Ended, Woken)


def everything(world: Any) -> dict[str, bytes]:
    """Return the bytes of all solver tables, and of the columns that the solver writes."""
    found: dict[str, bytes] = {}
    for cls in (*TABLES, Transform, Body):
        table = world[cls]
        for name in table.schema.fields:
            if not name.startswith("last_"):
                found[f"{cls.__name__}.{name}"] = np.ascontiguousarray(table.column(name)).tobytes()
    return found


def assert_same(one: Any, other: Any) -> None:
    """Assert that both worlds and their links are equal."""
    first, second = everything(one), everything(other)
    assert [name for name in first if first[name] != second[name]] == []
    mine, plain = one[Links], other[Links]
    for name in ("slots", "holders", "children"):
        np.testing.assert_array_equal(getattr(mine, name), getattr(plain, name), name)
    for name in ("body_row", "place_row"):
        np.testing.assert_array_equal(getattr(mine, name)[mine.slots], getattr(plain, name)[mine.slots], name)
    both = min(len(mine.body_of), len(plain.body_of))  # one of them may have grown for more entities
    np.testing.assert_array_equal(mine.body_of[:both], plain.body_of[:both])
    np.testing.assert_array_equal(*(owner_of(world, world[Links].shape_of[:both]) for world in (one, other)))


def owner_of(world: Any, shapes: Any) -> Any:
    """Return the owners of these shapes, int64, 0 for none; reused shapes count for their current owner."""
    return np.where(shapes >= 0, world[Shapes].entity[np.maximum(shapes, 0)], 0)


@pytest.mark.slow
@settings(max_examples=long(15, 5), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.tuples(st.integers(0, 13), st.integers(0, 10_000)), max_size=4), min_size=1, max_size=25))
def test_a_few_are_counted_like_all(yard: Callable[..., Any], ticks: list[list[tuple[int, int]]]) -> None:
    """For any entities that are added, removed or reparented, slots, shapes, masses and contacts are the same."""
    with pytest.MonkeyPatch.context() as patch:
        one, other = Hand(yard()), Hand(yard())
        for hand in (one, other):
            hand.yard.run()
        for things in ticks:
            for hand, count in ((one, incremental_update.sync_added), (other, lambda *_: False)):
                patch.setattr(sync, "sync_added", count)
                for what, k in things:
                    hand.act(what, k)
                hand.yard.run()
            assert_same(one.world, other.world)


@pytest.mark.slow
def test_a_restored_world_goes_on_to_the_same_bits(yard: Callable[..., Any]) -> None:
    """A restored world, whose caches are empty, adds the next entities to the same bits as the first world."""
    first = Hand(yard())
    for k in range(28):
        first.act(k % 14, 7 * k)
        first.yard.run()
    saved, live = first.world.snapshot(), list(first.live)
    hashes: list[str] = []
    for _ in range(2):
        first.world.restore(saved)
        first.live = list(live)
        for k in range(12):
            first.act(k % 6, 11 * k)
            first.yard.run()
        hashes.append(first.world.hash())
    fresh = yard()
    fresh.world.restore(saved)
    second = Hand.__new__(Hand)
    second.yard, second.world, second.live = fresh, fresh.world, list(live)
    for k in range(12):
        second.act(k % 6, 11 * k)
        fresh.run()
    assert hashes[0] == hashes[1] == fresh.world.hash()


def test_a_shot_among_many_is_all_that_is_looked_at(yard: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """For an added entity that equals a previous one, the shape cache is used and no other collider is read again."""
    scene = yard()
    for k in range(300):
        scene.box(k % 30 * 2.0, 0.5 + k // 30 * 2)
    scene.ball(-9, 3)
    scene.run(2)
    scene.ball(-9, 5)
    scene.run()

    def never(*_: Any) -> Any:
        raise AssertionError("nobody needs to be assembled")

    monkeypatch.setattr(incremental_update, "_Update", never)
    monkeypatch.setattr(sync, "sync_registry", never)
    shot = scene.ball(-9, 7, body={"velocity": (3, 0)})
    scene.run(2)
    assert scene.velocity(shot)[0] == pytest.approx(3)
    bodies, shapes = scene.world[Bodies], scene.world[Shapes]
    slot = scene.slot(shot)
    assert shapes.entity[bodies.first_shape[slot]] == shot
    assert 1 / bodies.state[slot, 3] == pytest.approx(np.pi / 4)
    scene.world.despawn(shot)
    scene.run()
    assert not (bodies.entity == shot).any()
    assert not (shapes.entity == shot).any()


def test_what_falls_asleep_beside_an_arrival_keeps_its_row(yard: Callable[..., Any]) -> None:
    """If rows moved in the tick in which bodies wake, the column `asleep` is written for the right bodies."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    boxes = [scene.box(3.0 * k, 0.5) for k in range(6)]
    stone = scene.box(3.0 * 5, 1.5)
    scene.run(120)
    body = scene.world[Body]
    assert body.asleep.all()
    scene.world.despawn([boxes[0], stone])
    scene.run()
    assert not scene.world.get(boxes[5], Body).asleep
    assert [bool(scene.world.get(box, Body).asleep) for box in boxes[1:5]] == [True] * 4


@pytest.mark.slow
def test_the_shape_cache_knows_everything_that_shapes_a_body(yard: Callable[..., Any]) -> None:
    """A cached body equals a newly computed one, for every value that can differ between bodies."""
    bodies: list[dict[str, Any]] = [
        {}, {"mass": 3}, {"inertia": 2}, {"type": "kinematic"}, {"fixed_rotation": True}, {"gravity_scale": 0.5},
        {"linear_damping": 0.1}, {"center_of_mass": (0.1, 0), "center_of_mass_given": True}, {"bullet": True},
        {"allow_sleep": False},
        {"sleep_speed": 0.3},
    ]  # fmt: skip
    forms: list[dict[str, Any]] = [
        {}, {"density": 2}, {"friction": 0.1}, {"offset": (0.1, 0.2)}, {"rotation": 0.4}, {"group": -1}, {"mask": 3},
        {"category": 4}, {"one_way": (0, 1)}, {"restitution": 0.5}, {"size": (0.4, 0.6)}, {"radius": 0.1},
        {"collision_layer": "shots"}, {"shape": "polygon", "points": [(-0.3, -0.3), (0.4, -0.2), (0, 0.5)]},
        {"shape": "polygon", "points": [(-0.3, -0.3), (0.4, -0.2), (0, 0.6)]},
    ]  # fmt: skip
    kinds = [(body, {}, {}) for body in bodies] + [({}, form, {}) for form in forms] + [({}, {}, {"scale": (2, -1)})]
    scene = yard(layers={"shots": "none"})
    scene.run()
    for repeat in range(2):
        for k, (body, form, place) in enumerate(kinds):
            parts = Body(**body), Collider(**{"size": (0.5, 0.5), **form})
            entity = scene.put(3.0 * k, 50.0 * repeat + 3, *parts, **place)
            scene.run()
            if not repeat:  # this one was computed, and is cached for the next
                continue
            alone = yard(layers={"shots": "none"})
            twin = alone.put(3.0 * k, 50.0 * repeat + 3, *parts, **place)
            alone.run()
            for cls in (Bodies, Shapes):
                mine, theirs = scene.world[cls], alone.world[cls]
                slot, other = np.flatnonzero(mine.entity == entity), np.flatnonzero(theirs.entity == twin)
                for name in mine.schema.fields:
                    if name not in ("entity", "body", "first_shape"):
                        np.testing.assert_array_equal(mine.column(name)[slot], theirs.column(name)[other], name)
    assert len(scene.world[Links].cache.rows) == len(kinds) - 1  # the second plain one is not cached again


def test_the_shape_cache_is_bounded(yard: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache has a limited size, and is emptied when a setting changes."""
    monkeypatch.setattr(shape_cache, "_MAX_CACHED", 4)
    scene = yard()
    scene.run()
    for k in range(11):
        scene.ball(2.0 * k, 3, 0.2 + 0.01 * k)
        scene.run()
        assert len(scene.world[Links].cache.rows) <= 4
    scene.world[PhysicsSettings].density = 3.0
    heavy = scene.ball(-9, 9, 0.3)
    scene.run()
    assert 1 / scene.world[Bodies].state[scene.slot(heavy), 3] == pytest.approx(3 * np.pi * 0.09, rel=1e-5)
    assert len(scene.world[Links].cache.rows) == 1


def test_who_is_hung_on_a_body_is_one_more_shape_of_it_at_once(yard: Callable[..., Any]) -> None:
    """A wall that becomes a child of a body is one of its shapes at the next tick, and static again when released."""
    scene = yard(gravity=[0, 0])
    cart = scene.box(0, 0)
    flag = scene.wall(3, 0, 1, 1)
    scene.run()
    bodies, shapes = scene.world[Bodies], scene.world[Shapes]
    assert scene.slot(flag)
    scene.world.get(flag, Transform).parent = cart
    scene.run()
    assert not (bodies.entity == flag).any()
    assert shapes.body[shapes.entity == flag].tolist() == [scene.slot(cart)]
    assert 1 / bodies.state[scene.slot(cart), 3] == pytest.approx(2)
    scene.world.get(flag, Transform).parent = 0
    scene.run()
    assert shapes.body[shapes.entity == flag].tolist() == [scene.slot(flag)]
    assert 1 / bodies.state[scene.slot(cart), 3] == pytest.approx(1)


def test_who_has_just_come_can_be_pushed(yard: Callable[..., Any]) -> None:
    """An impulse can be applied to a body before its first step, and other shapes are not read again."""
    scene = yard(gravity=[0, 0])
    for k in range(100):
        scene.box(3.0 * k, 0)
    scene.run(2)
    before = scene.world[Shapes].known.copy()
    ball = scene.ball(-9, 0)
    apply_impulse(scene.world, ball, (np.pi / 4, 0))
    scene.run()
    assert scene.velocity(ball) == pytest.approx([1, 0])
    np.testing.assert_array_equal(scene.world[Shapes].known[: len(before)], before)

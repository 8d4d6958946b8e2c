"""Ray casts, shape casts and overlaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plain_gaps import Gap, box_gap, entries, hull_gap, into_frame, segment_gap
from rish_core import RishError
from rish_physics3d import (
    Body3D,
    Collider3D,
    overlap_box_3d,
    overlap_point_3d,
    overlap_shape_3d,
    overlap_sphere_3d,
    ray_cast_3d,
    ray_cast_all_3d,
    shape_cast_3d,
    shape_cast_all_3d,
)
from rish_space3d import Transform3D, quaternions

RNG = np.random.default_rng(7)
CORNERS = RNG.normal(size=(12, 3))
SHAPES: dict[str, tuple[dict[str, Any], Gap]] = {
    "sphere": ({"shape": "sphere", "radius": 0.8}, segment_gap(0, 0.8)),
    "capsule": ({"shape": "capsule", "radius": 0.4, "size": (0, 2.4, 0)}, segment_gap(0.8, 0.4)),
    "box": ({"size": (1, 2, 1.6)}, box_gap(np.array([0.5, 1, 0.8]))),
    "hull": ({"shape": "hull", "points": CORNERS.tolist()}, hull_gap(CORNERS.astype(np.float32).astype(np.float64))),
    "plane": ({"shape": "plane"}, lambda points: points[:, 1]),
}


def put_turned(game: Any, values: dict[str, Any]) -> tuple[int, Any, Any]:
    """Spawn a collider at a random pose; return its entity and pose."""
    position, rotation = RNG.uniform(-1, 1, 3), quaternions.normalized(RNG.normal(size=4))
    entity = game.put(*position.tolist(), Collider3D(**values), rotation=rotation.tolist())
    place = game.world.get(entity, Transform3D)
    return entity, np.array(place.position, np.float64), np.array(place.rotation, np.float64)


@pytest.mark.parametrize("kind", SHAPES)
def test_rays_enter_shapes_where_the_gap_vanishes(yard: Callable[..., Any], kind: str) -> None:
    """The shares of many rays are those at which the gap to the shape, in plain numpy, becomes 0; so are the normals
    those in which it grows.
    """
    values, gap = SHAPES[kind]
    game = yard()
    entity, *pose = put_turned(game, values)
    starts, ends = RNG.uniform(-4, 4, (300, 3)), RNG.uniform(-2, 2, (300, 3))
    local = into_frame(starts, *pose), into_frame(ends, *pose)
    hits = ray_cast_3d(game.world, starts, ends)
    expected = entries(gap, *local)
    hit = np.isfinite(expected)
    assert (hits.entity == np.where(hit, entity, 0)).all()
    assert hits.fraction[hit] == pytest.approx(expected[hit], abs=1e-5)
    assert hits.point[hit] == pytest.approx((starts + expected[:, None] * (ends - starts))[hit], abs=1e-4)
    assert (hits.fraction[~hit] == 1).all()
    along = into_frame(hits.point[hit] + 1e-3 * hits.normal[hit], *pose)
    assert gap(along) == pytest.approx(1e-3, abs=3e-5)
    inside = ray_cast_3d(game.world, starts, ends, inside=True)
    within = gap(local[0]) <= 0
    assert ((inside.fraction == 0) == within).all()
    assert not inside.normal[within].any()


@pytest.mark.parametrize("kind", SHAPES)
def test_spheres_and_points_overlap_what_is_near(yard: Callable[..., Any], kind: str) -> None:
    """A sphere overlaps a shape if the gap from its center is at most its radius; a point if it is inside."""
    values, gap = SHAPES[kind]
    game = yard()
    _, *pose = put_turned(game, values)
    points = RNG.uniform(-3, 3, (300, 3))
    far = gap(into_frame(points, *pose))
    assert np.abs(far - 0.5).min() > 1e-6
    found = overlap_sphere_3d(game.world, points, 0.5)
    assert found.query.tolist() == np.flatnonzero(far <= 0.5).tolist()
    assert overlap_point_3d(game.world, points).query.tolist() == np.flatnonzero(far <= 0).tolist()


@pytest.mark.parametrize("kind", SHAPES)
def test_a_moved_shape_hits_where_it_begins_to_overlap(yard: Callable[..., Any], kind: str) -> None:
    """Just before the hit of a rounded, rotated shape it overlaps nothing, and just behind it does; a shape that hits
    nothing overlaps nothing on its way.
    """
    game = yard()
    put_turned(game, SHAPES[kind][0])
    form = RNG.normal(size=(5, 3)) * 0.3
    rotation = RNG.normal(size=4)
    starts, ends = RNG.uniform(-5, 5, (100, 3)), RNG.uniform(-2, 2, (100, 3))
    hits = shape_cast_3d(game.world, form, starts, ends, radius=0.1, rotation=rotation)

    def overlaps(shares: Any) -> Any:
        found = overlap_shape_3d(
            game.world, form, starts + np.asarray(shares)[:, None] * (ends - starts), radius=0.1, rotation=rotation
        )
        return np.isin(np.arange(len(starts)), found.query)

    immediate = overlaps(np.zeros(100))
    assert (immediate == (hits.hit & (hits.fraction == 0))).all()
    later = hits.hit & ~immediate
    assert later.sum() > 10
    assert not overlaps(hits.fraction - 1e-4)[later].any()
    deep = hits.fraction + 1e-3 / np.maximum(-(hits.normal * (ends - starts)).sum(axis=1), 1e-3)
    assert overlaps(deep)[later & (deep < 1)].all()
    for share in np.linspace(0, 1, 9):
        assert not (overlaps(np.full(100, share)) & ~hits.hit).any()
        assert not overlaps(share * hits.fraction * 0.999)[later].any()


def test_many_shapes_are_searched_as_one_after_the_other(yard: Callable[..., Any]) -> None:
    """Among many shapes the first hit of each ray is the least of the shares of all, and `ray_cast_all_3d` has each of
    them; a box overlaps what spheres of no radius at its points and a shape of its corners do.
    """
    game = yard()
    alone: list[Any] = []
    starts, ends = RNG.uniform(-8, 8, (10, 3)), RNG.uniform(-8, 8, (10, 3))
    for k in range(16):
        values, gap = SHAPES[[*SHAPES][k % 4]]
        position, rotation = RNG.uniform(-6, 6, 3), quaternions.normalized(RNG.normal(size=4))
        game.put(*position.tolist(), Collider3D(**values), rotation=rotation.tolist())
        alone.append(entries(gap, into_frame(starts, position, rotation), into_frame(ends, position, rotation)))
    shares = np.array(alone)
    hits, every = ray_cast_3d(game.world, starts, ends), ray_cast_all_3d(game.world, starts, ends)
    assert hits.fraction == pytest.approx(np.minimum(shares.min(axis=0), 1), abs=1e-5)
    assert np.bincount(every.ray, minlength=10).tolist() == np.isfinite(shares).sum(axis=0).tolist()
    assert (np.diff(every.fraction)[np.diff(every.ray) == 0] >= 0).all()
    lone = [ray_cast_3d(game.world, tuple(a), tuple(b)) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    assert [hit.fraction if hit else 1.0 for hit in lone] == hits.fraction.tolist()
    sides = np.array([[0, 0, 0], [1, 2, 1]], np.float64)
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 1)])
    found = overlap_box_3d(game.world, starts + sides[1], starts + sides[0])
    same = overlap_shape_3d(game.world, corners, starts)
    assert found.query.tolist() == same.query.tolist()
    assert found.entity.tolist() == same.entity.tolist()
    assert (
        found.of(int(found.query[0])).tolist()
        == overlap_box_3d(game.world, tuple(starts[found.query[0]]), tuple(starts[found.query[0]] + sides[1])).tolist()
    )


def test_queries_choose_by_mask_sensor_and_entity(yard: Callable[..., Any]) -> None:
    """Layers of the mask, sensors only if they are asked for, and not the ignored collider or body."""
    game = yard(layers="{walls: all, ghosts: all}")
    wall = game.put(1, 0, 0, Collider3D(collision_layer="walls"))
    ghost = game.put(3, 0, 0, Body3D(gravity_scale=0), Collider3D(collision_layer="ghosts"))
    child = game.put(2, 0, 0, Collider3D(), parent=ghost)
    zone = game.put(-1, 0, 0, Collider3D(sensor=True))

    def first(**asked: Any) -> Any:
        hit = ray_cast_3d(game.world, (-5, 0, 0), (9, 0, 0), **asked)
        return hit and (hit.entity, hit.body)

    assert first() == (wall, 0)
    assert first(sensors=True) == (zone, 0)
    assert first(mask="ghosts") == (ghost, ghost)
    assert first(mask=["ghosts", "walls"]) == (wall, 0)
    assert first(ignore=wall) == (ghost, ghost)
    assert first(mask="default") == (child, ghost)
    assert first(mask="default", ignore=ghost) is None
    starts, ends = np.array([[-5.0, 0, 0]] * 2), np.array([[9.0, 0, 0]] * 2)
    hits = ray_cast_3d(game.world, starts, ends, ignore=np.array([wall, ghost]))
    assert hits.entity.tolist() == [ghost, wall]
    assert overlap_point_3d(game.world, (3, 0, 0)).tolist() == [ghost]
    hits = shape_cast_all_3d(game.world, [(0, 0, 0)], (-5, 0, 0), (9, 0, 0), radius=0.5, sensors=True)
    assert hits.entity.tolist() == [zone, wall, ghost, child]


def test_queries_see_what_was_moved_since_the_step(yard: Callable[..., Any]) -> None:
    """A query looks at the components as they are now: after a step, a teleport, a new collider and a despawned one."""
    game = yard(gravity=-10)
    ball = game.ball(0, 0, 0)
    game.run(10)
    y = float(game.position(ball)[1])
    hit = ray_cast_3d(game.world, (0, 9, 0), (0, -9, 0))
    assert hit.point[1] == pytest.approx(y + 0.5, abs=1e-5)
    game.world.set(ball, Transform3D(position=(0, 4, 0)))
    assert ray_cast_3d(game.world, (0, 9, 0), (0, -9, 0)).point[1] == pytest.approx(4.5, abs=1e-5)
    box = game.box(0, 6, 0)
    assert ray_cast_3d(game.world, (0, 9, 0), (0, -9, 0)).entity == box
    game.world.despawn(box)
    game.world.despawn(ball)
    assert ray_cast_3d(game.world, (0, 9, 0), (0, -9, 0)) is None
    assert len(ray_cast_3d(game.world, np.zeros((0, 3)), np.zeros((0, 3)))) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda world: ray_cast_3d(world, (0, 0, float("nan")), (0, 0, 1)), r"start\[0\] is .* not finite"),
        (lambda world: ray_cast_3d(world, (0, 0), (0, 0, 1)), "x, y and z"),
        (lambda world: ray_cast_3d(world, np.zeros((2, 3)), np.zeros((3, 3))), "2 start .* 3 end"),
        (lambda world: shape_cast_3d(world, np.zeros((65, 3)), (0, 0, 0), (1, 0, 0)), "1 to 64 points, got 65"),
        (lambda world: overlap_sphere_3d(world, (0, 0, 0), -1.0), "radius is -1"),
        (lambda world: overlap_shape_3d(world, [(0, 0, 0)], (0, 0, 0), rotation=(0, 0, 0, 0)), "length 0"),
        (lambda world: ray_cast_3d(world, (0, 0, 0), (1, 0, 0), mask="wals"), "no collision layer 'wals'"),
        (lambda world: overlap_point_3d(world, (0, 0, 0), ignore=np.zeros(2)), "2 entities for 1 queries"),
    ],
)
def test_mistakes_are_named(yard: Callable[..., Any], call: Any, words: str) -> None:
    """A wrong argument raises an error that names the call, the value and what is expected."""
    game = yard(layers="{walls: all}")
    with pytest.raises(RishError, match=words):
        call(game.world)


def test_a_box_is_cast_onto_a_parallel_face(yard: Callable[..., Any]) -> None:
    """A box that falls flat onto the face of a large box hits it at its height, with the normal of the face."""
    game = yard()
    game.ground(friction=0.5)
    corners = [(x, y, z) for x in (-0.3, 0.3) for y in (-0.9, 0.9) for z in (-0.3, 0.3)]
    starts = np.column_stack([RNG.uniform(-90, 90, 200), np.full(200, 0.902), RNG.uniform(-90, 90, 200)])
    hits = shape_cast_3d(game.world, corners, starts, starts - (0, 0.2, 0))
    assert hits.hit.all()
    assert hits.normal == pytest.approx(np.tile([0, 1, 0], (200, 1)), abs=1e-4)
    assert hits.point[:, 1] == pytest.approx(0.9, abs=1e-5)

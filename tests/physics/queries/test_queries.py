"""Queries of the world of shapes, compared with testing every shape."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_core import UnknownName, UsageError, World
from rish_jit import Array
from rish_physics.components import tables as t
from rish_physics.geometry.distance import distance
from rish_physics.geometry.hull import convex_hull
from rish_physics.geometry.ray import NEVER, ray_hull
from rish_physics.queries import queries as q
from rish_physics.queries.input import places_of


def some_world(rig: ModuleType, seed: int, count: int, spread: float = 12.0) -> World:
    """Return a world with hulls of every kind: static, moving, rotated, filtered, sensors, disabled, of all sizes."""
    random = np.random.default_rng(seed)
    world = rig.empty_world()
    for k in range(count):
        n = int(random.integers(1, 9))
        points = random.normal(0, 0.6, (n, 2)) * random.choice([0.4, 1.0, 5.0], p=[0.4, 0.55, 0.05])
        points = convex_hull(points) if n > 2 else points
        radius = float(random.uniform(0.1, 0.5)) if n < 3 or k % 3 == 0 else 0.0
        kind = int(random.integers(0, 3))
        x, y = random.uniform(-spread, spread, 2)
        rig.add_hull(world, x, y, points, radius, kind, angle=float(random.uniform(-3, 3)))
    chains(world, rig, random)
    shapes = world[t.Shapes]
    shapes.entity[:] += 1000
    n = len(shapes)
    shapes.filter[:, 0] = 1 << random.integers(0, 4, n)
    shapes.flags[random.random(n) < 0.1] |= t.SENSOR
    shapes.flags[random.random(n) < 0.05] &= ~t.SHAPE_ENABLED
    world[t.Bodies].flags[1 + np.flatnonzero(random.random(n) < 0.05)] |= t.QUARANTINED
    return world


def chains(world: World, rig: ModuleType, random: np.random.Generator) -> None:
    """Add some segments of chains: ghost, first, second, ghost."""
    for _ in range(6):
        first, second = random.normal(0, 1, (2, 2))
        edge = second - first
        row = np.zeros(32)
        row[:8] = *(first - edge), *first, *second, *(second + edge)
        row[18:20] = np.array([edge[1], -edge[0]]) / np.hypot(*edge)
        x, y = random.uniform(-8, 8, 2)
        rig.add_hull(world, x, y, [first, second], kind=t.STATIC, flags=t.CHAIN, row=row)


def seen(world: World, s: int, mask: int, sensors: bool, ignore: int) -> bool:
    """Return True if a query tests a shape."""
    shapes, bodies = world[t.Shapes], world[t.Bodies]
    flags, body = int(shapes.flags[s]), int(shapes.body[s])
    return (
        bool(flags & t.SHAPE_ENABLED)
        and not bodies.flags[body] & t.QUARANTINED
        and bool(shapes.filter[s, 0] & mask)
        and (sensors or not flags & t.SENSOR)
        and ignore not in (shapes.entity[s], bodies.entity[body])
    )


def local(world: World, s: int, place: Array) -> Array:
    """Return points of the world in the frame of a shape's body, float64."""
    x, y, c, sine = world[t.Bodies].pose[world[t.Shapes].body[s]].astype(np.float64)
    return (place - (x, y)) @ np.array([[c, -sine], [sine, c]])


def outline(world: World, s: int) -> tuple[int, int, np.float64]:
    """Return the offset of a shape's points in the column of hulls, their number, and the radius."""
    shapes = world[t.Shapes]
    flags = int(shapes.flags[s])
    start, n = (32 * s + 2, 2) if flags & t.CHAIN else (32 * s, flags & t.POINTS)
    return start, n, np.float64(shapes.size[s, 2])


def each_ray(
    world: World, start: Array, end: Array, mask: int, sensors: bool, ignore: int, inside: bool
) -> list[tuple[float, int]]:
    """Return (fraction, entity) of every shape that a ray hits, nearest first, by testing all of them."""
    shapes, found = world[t.Shapes], []
    for s in range(len(shapes)):
        if not seen(world, s, mask, sensors, ignore):
            continue
        a, b = local(world, s, np.stack([start, end]))
        o, n, radius = outline(world, s)
        hull = shapes.flat("hull")
        if shapes.flags[s] & t.CHAIN and (b - a) @ hull[o + 16 : o + 18] >= 0:
            continue
        share, nx, ny = ray_hull(hull, o, n, radius, *a, *(b - a))
        if share < NEVER and (inside or (nx, ny) != (0, 0)):
            found.append((float(share), s, int(shapes.entity[s])))
    return [(share, entity) for share, _, entity in sorted(found)]


RAYS, PLACES = long(150, 50), long(60, 20)


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 3, 250])
@pytest.mark.parametrize(("mask", "sensors", "inside"), [(-1, False, False), (-1, True, True), (6, True, False)])
def test_rays_hit_what_asking_every_shape_finds(
    rig: ModuleType, count: int, mask: int, sensors: bool, inside: bool
) -> None:
    """Rays find the same as a test of every shape, for masks, sensors and ignored entities."""
    world = some_world(rig, count, count)
    random = np.random.default_rng(1)
    starts = random.uniform(-14, 14, (RAYS, 2))
    ends = starts + random.normal(0, 8, (RAYS, 2))
    ends[:10, 0] = starts[:10, 0]
    ends[10:20, 1] = starts[10:20, 1]
    ignore = random.integers(1, max(count, 2), RAYS) + random.choice([0, 1000], RAYS)
    first = q.ray_cast(world, starts, ends, mask=mask, sensors=sensors, ignore=ignore, inside=inside)
    every = q.ray_cast_all(world, starts, ends, mask=mask, sensors=sensors, ignore=ignore, inside=inside)
    assert len(first) == RAYS
    hits = 0
    for k in range(RAYS):
        wanted = each_ray(world, starts[k], ends[k], mask, sensors, int(ignore[k]), inside)
        rows = every.ray == k
        assert every.entity[rows].tolist() == [entity for _, entity in wanted]
        assert every.fraction[rows] == pytest.approx([share for share, _ in wanted], abs=1e-6)
        assert first.entity[k] == (wanted[0][1] if wanted else 0)
        assert first.fraction[k] == pytest.approx(wanted[0][0] if wanted else 1, abs=1e-6)
        hits += len(wanted)
    assert 4 * hits > RAYS or count < 250
    assert first.hit.tolist() == (first.entity != 0).tolist()
    assert first.point == pytest.approx(starts + first.fraction[:, None] * (ends - starts), abs=1e-4)
    assert np.hypot(*first.normal[first.hit & (first.fraction > 0)].T) == pytest.approx(1, abs=1e-5)
    assert not first.normal[~first.hit].any()


def each_overlap(world: World, points: Array, radius: float, mask: int, sensors: bool, ignore: int) -> list[int]:
    """Return the entities of all shapes that a form overlaps; points: in the world."""
    shapes, found = world[t.Shapes], []
    for s in range(len(shapes)):
        if seen(world, s, mask, sensors, ignore):
            o, n, more = outline(world, s)
            form = local(world, s, points).astype(np.float32).ravel()
            if distance(shapes.flat("hull"), o, n, form, 0, len(points))[0] <= radius + more:
                found.append(int(shapes.entity[s]))
    return found


@pytest.mark.slow
def test_overlaps_are_what_asking_every_shape_finds(rig: ModuleType) -> None:
    """Overlaps of points, circles, boxes and rotated forms equal a test of every shape."""
    world = some_world(rig, 4, 250)
    random = np.random.default_rng(2)
    places, sizes = random.uniform(-13, 13, (PLACES, 2)), random.uniform(0, 3, (PLACES, 2))
    angles = random.uniform(-3, 3, PLACES)
    form = convex_hull(random.normal(0, 1, (6, 2)))
    points, circles = q.overlap_point(world, places), q.overlap_circle(world, places, 0.7, sensors=True)
    boxes = q.overlap_box(world, places, places - sizes, mask=5)
    forms = q.overlap_shape(world, form, places, radius=0.2, angle=angles, ignore=7)
    total = 0
    for k, place in enumerate(places):
        x, y = place
        w, h = sizes[k]
        corners = np.array([(x - w, y - h), (x, y - h), (x, y), (x - w, y)])
        c, s = np.cos(angles[k]), np.sin(angles[k])
        turned = place + form @ np.array([[c, s], [-s, c]])
        assert points.of(k).tolist() == each_overlap(world, place[None], 0, -1, False, 0)
        assert circles.of(k).tolist() == each_overlap(world, place[None], 0.7, -1, True, 0)
        assert boxes.of(k).tolist() == each_overlap(world, corners, 0, 5, False, 0)
        assert forms.of(k).tolist() == each_overlap(world, turned, 0.2, -1, False, 7)
        assert q.overlap_point(world, place).tolist() == points.of(k).tolist()
        assert q.overlap_circle(world, place, 0.7, sensors=True).tolist() == circles.of(k).tolist()
        assert q.overlap_box(world, place, place - sizes[k], mask=5).tolist() == boxes.of(k).tolist()
        single = q.overlap_shape(world, form, place, radius=0.2, angle=angles[k], ignore=7)
        assert single.tolist() == forms.of(k).tolist()
        total += len(circles.of(k))
    assert total > PLACES // 2
    assert len(points) == len(points.entity) == len(points.body)


def test_a_moved_form_stops_where_it_touches(rig: ModuleType) -> None:
    """A shape cast stops where the form touches: it overlaps nothing new before, and something after."""
    world = some_world(rig, 5, 120)
    random = np.random.default_rng(3)
    form = np.array([(-0.3, -0.2), (0.3, -0.2), (0.3, 0.2), (-0.3, 0.2)])
    starts = random.uniform(-12, 12, (80, 2))
    ways = random.normal(0, 6, (80, 2))
    for points, radius in ((form, 0.1), (form, 0.0), (np.zeros((1, 2)), 0.4)):
        hits = q.shape_cast(world, points, starts, starts + ways, radius=radius, angle=0.5)
        for k in range(80):
            if hits.fraction[k] == 0:
                assert hits.entity[k] in q.overlap_shape(world, points, starts[k], radius=radius + 0.01, angle=0.5)
                continue
            length = np.hypot(*ways[k])
            before, after = (starts[k] + ways[k] * (hits.fraction[k] + d / length) for d in (-0.01, 0.01))
            free = q.overlap_shape(world, points, before, radius=max(radius - 0.005, 0), angle=0.5)
            assert not [e for e in free.tolist() if not one_sided(world, e)]
            if hits.hit[k]:
                touched = q.overlap_shape(world, points, after, radius=radius + 0.005, angle=0.5)
                assert hits.entity[k] in touched
                assert hits.normal[k] @ ways[k] < 0
                assert np.hypot(*hits.normal[k]) == pytest.approx(1, abs=1e-5)
        assert 20 < hits.hit.sum() < 80


def one_sided(world: World, entity: int) -> bool:
    """Return True if an entity's shape is one-sided."""
    shapes = world[t.Shapes]
    return bool(shapes.flags[shapes.entity == entity][0] & t.CHAIN)


def test_a_circle_is_cast_like_a_ray_against_thicker_shapes(rig: ModuleType) -> None:
    """A cast circle stops one radius before a wall."""
    world = rig.empty_world()
    wall = rig.add_hull(world, 10, 0, [(-1, -5), (1, -5), (1, 5), (-1, 5)], kind=t.STATIC)
    hit = q.shape_cast(world, [(0, 0)], (0, 0), (20, 0), radius=0.5)
    assert hit is not None
    assert (hit.entity, hit.body) == (wall, wall)
    assert hit.point == pytest.approx([8.5, 0])
    assert hit.normal == pytest.approx([-1, 0])
    assert q.shape_cast(world, [(0, 0)], (0, 0), (20, 0), radius=0.5, ignore=wall) is None
    started = q.shape_cast(world, [(0, 0)], (9, 0), (20, 0), radius=0.5)
    assert started is not None
    assert (started.fraction, started.normal.tolist()) == (0, [0, 0])
    assert q.shape_cast(world, [(0, 0)], (9, 0), (20, 0), radius=0.5, inside=False) is None


def test_a_chain_is_hit_from_its_solid_side_only(rig: ModuleType) -> None:
    """A chain is hit from its solid side only."""
    world = rig.empty_world()
    row = np.zeros(32)
    row[:8] = -2, 0, -1, 0, 1, 0, 2, 0
    row[18:20] = 0, -1
    rig.add_hull(world, 0, 0, [(-1, 0), (1, 0)], kind=t.STATIC, flags=t.CHAIN, row=row)
    assert q.ray_cast(world, (0, -2), (0, 2)) is not None
    assert q.ray_cast(world, (0, 2), (0, -2)) is None
    assert q.ray_cast(world, (1.5, -2), (1.5, 2)) is None


def test_answers_follow_what_moves_comes_and_goes(rig: ModuleType) -> None:
    """Queries in the next tick find bodies at their new places, and no removed ones."""
    scene = rig.Scene()
    ball = scene.circle(0, 5, 0.5) + 1
    scene.box(0, -1, 50, 1, t.STATIC)
    made = rig.Rig(scene)
    for _ in range(3):
        hit = q.ray_cast(made.world, (-9, made.poses()[0, 1]), (9, made.poses()[0, 1]))
        assert hit is not None
        assert hit.entity == ball
        made.step(30)
        assert q.ray_cast(made.world, (-9, 5), (9, 5)) is None
    made.world[t.Shapes].flags[0] = 0
    assert q.ray_cast(made.world, (-9, made.poses()[0, 1]), (9, made.poses()[0, 1])) is None


def test_asking_changes_nothing(rig: ModuleType) -> None:
    """Queries do not change the hash of later ticks."""
    asked, other = rig.Rig(rig.circles(60)), rig.Rig(rig.circles(60))
    for _ in range(12):
        for made in (asked, other):
            made.step(5)
        q.ray_cast(asked.world, np.zeros((20, 2)), np.ones((20, 2)) * 9)
        q.overlap_circle(asked.world, (0, 3), 5)
        assert asked.world.hash() == other.world.hash()


def test_picking_prefers_what_moves_and_what_is_new(rig: ModuleType) -> None:
    """`pick` prefers dynamic and newer bodies, and finds bodies within its reach."""
    world = rig.empty_world()
    box = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    rig.add_hull(world, 0, 0, box)
    top = rig.add_hull(world, 0.5, 0, box)
    rig.add_hull(world, 0, 0, box, kind=t.STATIC)
    assert q.pick(world, (0.2, 0)) == top
    assert q.pick(world, (2.0, 0)) is None
    assert q.pick(world, (2.0, 0), reach=0.6) == top
    assert q.pick(world, [(0.2, 0), (9, 9), (-0.9, 0)]).tolist() == [top, 0, 1]
    assert q.pick(world, np.zeros((0, 2))).tolist() == []


def test_a_mask_may_name_layers(rig: ModuleType) -> None:
    """A mask can be one or several names of layers; an unknown name is refused with the nearest."""
    world = rig.empty_world(layers={"walls": "all", "enemies": "all"})
    for k in range(3):
        slot = rig.add_hull(world, 0, k, [(-1, 0), (1, 0)], radius=0.2, kind=t.STATIC)
        world[t.Shapes].filter[slot - 1, 0] = 1 << k
    below, above = (0, -5), (0, 5)
    assert [q.ray_cast(world, below, above, mask=m).entity for m in ("default", "walls", "enemies")] == [1, 2, 3]  # pyright: ignore[reportOptionalMemberAccess]
    assert q.ray_cast_all(world, below, above, mask=["default", "enemies"]).entity.tolist() == [1, 3]
    assert q.ray_cast_all(world, below, above, mask=0b110).entity.tolist() == [2, 3]
    assert q.ray_cast(world, below, above, mask=0) is None
    with pytest.raises(UnknownName, match=r"enemy.*did you mean 'enemies'"):
        q.ray_cast(world, below, above, mask="enemy")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda w: q.ray_cast(w, [(0, 0), (float("nan"), 0)], [(1, 1), (1, 1)]), r"ray_cast: start\[1\] is \(nan"),
        (lambda w: q.ray_cast(w, (0, 0), (float("inf"), 0)), r"ray_cast: end is \(inf, 0\)"),
        (lambda w: q.ray_cast(w, [(0, 0)], [(1, 1), (1, 1)]), "got 1 start or low points and 2 end or high points"),
        (lambda w: q.ray_cast(w, 3, (1, 1)), "start should be points"),
        (lambda w: q.ray_cast(w, [1, 2, 3], [(1, 1)]), "start should be a point"),
        (lambda w: q.ray_cast(w, "here", (1, 1)), "start should be points"),
        (lambda w: q.ray_cast(w, [(0, 0)], [(1, 1)], ignore=np.array([1, 2])), "`ignore` has 2 entities for 1"),
        (lambda w: q.shape_cast(w, [], (0, 0), (1, 1)), "a shape must have 1 to 8 points, got 0"),
        (lambda w: q.shape_cast(w, [(0, 0)] * 9, (0, 0), (1, 1)), "a shape must have 1 to 8 points, got 9"),
        (lambda w: q.shape_cast(w, [(0, 0), (1, 1), (2, 2)], (0, 0), (1, 1)), "are on one line"),
        (lambda w: q.shape_cast(w, [(0, 0)], (0, 0), (1, 1), radius=-1), "the radius is -1"),
        (lambda w: q.shape_cast(w, [(0, 0)], (0, 0), (1, 1), angle=float("nan")), "the angle is nan"),
        (lambda w: q.overlap_circle(w, (0, 0), float("nan")), "the radius is nan"),
        (lambda w: q.overlap_shape(w, [(0, 0)], [(0, 0)], angle=np.zeros(2)), "one for each of the 1 places"),
    ],
)  # fmt: skip
def test_what_is_no_question_is_reported(rig: ModuleType, call: Any, message: str) -> None:
    """An invalid query is refused with the name of the call and the wrong argument."""
    with pytest.raises(UsageError, match=message):
        call(rig.empty_world())


def test_no_rays_and_rays_of_no_length_find_nothing(rig: ModuleType) -> None:
    """No rays, and rays of no length, find nothing and raise no error."""
    world = some_world(rig, 6, 40)
    none = q.ray_cast(world, np.zeros((0, 2)), np.zeros((0, 2)))
    assert len(none) == len(none.entity) == len(none.point) == 0
    assert len(q.ray_cast_all(world, [], [])) == 0
    assert len(q.overlap_point(world, [])) == 0
    places = np.random.default_rng(0).uniform(-12, 12, (200, 2))
    assert not q.ray_cast(world, places, places).hit.any()
    held = q.ray_cast(world, places, places, inside=True)
    assert np.array_equal(held.hit, np.isin(np.arange(200), q.overlap_point(world, places).query))
    assert places_of("call", "what", []).shape == (0, 2)


def test_a_ray_far_out_keeps_its_digits(rig: ModuleType) -> None:
    """A ray of a hundred thousand units finds a ball with an accuracy of 0.01."""
    world = rig.empty_world()
    rig.add_hull(world, 100, 50, [(0, 0)], radius=0.5)
    hits = q.ray_cast_all(world, [(-1e5, 50.25), (100, 1e5)], [(1e5, 50.25), (100, -1e5)])
    assert hits.ray.tolist() == [0, 1]
    assert hits.point == pytest.approx(np.array([(100 - 0.4330127, 50.25), (100, 50.5)]), abs=1e-2)

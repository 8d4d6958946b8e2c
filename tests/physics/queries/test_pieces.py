"""Queries treat a collider that was cut into convex pieces as one shape: compared with the geometry of its polygon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from plain_outlines import distances, entries, meets, normals, star
from rish_core import Disabled, Transform
from rish_physics import (
    Body,
    Collider,
    overlap_box,
    overlap_circle,
    overlap_point,
    overlap_shape,
    pick,
    ray_cast,
    ray_cast_all,
    shape_cast,
    shape_cast_all,
)
from rish_physics.components.tables import PIECE, Shapes

Floats = npt.NDArray[Any]
ARROW = [(-20, -20), (20, -20), (20, 20), (0, 0), (-20, 20)]
BOX = np.array([(-0.15, -0.1), (0.15, -0.1), (0.15, 0.1), (-0.15, 0.1)])
APART = 8.0
"""The distance between two outlines of the field."""


class Field:
    """Random outlines, each alone: static, dynamic, as a child, scaled, mirrored, rotated, some of them rounded.

    entities: of the colliders. polygons: their corners in the world. radii: in the world.
    """

    def __init__(self, scene: Any, count: int, seed: int) -> None:
        self.world = scene.world
        self.random = random = np.random.default_rng(seed)
        self.entities: list[int] = []
        self.polygons: list[Floats] = []
        self.radii = [0.0 if k % 2 else 0.12 for k in range(count)]
        self.centers = APART * np.column_stack([np.arange(count) % 6, np.arange(count) // 6])
        for k, (x, y) in enumerate(self.centers.tolist()):
            points, size = star(random, int(random.integers(5, 15))), float(random.uniform(0.8, 1.6))
            scale = (size, -size if k % 3 == 0 else size)
            angle, turn = random.uniform(-3, 3, 2).tolist()
            collider = Collider(shape="outline", points=points, radius=self.radii[k], offset=(0.1, -0.2), rotation=turn)
            place = {"rotation": angle, "scale": scale}
            if k % 4 < 2:
                self.entities.append(scene.put(x, y, *([Body()] if k % 4 else []), collider, **place))
                at = np.zeros(2)
            else:
                at = np.array([0.3, 0.1])
                parent = scene.put(x, y, Body(), **place)
                self.entities.append(self.world.spawn(Transform(position=tuple(at), parent=parent), collider))
            self.radii[k] *= size
            local = rotated(points, turn) + np.array([0.1, -0.2]) + at
            self.polygons.append(rotated(local * scale, angle) + self.centers[k])
        scene.run()
        assert np.count_nonzero(self.world[Shapes].flags & PIECE) > 2 * count

    def rays(self, each: int) -> tuple[Floats, Floats, Floats]:
        """Return starts and ends of rays across each outline, half from near its center, and the outline's number."""
        which = np.repeat(np.arange(len(self.centers)), each)
        spread = np.where(np.arange(len(which)) % 2, 2.0, 0.8)[:, None]
        starts = self.centers[which] + spread * self.random.uniform(-1, 1, (len(which), 2))
        ends = self.centers[which] + self.random.uniform(-2, 2, (len(which), 2))
        return starts, ends, which


def rotated(points: Floats, angle: float) -> Floats:
    """Return points rotated about the origin."""
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[c, s], [-s, c]])


@pytest.fixture
def field(yard: Callable[..., Any]) -> Field:
    """Return a field of 24 outlines."""
    return Field(yard(gravity=(0, 0)), 24, 5)


def sure(polygon: Floats, radius: float, start: Floats, end: Floats) -> bool:
    """Return True if rays beside a ray enter a polygon as often, so that rounding does not decide."""
    way = end - start
    beside = 2e-3 * np.array([-way[1], way[0]]) / np.hypot(*way)
    ways = [entries(polygon, radius, start + beside * k, end + beside * k) for k in (-1, 0, 1)]
    near = abs(distances(polygon, np.array([start, end])) - radius).min() < 2e-3
    return not near and len({(inside, len(shares)) for inside, shares in ways}) == 1


@pytest.mark.parametrize("radius", [None, 0.2])
def test_rays_and_circles_enter_an_outline_where_its_polygon_is_entered(field: Field, radius: float | None) -> None:
    """A ray and a cast circle hit an outline at each entry into its polygon, with the normal of the polygon there."""
    starts, ends, which = field.rays(20)
    cast: Any = ray_cast if radius is None else lambda *a, **o: shape_cast(a[0], [(0, 0)], *a[1:], radius=radius, **o)
    every: Any = (
        ray_cast_all if radius is None else lambda *a, **o: shape_cast_all(a[0], [(0, 0)], *a[1:], radius=radius, **o)
    )
    first, all_ = (call(field.world, starts, ends, inside=False) for call in (cast, every))
    held, all_held = (call(field.world, starts, ends, inside=True) for call in (cast, every))
    compared = within = again = 0
    for k, number in enumerate(which.tolist()):
        polygon, whole = field.polygons[number], field.radii[number] + (radius or 0.0)
        if not sure(polygon, whole, starts[k], ends[k]):
            continue
        inside, shares = entries(polygon, whole, starts[k], ends[k])
        rows = all_.ray == k
        assert all_.fraction[rows] == pytest.approx(shares, abs=1e-4)
        assert (all_.entity[rows] == field.entities[number]).all()
        assert first.fraction[k] == pytest.approx(shares[0] if len(shares) else 1, abs=1e-4)
        assert first.hit[k] == (len(shares) > 0)
        assert all_held.fraction[all_held.ray == k] == pytest.approx([0.0] * inside + shares.tolist(), abs=1e-4)
        assert held.fraction[k] == pytest.approx(0 if inside else first.fraction[k], abs=1e-6)
        if inside:
            assert held.entity[k] == field.entities[number]
            assert held.normal[k].tolist() == [0, 0]
        for normal, point in zip(all_.normal[rows], all_.point[rows], strict=True):
            assert normal @ (ends[k] - starts[k]) < 0
            assert abs(normals(polygon, whole, point) - normal).max(axis=1).min() < 2e-3
        compared, within, again = compared + 1, within + inside, again + (len(shares) > 1 - inside)
    assert compared > 400
    assert within > 80
    assert again > 10


def test_a_box_is_stopped_where_it_meets_the_polygon(field: Field) -> None:
    """A cast box hits an outline each time it begins to overlap its polygon, and not while it overlaps it."""
    starts, ends, which = field.rays(3)
    hits = shape_cast_all(field.world, BOX, starts, ends, inside=False)
    first = shape_cast(field.world, BOX, starts, ends, inside=False)
    shares, compared, again = np.linspace(0, 1, 30), 0, 0
    for k, number in enumerate(which.tolist()):
        polygon, radius = field.polygons[number], field.radii[number]
        path = starts[k] + shares[:, None] * (ends[k] - starts[k])
        now, more = (
            np.array([meets(polygon, max(radius + extra, 1e-9), BOX + at) for at in path]) for extra in (0.0, 0.02)
        )
        if now[0] and radius:  # a start that overlaps the rounded border alone is a touch, not an overlap
            continue
        rises = np.flatnonzero(now[1:] & ~now[:-1])
        if len(np.flatnonzero(more[1:] & ~more[:-1])) != len(rises) or now[0] != more[0] or now[-1] != more[-1]:
            continue
        found = hits.fraction[hits.ray == k]
        assert len(found) == len(rises)
        assert (abs(found - shares[rises] - 0.5 / 29) < 1.5 / 29).all()
        assert first.fraction[k] == (found[0] if len(found) else 1)
        compared, again = compared + 1, again + (len(rises) > 1 - int(now[0]))
    assert compared > 40
    assert again > 1


def test_an_outline_overlaps_once_where_its_polygon_overlaps(field: Field) -> None:
    """Points, circles, boxes and rotated forms overlap an outline once where they overlap its polygon."""
    _, places, which = field.rays(12)
    angles = field.random.uniform(-3, 3, len(places))
    form = np.array([(-0.3, -0.1), (0.4, 0.0), (0.0, 0.3)])
    forms = [
        (np.zeros((1, 2)), 0.0, overlap_point(field.world, places)),
        (np.zeros((1, 2)), 0.5, overlap_circle(field.world, places, 0.5)),
        (BOX, 0.0, overlap_box(field.world, places + BOX[0], places + BOX[2])),
        (form, 0.1, overlap_shape(field.world, form, places, radius=0.1, angle=angles)),
    ]
    hits, picked = 0, pick(field.world, places)
    for points, more, found in forms:
        for k, number in enumerate(which.tolist()):
            there = (rotated(points, angles[k]) if points is form else points) + places[k]
            radius = field.radii[number] + more
            wanted = {meets(field.polygons[number], max(radius + extra, 0), there) for extra in (-1e-3, 1e-3)}
            if len(wanted) == 1 and (radius > 0 or distances(field.polygons[number], there).min() > 1e-3):
                assert found.of(k).tolist() == [field.entities[number]] * int(wanted.pop())
                assert more or len(points) > 1 or bool(picked[k]) == (len(found.of(k)) > 0)
                hits += len(found.of(k))
    assert hits > 300
    single = overlap_circle(field.world, tuple(field.centers[3]), 2.0)
    assert single.tolist() == [field.entities[3]]


def test_several_colliders_are_ordered_by_their_first_shape(yard: Callable[..., Any]) -> None:
    """Overlaps have the colliders in the order of their first shapes, also where pieces of others lie between."""
    scene = yard(gravity=(0, 0))
    body = scene.put(0, 0, Body())
    colliders = [scene.world.spawn(Transform(parent=body), Collider(shape="outline", points=ARROW)) for _ in range(3)]
    colliders.insert(1, scene.put(0, -10, Collider(size=(4, 4))))
    scene.run()
    shapes = scene.world[Shapes]
    found = overlap_circle(scene.world, [(0, -8), (500, 0), (0, -8)], 9.0)
    assert found.query.tolist() == [0] * 4 + [2] * 4
    firsts = [int(np.flatnonzero(shapes.entity == entity)[0]) for entity in found.of(0)]
    assert firsts == sorted(firsts)
    assert sorted(found.of(2).tolist()) == sorted(colliders)


LATTICE = [(x, -4) for x in range(-4, 4)] + [(4, y) for y in range(-4, 4)]
LATTICE += [(-x, -y) for x, y in LATTICE]


def test_a_cut_square_is_hit_like_a_whole_one(yard: Callable[..., Any]) -> None:
    """Rays along sides, seams and diagonals, through corners and from them, hit a cut square like a polygon."""
    scene = yard(gravity=(0, 0))
    whole = scene.put(0, 0, Collider(shape="polygon", points=[(-4, -4), (4, -4), (4, 4), (-4, 4)]))
    cut = scene.put(100, 0, Collider(shape="outline", points=LATTICE))
    scene.run()
    assert np.count_nonzero(scene.world[Shapes].entity == cut) > 3
    grid = np.array([(x, y) for x in range(-6, 7, 2) for y in range(-6, 7, 2)], np.float64)
    starts, ends = np.repeat(grid, len(grid), 0), np.tile(grid, (len(grid), 1))
    for inside in (False, True):
        one, two = (ray_cast_all(scene.world, starts + x, ends + x, inside=inside) for x in (0, (100, 0)))
        assert set(one.entity) == {whole}
        assert set(two.entity) == {cut}
        assert one.ray.tolist() == two.ray.tolist()
        np.testing.assert_allclose(one.fraction, two.fraction, atol=1e-6)
        corner = (abs(one.point) > 3.999).all(axis=1)
        np.testing.assert_allclose(one.normal[~corner], two.normal[~corner], atol=1e-6)
        assert (abs(two.normal[corner]).max(axis=1) == (one.fraction[corner] > 0)).all()
        near, first = (ray_cast(scene.world, starts + x, ends + x, inside=inside) for x in (0, (100, 0)))
        assert near.hit.tolist() == first.hit.tolist()
        np.testing.assert_allclose(near.fraction, first.fraction, atol=1e-6)


def test_a_ray_from_within_an_outline_passes_its_seams(yard: Callable[..., Any]) -> None:
    """A ray that begins inside an arrow leaves it without a hit, and is hit where it enters the other arm."""
    scene = yard(gravity=(0, 0))
    arrow = scene.put(0, 0, Collider(shape="outline", points=ARROW))
    scene.run()
    assert ray_cast(scene.world, (1, -5), (100, -5)) is None
    assert len(ray_cast_all(scene.world, (1, -5), (100, -5))) == 0
    assert len(ray_cast_all(scene.world, (-100, -5), (100, -5))) == 1
    again = ray_cast_all(scene.world, (-15, 10), (100, 10))
    assert again.point.tolist() == [[10, 10]]
    held = ray_cast_all(scene.world, (0, -5), (0, -5), inside=True)
    assert held.entity.tolist() == [arrow]
    assert held.normal.tolist() == [[0, 0]]
    assert ray_cast(scene.world, (0, -5), (0, -5)) is None
    # The seams end at (0, 0), (20, -20) and (-20, -20): the normal there is that of a side.
    grazed = ray_cast(scene.world, (30, -20), (-30, -20))
    assert grazed is not None
    assert grazed.point.tolist() == [20, -20]
    assert grazed.normal.tolist() == [1, 0]
    notch = ray_cast_all(scene.world, (0, 30), (0, -30))
    assert notch.point.tolist() == [[0, 0]]
    assert abs(notch.normal[0]) == pytest.approx(np.sqrt([0.5, 0.5]))


def test_two_segments_that_meet_are_hit_once(yard: Callable[..., Any]) -> None:
    """A ray at the joint of two segments of a chain hits it once, and one that passes two slopes hits both."""
    scene = yard(gravity=(0, 0))
    chain = scene.put(0, 0, Collider(shape="chain", points=[(8, 4), (4, 0), (0, 4), (-4, 0), (-8, 4)]))
    scene.run()
    joint = ray_cast_all(scene.world, (4, 9), (4, -9))
    assert joint.entity.tolist() == [chain]
    assert joint.point.tolist() == [[4, 0]]
    slopes = ray_cast_all(scene.world, (9, 2), (-9, 2))
    assert slopes.point[:, 0] == pytest.approx([2, -6])
    circle = shape_cast_all(scene.world, [(0, 0)], (4, 9), (4, -9), radius=1.0)
    assert circle.point == pytest.approx(np.array([(4, np.sqrt(2))]), abs=1e-6)


def test_outlines_are_found_whatever_their_bodies_do(yard: Callable[..., Any]) -> None:
    """Between two ticks queries find outlines of sleeping, kinematic and moved bodies, and none of disabled ones."""
    scene = yard(gravity=(0, 0), sleeping=True)
    form = Collider(shape="outline", points=ARROW)
    asleep, kinematic = scene.put(0, 0, Body(asleep=True), form), scene.put(100, 0, Body(type="kinematic"), form)
    gone, off = scene.put(200, 0, Body(), form), scene.put(300, 0, Body(enabled=False), form)
    scene.put(400, 0, Body(), Collider(shape="outline", points=ARROW, enabled=False))
    moved = scene.put(500, 0, Body(velocity=(60, 0)), form)
    scene.run()
    scene.world.add(gone, Disabled())
    scene.run(59)
    assert off
    for x, entity in ((0, asleep), (100, kinematic), (200, None), (300, None), (400, None), (500, None), (560, moved)):
        expected = [entity] if entity else []
        assert overlap_circle(scene.world, (x, -5), 6.0).tolist() == expected
        assert ray_cast_all(scene.world, (x - 30, -5), (x + 29, -5)).entity.tolist() == expected
        assert ray_cast_all(scene.world, (x, -5), (x + 20, -5)).entity.tolist() == []
        assert pick(scene.world, (x, -5)) == entity

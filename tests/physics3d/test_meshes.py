"""Triangle meshes and heightfields: solid from their front, and smooth between their triangles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plain_gaps import triangle_gap
from rish_physics3d import (
    Body3D,
    BodyType3D,
    Collider3D,
    ColliderShape3D,
    ContactBegin3D,
    ContactEnd3D,
    overlap_sphere_3d,
    ray_cast_3d,
    shape_cast_3d,
)
from rish_physics3d.geometry.meshes import grid_triangles

SHAPES: list[dict[str, Any]] = [
    {"shape": "sphere"},
    {"shape": "capsule", "radius": 0.5, "size": (0, 1.6, 0), "rotation": (0, 0, 0.70710678, 0.70710678)},
    {"size": (1, 1, 1)},
    {"shape": "hull", "points": [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.4, 0.6)]},
]


def grid(rows: int, columns: int, height: Callable[[Any, Any], Any] | None = None) -> dict[str, Any]:
    """Return the values of a mesh collider over a grid of cells of half a meter."""
    z, x = (0.5 * (k - (n - 1) / 2) for k, n in zip(np.indices((rows, columns)), (rows, columns), strict=True))
    y = np.zeros(x.shape) if height is None else height(x, z)
    points = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    return {"shape": ColliderShape3D.MESH, "points": points, "triangles": grid_triangles(rows, columns).ravel()}


def field(rows: int, columns: int) -> dict[str, Any]:
    """Return the values of a flat heightfield with cells of half a meter."""
    return {"shape": "heightfield", "heights": [0.0] * (rows * columns), "columns": columns, "cell": 0.5}


@pytest.mark.parametrize("ground", [grid(51, 101), field(51, 101)], ids=["mesh", "heightfield"])
@pytest.mark.parametrize("shape", SHAPES, ids=["sphere", "capsule", "box", "hull"])
def test_nothing_bumps_into_the_edges_of_flat_triangles(yard: Callable[..., Any], ground: Any, shape: Any) -> None:
    """A body that slides across 10,000 triangles in one plane keeps its velocity along the plane, and does not turn."""
    game = yard(gravity=-10)
    floor = game.put(0, 0, 0, Collider3D(**ground, friction=0))
    body = game.put(-20, 0.5, 1.13, Body3D(velocity=(8, 0, 1.1)), Collider3D(**shape, friction=0))
    for _ in range(90):
        game.app.tick()
        for event in (ContactBegin3D, ContactEnd3D):
            assert not [each for each in game.world.bus.of_frame(event) if game.world.tick > 1]
        game.world.end_frame()
    assert game.velocity(body)[[0, 2]] == pytest.approx([8, 1.1], abs=1e-3)
    assert game.velocity(body)[1] == pytest.approx(0, abs=0.01)
    assert game.spin(body) == pytest.approx([0, 0, 0], abs=5e-3)
    assert game.position(body)[1] == pytest.approx(0.5, abs=2e-3)
    assert ray_cast_3d(game.world, (0, 1, 3), (0, -1, 3)).entity == floor


def test_a_ball_rolls_over_flat_triangles_as_over_a_plane(yard: Callable[..., Any]) -> None:
    """With friction a ball on a mesh moves as it does on a plane."""
    places = []
    for ground in ({"shape": "plane"}, grid(21, 41)):
        game = yard(gravity=-10)
        game.put(0, 0, 0, Collider3D(**ground))
        ball = game.ball(-5, 0.5, 0.13, body={"velocity": (4, 0, 0.3)})
        game.run(60)
        places.append((game.position(ball), game.velocity(ball)))
    assert places[0][0] == pytest.approx(places[1][0], abs=2e-3)
    assert places[0][1] == pytest.approx(places[1][1], abs=5e-3)


def test_bodies_come_to_rest_on_hills_and_in_a_bowl(yard: Callable[..., Any]) -> None:
    """Bodies of all shapes that fall on a bumpy mesh stay above it, and do not gain energy."""
    game = yard(gravity=-10)
    ground = grid(25, 25, lambda x, z: 0.4 * np.sin(2 * x) * np.cos(2 * z) + 0.05 * (x * x + z * z))
    game.put(0, 0, 0, Collider3D(**ground))
    rng = np.random.default_rng(3)
    bodies = [
        game.put(*rng.uniform((-3, 2 + k, -3), (3, 3 + k, 3)).tolist(), Body3D(), Collider3D(**SHAPES[k % 4]))
        for k in range(8)
    ]
    game.run(150)
    assert min(game.position(body)[1] for body in bodies) > -0.4
    assert max(np.abs(game.velocity(body)).max() for body in bodies) < 6


def test_a_ridge_and_the_rim_hold_what_lies_on_them(yard: Callable[..., Any]) -> None:
    """A ball rests on a sharp ridge, where no face is below its center, and a box hangs over the rim."""
    game = yard(gravity=-10)
    roof = {"points": [(-2, 0, 0), (2, 0, 0), (-2, -1, 2), (2, -1, 2), (-2, -1, -2), (2, -1, -2)]}
    game.put(0, 0, 0, Collider3D(shape=ColliderShape3D.MESH, triangles=[0, 2, 1, 1, 2, 3, 0, 1, 4, 1, 5, 4], **roof))
    ball = game.ball(0, 0.5, 0)
    game.put(20, 0, 0, Collider3D(**grid(3, 3)))
    box = game.box(20.3, 0.5, 0)
    game.run(60)
    assert game.position(ball) == pytest.approx([0, 0.5, 0], abs=0.01)
    assert game.position(box) == pytest.approx([20.3, 0.5, 0], abs=0.01)


def test_a_mesh_is_solid_from_its_front_only(yard: Callable[..., Any]) -> None:
    """Bodies and rays from behind pass; a scale that mirrors the mesh does not turn it inside out."""
    game = yard(gravity=-10)
    mesh = game.put(0, 0, 0, Collider3D(**grid(5, 5)), scale=(-2, 1, 1))
    ball = game.ball(0, -0.7, 0, body={"velocity": (0, 8, 0)})
    other = game.ball(1.5, 0.5, 0)
    game.run(20)
    assert game.position(ball)[1] > 0.2
    assert game.position(other)[1] == pytest.approx(0.5, abs=0.01)
    assert ray_cast_3d(game.world, (0.1, 9, 0), (0.1, -1, 0), ignore=ball).entity == mesh
    assert ray_cast_3d(game.world, (0.1, -1, 0), (0.1, 9, 0), ignore=ball) is None


def test_queries_find_the_nearest_triangle(yard: Callable[..., Any]) -> None:
    """Rays, spheres and overlaps meet a random terrain where plain numpy over all triangles does."""
    rng = np.random.default_rng(5)
    ground = grid(9, 9, lambda x, z: rng.uniform(-0.4, 0.4, x.shape))
    game = yard()
    game.put(0, 0, 0, Collider3D(**ground))
    corners = ground["points"].astype(np.float32).astype(np.float64)[ground["triangles"].reshape(-1, 3)]
    starts = np.concatenate([rng.uniform((-3, 1, -3), (3, 7, 3), (60, 3)), corners[:20, 0] + [0, 2, 0]])
    ends = np.concatenate([rng.uniform((-2, -5, -2), (2, -1, 2), (60, 3)), corners[:20, 0] - [0, 2, 0]])
    hits = ray_cast_3d(game.world, starts, ends)
    gaps = np.min([triangle_gap(hits.point.astype(np.float64), *each) for each in corners], axis=0)
    assert gaps[hits.hit].max() < 1e-5
    assert hits.hit[60:].sum() > 10
    shares = np.linspace(0, 1, 400)
    along = starts[:60, None] + shares[:, None] * (ends - starts)[:60, None]
    far = np.min([triangle_gap(along.reshape(-1, 3), *each) for each in corners], axis=0).reshape(60, -1)
    before = shares < hits.fraction[:60, None] - 0.005
    assert far[before].min() > 1e-3
    balls = shape_cast_3d(game.world, [(0, 0, 0)], starts[:60], ends[:60], radius=0.2)
    gaps = np.min([triangle_gap(balls.point.astype(np.float64), *each) for each in corners], axis=0)
    assert gaps[balls.hit] == pytest.approx(np.full(balls.hit.sum(), 0.2), abs=1e-4)
    points = rng.uniform(-2, 2, (100, 3))
    near = np.min([triangle_gap(points, *each) for each in corners], axis=0) <= 0.3
    assert overlap_sphere_3d(game.world, points, 0.3).query.tolist() == np.flatnonzero(near).tolist()


def test_a_restored_world_with_a_mesh_continues_with_the_same_bits(yard: Callable[..., Any]) -> None:
    """After a restore the same ticks give the same hash, and strict mode finds no fault."""
    game = yard(gravity=-10, strict=True)
    game.put(0, 0, 0, Collider3D(**grid(9, 9, lambda x, z: 0.2 * np.sin(3 * x + z))))
    for k, shape in enumerate(SHAPES):
        game.put(0.2 * k, 1 + 1.1 * k, 0, Body3D(), Collider3D(**shape))
    game.run(25)
    snapshot = game.world.snapshot()
    game.run(10)
    expected = game.world.hash()
    game.world.restore(snapshot)
    game.run(10)
    assert game.world.hash() == expected


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"points": [(0, 0, 0), (1, 0, 0), (0, 0, 1)], "triangles": [0, 1, 3]}, "triangle 0 of the mesh"),
        ({"points": [(0, 0, 0), (1, 0, 0), (2, 0, 0)], "triangles": [0, 1, 2]}, "no triangle of the mesh has an area"),
        ({"points": [(0, 0, 0), (1, 0, 0), (0, 0, 1)], "triangles": [0, 1]}, "2 indices are no triangles"),
        (
            {"points": [(0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 0, 1)], "triangles": [0, 2, 1, 1, 3, 2]},
            "face opposite sides",
        ),
        ({"shape": "heightfield", "heights": [0, 0, 0], "columns": 2}, "3 heights in rows of 2 are no grid"),
        ({"shape": "heightfield", "heights": [0] * 4, "columns": 2, "cell": 0}, "cells of a heightfield are 0"),
        ({**grid(2, 2), "body": BodyType3D.DYNAMIC}, "can't be a part of a dynamic body"),
    ],
)
def test_a_mesh_that_is_none_is_named_and_left_out(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture, values: Any, words: str
) -> None:
    """A mesh with a mistake is logged once with its entity and reason; everything else goes on."""
    game = yard(gravity=-10)
    more = dict(values)
    body = more.pop("body", BodyType3D.STATIC)
    game.put(0, 0, 0, Body3D(type=body), Collider3D(**{"shape": "mesh", **more}))
    game.put(5, 0, 0, Collider3D(**grid(3, 3)))
    ball = game.ball(5, 0.5, 0)
    game.run(5)
    named = [record.getMessage() for record in caplog.records if "Collider3D is ignored" in record.getMessage()]
    assert len(named) == 1
    assert words in named[0]
    assert game.position(ball)[1] == pytest.approx(0.5, abs=0.01)


def test_triangles_without_an_area_are_left_out(yard: Callable[..., Any]) -> None:
    """A mesh with some degenerate triangles has its other triangles."""
    game = yard(gravity=-10)
    ground = grid(3, 3)
    ground["triangles"] = [0, 0, 1, *ground["triangles"].tolist(), 0, 1, 2]
    game.put(0, 0, 0, Collider3D(**ground))
    ball = game.ball(0.1, 0.5, 0.1)
    game.run(10)
    assert game.position(ball)[1] == pytest.approx(0.5, abs=0.01)


def test_bodies_on_a_mesh_fall_asleep_and_wake(yard: Callable[..., Any]) -> None:
    """A heap on a mesh comes to rest, sleeps without an event, and wakes when something falls on it."""
    game = yard(gravity=-10)
    game.put(0, 0, 0, Collider3D(**grid(9, 9)))
    boxes = [game.box(0.1, 0.5 + k, 0.1) for k in range(2)]
    game.run(90)
    assert all(game.world.get(box, Body3D).asleep for box in boxes)
    game.world.end_frame()
    game.run(20)
    assert not len(game.world.bus.of_frame(ContactEnd3D))
    game.ball(0.1, 2.6, 0.1, body={"velocity": (0, -3, 0)})
    game.run(10)
    assert not any(game.world.get(box, Body3D).asleep for box in boxes)

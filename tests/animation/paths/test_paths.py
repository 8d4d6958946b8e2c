"""Entities follow paths at a constant speed; kinematic bodies and emitters do as well."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from rish_animation import FollowPath, MotionPath, PathShape, path_points, tween
from rish_animation.paths.polylines import Polylines
from rish_core import App, Transform, parse_manifest, world_matrices

RAIL = "{name: rail, Transform: {position: [100, 50], rotation: 90}, MotionPath: {points: [[0, 0], [30, 0], [30, 40]]}}"
CART = "{name: cart, Transform: {}, FollowPath: {path: rail, speed: 60%s}}"


def made(shape: PathShape, **given):
    """Return the points of a path."""
    values = {"points": (), "closed": False, "size": (2, 2), "turns": 3, "ratio": (3, 2), "phase": 0.0}
    return path_points(shape, **{**values, **given})


@pytest.mark.slow
def test_an_entity_moves_along_points_of_another_entity(stage):
    """In its first tick an entity is placed on the path, then it moves; the path turns with its own entity."""
    game = stage(RAIL, CART % "").run(1)
    assert game.value("cart") == pytest.approx([100, 50])
    assert game.value("cart", field="last_position") == pytest.approx([100, 50])
    assert game.run(30).value("cart") == pytest.approx([100, 80], abs=1e-3)
    assert game.run(20).value("cart") == pytest.approx([80, 80], abs=1e-3)
    assert game.run(25).value("cart") == pytest.approx([100, 55], abs=1e-3)


@pytest.mark.slow
def test_modes_at_the_end(stage):
    """`once` stops at the end with an event, `ping_pong` returns; both turn to the way in which they move."""
    once = (CART % ", mode: once, orient: true").replace("cart", "first")
    back = (CART % ", mode: ping_pong, orient: true, rotation: 90").replace("cart", "second")
    game = stage(RAIL, once, back).run(71)
    assert game.value("first") == pytest.approx([60, 80], abs=1e-3)
    assert [event[1] for event in game.events] == ["PathFinished"]
    assert game.value("first", FollowPath, "playing") is False
    assert abs(game.value("first", field="rotation")) == pytest.approx(math.pi, abs=1e-3)
    game.run(20)
    assert game.value("second") == pytest.approx([80, 80], abs=1e-2)
    assert game.value("second", field="rotation") == pytest.approx(math.pi / 2, abs=1e-3)


@pytest.mark.slow
def test_the_speed_is_constant_on_every_shape(stage):
    """Steps of equal time have equal lengths on curves as well."""
    parts = [
        f"{{name: {shape.value}, Transform: {{}}, FollowPath: {{speed: 30}}, MotionPath: {{shape: {shape.value}, "
        "points: [[0, 0], [40, 90], [90, 10], [140, 60]]}}}".replace("}}}", "}}")
        for shape in PathShape
    ]
    game = stage(*parts).run(1)
    places = []
    for _ in range(60):
        game.run()
        places.append([game.value(shape.value) for shape in PathShape])
    for k, shape in enumerate(PathShape):
        steps = np.linalg.norm(np.diff([row[k] for row in places], axis=0), axis=1)
        inside = steps[steps < 1]  # not the jump from the end to the beginning
        assert np.median(inside) == pytest.approx(0.5, rel=0.01), shape


def test_functions_have_their_formulas():
    """An ellipse, a lissajous curve, a rose, a sine and a spiral have the known points and sizes."""
    circle = made(PathShape.ELLIPSE, size=(4, 2))
    np.testing.assert_allclose((circle / (2, 1)) ** 2 @ [1, 1], 1)
    lissajous = made(PathShape.LISSAJOUS)
    np.testing.assert_allclose(lissajous[0], [0, 0], atol=1e-12)
    np.testing.assert_allclose(np.abs(lissajous).max(axis=0), [1, 1], atol=1e-3)
    rose = made(PathShape.ROSE, turns=2)
    np.testing.assert_allclose(np.linalg.norm(rose[0]), 1)
    assert np.count_nonzero(np.linalg.norm(rose, axis=1) < 0.02) >= 4
    sine = made(PathShape.SINE, turns=2)
    assert (sine[0].tolist(), round(float(sine[-1, 0]), 6)) == ([-1, 0], 1)
    spiral = made(PathShape.SPIRAL)
    np.testing.assert_allclose(np.linalg.norm(spiral, axis=1), np.linspace(0, 1, len(spiral)), atol=1e-12)


def test_curves_lead_through_their_points():
    """Catmull-Rom curves pass all points; Bézier curves begin, end and bend as their formula says."""
    points = np.array([[0, 0], [10, 10], [20, 0], [30, 10]], float)
    curve = made(PathShape.SMOOTH, points=points)
    assert all((np.abs(curve - point).sum(axis=1) < 1e-9).any() for point in points)
    closed = made(PathShape.SMOOTH, points=points, closed=True)
    np.testing.assert_allclose(closed[0], closed[-1])
    bezier = made(PathShape.BEZIER, points=points)
    u = np.arange(len(bezier))[:, None] / (len(bezier) - 1)
    a, b, c, d = points
    formula = a * (1 - u) ** 3 + 3 * b * u * (1 - u) ** 2 + 3 * c * u * u * (1 - u) + d * u**3
    np.testing.assert_allclose(bezier, formula, atol=1e-9)


def test_followers_may_have_parents(stage):
    """A follower below a parent reaches the same place in the world."""
    ship = ("{name: ship, Transform: {position: [7, 3], rotation: 30, scale: [2, 3]}, children: "
            "[{name: cart, Transform: {}, FollowPath: {path: rail, speed: 60}}]}")  # fmt: skip
    game = stage(RAIL, ship).run(31)
    row = game.world.table(Transform).row_of(game.find("cart"))
    np.testing.assert_allclose(world_matrices(game.world)[row, 4:], [100, 80], atol=1e-3)


def test_distance_may_be_tweened(stage):
    """With speed 0 a tween of `distance` moves an entity along its path with an easing."""
    game = stage(RAIL, "{name: cart, Transform: {}, FollowPath: {path: rail, mode: once}}").run(1)
    tween(game.world, game.find("cart"), "FollowPath.distance", 70, seconds=0.5, easing="sine_in_out")
    assert game.run(15).value("cart") == pytest.approx([95, 80], abs=1e-2)
    assert game.run(15).value("cart") == pytest.approx([60, 80], abs=1e-2)


def test_paths_without_length_hold_still(stage):
    """A path of one point, or of none, is a place."""
    game = stage(
        "{name: a, Transform: {}, MotionPath: {points: [[3, 4]]}, FollowPath: {speed: 9, orient: true}}",
        "{name: b, Transform: {}, MotionPath: {}, FollowPath: {seconds: 2}}",
    ).run(5)
    assert (game.value("a"), game.value("b")) == ([3, 4], [0, 0])


def test_many_followers_on_many_paths_are_found_in_one_search():
    """The position at any distance equals that of a search in one polyline."""
    app = App(parse_manifest("rish: 1\nplugins: [animation]\n"), headless=True)
    rng = np.random.default_rng(3)
    for _ in range(5):
        app.world.spawn(MotionPath(points=rng.uniform(-50, 50, (rng.integers(1, 7), 2)).astype(np.float32)))
    lines = app.world[Polylines]
    rows = rng.integers(0, 5, 200)
    distance = rng.uniform(-10, 300, 200)
    places, _ = lines.at(rows, distance)
    for row, along, place in zip(rows.tolist(), distance.tolist(), places, strict=True):
        points = np.asarray(app.world.table(MotionPath).read_row("points", row), float)
        rest, here = max(along, 0), points[0]
        for begin, end in pairwise(points):
            length = float(np.linalg.norm(end - begin))
            here = begin + (end - begin) * min(rest / length, 1)
            if rest <= length:
                break
            rest -= length
        np.testing.assert_allclose(place, here, atol=1e-3)
    app.close()


def test_a_kinematic_body_on_a_path_carries_a_box():
    """A platform on a path moves as a kinematic body: a box on it is carried along."""
    text = """
rish: 1
plugins: [animation, physics]
scenes:
  main:
    - {name: lift, Transform: {}, Body: {type: kinematic}, Collider: {shape: box, size: [120, 20]},
       MotionPath: {points: [[0, 0], [200, 60]]}, FollowPath: {speed: 40, mode: once}}
    - {name: box, Transform: {position: [0, 27]}, Body: {}, Collider: {shape: box, size: [30, 30], friction: 1}}
"""
    app = App(parse_manifest(text), headless=True, policy="raise")
    from rish_core import named

    for _ in range(180):
        app.tick()
    lift, box = (app.world.get(named(app.world, name), Transform).position for name in ("lift", "box"))
    assert lift.x == pytest.approx(40 * 179 / 60 * 200 / math.hypot(200, 60), abs=0.5)
    assert abs(box.x - lift.x) < 12
    assert box.y - lift.y == pytest.approx(25, abs=2)
    app.close()


def test_an_emitter_on_a_path_spreads_its_particles_along_the_way():
    """Particles of a fast emitter begin all along the way of a tick, not only at its end."""
    from rish_particles import Effect, Emitter, Particles, Pools, Preset, PresetLibrary
    from rish_particles.preset import Emission

    app = App(parse_manifest("rish: 1\nplugins: [animation, particles]\n"), headless=True, policy="raise")
    app.world[PresetLibrary].add(Effect("", {"": Preset(emission=Emission(rate=600))}, ("",)), "p.particles.yaml")
    app.world.spawn(Transform(), Emitter(preset="p.particles.yaml"), MotionPath(points=[(0, 0), (1000, 0)]),
                    FollowPath(speed=600, mode="once"))  # fmt: skip
    for _ in range(30):
        app.tick()
    pool, particles = app.world[Pools], app.world[Particles]
    x = np.sort(particles.x[pool.start[0] : pool.start[0] + pool.live[0]])
    assert len(x) > 200
    assert np.diff(x).max() < 3  # the emitter moves 10 units a tick
    app.close()

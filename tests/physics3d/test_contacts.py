"""Bodies that touch: rest, stacks, friction, restitution, events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_physics3d import PHYSICS3D_EVENTS, Body3D, Collider3D, ContactBegin3D, ContactEnd3D, SensorBegin3D
from rish_physics3d.components.tables import Contacts3D
from rish_space3d import quaternions

MU = 0.5


@pytest.mark.parametrize(
    "shape",
    [
        {"size": (1, 1, 1)},
        {"shape": "sphere", "radius": 0.5},
        {"shape": "capsule", "radius": 0.5, "size": (0, 2, 0)},
        {"shape": "hull", "points": [(-0.5, -0.5, -0.5), (0.5, -0.5, -0.5), (0, -0.5, 0.5), (0, 1, 0)]},
    ],
    ids=["box", "sphere", "capsule", "hull"],
)
@pytest.mark.parametrize("ground", ["box", "plane"])
def test_a_shape_comes_to_rest_on_the_ground(yard: Callable[..., Any], shape: Any, ground: str) -> None:
    """A shape that is dropped ends on the ground, not in it, with the impulses of its weight."""
    game = yard(gravity=-10)
    floor = game.ground() if ground == "box" else game.put(0, 0, 0, Collider3D(shape="plane"))
    body = game.put(0, 1.2, 0, Body3D(angular_damping=2.0), Collider3D(density=100.0, **shape))
    game.run(150)
    assert np.abs(game.velocity(body)).max() < 0.02
    contacts = game.world[Contacts3D]
    assert sorted([int(contacts.a[0]), int(contacts.b[0])]) == sorted([floor, body])
    points = contacts.manifold[0, 8:40].reshape(4, 8)[: contacts.info[0, 0]]
    assert points[:, 3].min() > -0.01
    masses = {"sphere": 4 / 3 * np.pi * 0.125, "capsule": np.pi * 0.25 * (1 + 2 / 3), "hull": 0.25}
    mass = 100 * masses.get(shape.get("shape", "box"), 1.0)
    assert points[:, 7].sum() == pytest.approx(mass * 10 / 240, rel=0.02)


@pytest.mark.slow
def test_ten_boxes_stand(yard: Callable[..., Any]) -> None:
    """A stack of ten boxes stands upright and hardly sinks together."""
    game = yard(gravity=-9.81)
    game.ground()
    boxes = [game.box(0, 0.5 + k, 0) for k in range(10)]
    game.run(60 * long(60, 8))
    places = np.array([game.position(box) for box in boxes])
    assert np.abs(places - [[0, 0.5 + k, 0] for k in range(10)]).max() < 0.06
    assert max(np.abs(game.velocity(box)).max() for box in boxes) < 0.005


def test_a_heavy_box_rests_on_a_light_one(yard: Callable[..., Any]) -> None:
    """A box of a hundred times the mass does not press the one below into the ground."""
    game = yard(gravity=-9.81)
    game.ground()
    light, heavy = game.box(0, 0.5, 0, density=10.0), game.box(0, 1.5, 0, density=1000.0)
    game.run(180)
    assert game.position(light)[1] > 0.45
    assert game.position(heavy)[1] > 1.4
    assert np.abs(game.position(heavy)[[0, 2]]).max() < 0.02


@pytest.mark.parametrize("heading", [0.0, 25.0, 45.0, 77.0])
@pytest.mark.parametrize(("degrees", "slides"), [(-0.5, False), (0.5, True)])
def test_friction_holds_up_to_its_angle_in_every_direction(
    yard: Callable[..., Any], heading: float, degrees: float, slides: bool
) -> None:
    """A box on a slope slides if the slope is half a degree steeper than atan(friction), wherever it descends to."""
    game = yard(gravity=-9.81)
    steep = np.arctan(MU) + np.radians(degrees)
    axis = np.array([np.cos(np.radians(heading)), 0, np.sin(np.radians(heading))])
    turn = quaternions.from_axis(axis, steep)
    game.put(0, 0, 0, Collider3D(shape="plane", friction=MU), rotation=turn)
    place = quaternions.turned(turn, (0, 0.25, 0))
    box = game.box(*place, (1.0, 0.5, 1.0), rotation=turn, friction=MU)
    game.run(60)
    start = game.position(box)
    game.run(60)
    moved = np.linalg.norm(game.position(box) - start)
    assert (moved > 0.05) == slides
    assert slides or moved < 0.005


def test_a_ball_bounces_to_the_square_of_its_restitution(yard: Callable[..., Any]) -> None:
    """A ball with restitution e that falls from h rises to about e² h."""
    game = yard(gravity=-10)
    game.ground()
    ball = game.ball(0, 2.5, 0, restitution=0.7)
    heights = []
    for _ in range(110):
        game.run(1)
        heights.append(game.position(ball)[1] - 0.5)
    low = int(np.argmin(heights))
    assert max(heights[low:]) == pytest.approx(0.49 * 2, rel=0.06)


def test_a_box_that_lands_flat_bounces_straight(yard: Callable[..., Any]) -> None:
    """Restitution acts on all points alike: a flat box does not begin to spin, and never rises above its start."""
    game = yard(gravity=-10)
    game.ground()
    box = game.box(0, 1.5, 0, restitution=0.9)
    for _ in range(120):
        game.run(1)
        assert game.position(box)[1] < 1.5
        assert np.abs(game.spin(box)).max() < 0.01


def test_a_ball_rolls_without_sliding(yard: Callable[..., Any]) -> None:
    """A ball that slides over ground with friction ends with v = w r, at 5/7 of its speed."""
    game = yard(gravity=-10)
    game.ground()
    ball = game.ball(0, 0.5, 0, body={"velocity": (2, 0, 0)})
    game.run(120)
    assert game.velocity(ball)[0] == pytest.approx(2 * 5 / 7, rel=0.01)
    assert game.spin(ball)[2] == pytest.approx(-game.velocity(ball)[0] / 0.5, rel=0.01)


def test_a_spinning_disc_stops(yard: Callable[..., Any]) -> None:
    """Friction also resists rotation about the normal."""
    game = yard(gravity=-10)
    game.ground()
    disc = game.box(0, 0.1, 0, (1, 0.2, 1), body={"angular_velocity": (0, 3, 0)})
    game.run(90)
    assert abs(game.spin(disc)[1]) < 0.01


def test_a_kinematic_body_pushes_and_is_not_pushed(yard: Callable[..., Any]) -> None:
    """A kinematic body moves at its velocity whatever it meets, and carries what stands on it."""
    game = yard(gravity=-10)
    lift = game.put(0, -0.5, 0, Body3D(type="kinematic", velocity=(1, 0.5, 0)), Collider3D(size=(4, 1, 4)))
    box = game.box(0, 0.5, 0)
    game.run(120)
    assert game.position(lift) == pytest.approx([2, 0.5, 0], abs=1e-3)
    assert game.position(box) == pytest.approx([2, 1.5, 0], abs=0.05)


def test_a_contact_begins_once_and_ends_once(yard: Callable[..., Any]) -> None:
    """Each pair emits one begin with its speed and point, and one end when it separates or a collider is despawned."""
    game = yard(gravity=-10)
    floor = game.ground()
    ball, box = game.ball(0, 1.0, 0), game.box(5, 0.5, 0)
    begun, ended = [], []
    for k in range(60):
        game.run(1)
        begun += [(int(event.a), int(event.b)) for event in game.world.events(ContactBegin3D)]
        ended += [(int(event.a), int(event.b)) for event in game.world.events(ContactEnd3D)]
        if k == 40:
            game.world.despawn(box)
    assert sorted(begun) == [(floor, ball), (floor, box)]
    assert ended == [(floor, box)]


def test_events_are_emitted_only_if_they_are_read(yard: Callable[..., Any]) -> None:
    """Without a system that reads them there are no events, and bodies and contacts are the same."""
    queues, parts = [], []
    for listens in (True, False):
        game = yard(gravity=-10, listens=listens)
        game.ground()
        game.put(0, 0.5, 3, Collider3D(sensor=True))
        game.ball(0, 1.0, 0), game.ball(0, 0.8, 3)
        game.run(30)
        queues.append({cls: len(game.world.bus.of_frame(cls)) for cls in (ContactBegin3D, SensorBegin3D)})
        parts.append({name: value for name, value in game.world.hashes().items() if name.startswith("physics3d.")})
    assert queues == [{ContactBegin3D: 2, SensorBegin3D: 1}, {ContactBegin3D: 0, SensorBegin3D: 0}]
    events = tuple(f"physics3d.{cls.__name__}" for cls in PHYSICS3D_EVENTS)
    assert [name for name in parts[0] if parts[0][name] != parts[1].get(name) and not name.startswith(events)] == []


def test_a_compound_body_turns_about_its_common_center(yard: Callable[..., Any]) -> None:
    """Colliders of child entities belong to the body above them, and move its center of mass."""
    game = yard()
    body = game.put(0, 0, 0, Body3D(angular_velocity=(0, 0, np.pi)), Collider3D())
    game.put(2, 0, 0, Collider3D(), parent=body)
    game.run(60)
    assert game.position(body) == pytest.approx([2, 0, 0], abs=0.02)

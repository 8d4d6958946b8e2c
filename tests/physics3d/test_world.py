"""Physics as a part of the World: columns, snapshots, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Disabled
from rish_ecs.storage import describe
from rish_physics3d import Body3D, Collider3D
from rish_physics3d.components.manifold import FIRST, IMPULSE
from rish_physics3d.components.tables import Contacts3D
from rish_space3d import Transform3D, teleport_3d


def heap(game: Any) -> list[int]:
    """Drop some bodies of all shapes onto the ground."""
    game.ground()
    rng, bodies = np.random.default_rng(4), []
    for k in range(18):
        x, y, z = rng.uniform(-1, 1), 1 + 0.7 * k, rng.uniform(-1, 1)
        if k % 3 == 0:
            bodies.append(game.box(x, y, z, (0.8, 0.6, 1.0), rotation=rng.normal(size=4).tolist()))
        elif k % 3 == 1:
            bodies.append(game.ball(x, y, z, 0.4, restitution=0.3))
        else:
            corners = rng.normal(size=(9, 3)) * 0.4
            bodies.append(game.put(x, y, z, Body3D(), Collider3D(shape="hull", points=corners.tolist())))
    return bodies


def test_a_restored_world_continues_with_the_same_bits(yard: Callable[..., Any]) -> None:
    """After a restore, in the middle of a collapse, the same ticks give the same hash."""
    game = yard(gravity=-10)
    heap(game)
    game.run(40)
    snapshot = game.world.snapshot()
    game.run(40)
    expected = game.world.hash()
    game.world.restore(snapshot)
    game.run(40)
    assert game.world.hash() == expected


def test_all_that_a_step_reads_is_declared(yard: Callable[..., Any]) -> None:
    """Strict mode, which runs ticks twice and watches reads and writes, finds no fault."""
    game = yard(gravity=-10, strict=True)
    heap(game)
    game.run(20)


def test_nothing_falls_through_the_ground(yard: Callable[..., Any]) -> None:
    """A heap of all shapes comes to lie on the ground, and nobody is deep in it."""
    game = yard(gravity=-10)
    bodies = heap(game)
    game.run(240)
    assert min(game.position(body)[1] for body in bodies) > 0.05
    rolling = bodies[1::3]
    assert max(np.abs(game.velocity(body)).max() for body in {*bodies} - {*rolling}) < 1


def test_a_body_that_is_teleported_goes_on_from_there(yard: Callable[..., Any]) -> None:
    """A written position or velocity of a dynamic body is where it goes on."""
    game = yard(gravity=0)
    ball = game.ball(0, 0, 0, body={"velocity": (1, 0, 0)})
    game.run(3)
    teleport_3d(game.world, ball, (0, 5, 0))
    game.world.set(ball, Body3D(velocity=(0, 0, 2)))
    game.run(60)
    assert game.position(ball) == pytest.approx([0, 5, 2], abs=1e-3)


def test_a_child_of_a_moving_parent_stays_where_it_is_in_the_world(yard: Callable[..., Any]) -> None:
    """A body below another entity is simulated in the world, and its column is relative to the parent."""
    game = yard(gravity=0)
    parent = game.put(10, 0, 0, scale=(2, 2, 2))
    ball = game.put(1, 0, 0, Body3D(velocity=(0, 1, 0)), Collider3D(shape="sphere", radius=0.5), parent=parent)
    game.run(60)
    assert game.position(ball) == pytest.approx([1, 0.5, 0], abs=1e-3)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"shape": "hull", "points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]}, "plane"),
        ({"shape": "hull", "points": [(0, 0, 0), (1, 0, 0)]}, "points"),
        ({"size": (1, 0, 1)}, "1 x 0 x 1"),
    ],
)
def test_a_collider_that_is_no_shape_is_named_and_left_out(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture, values: Any, words: str
) -> None:
    """A shape without volume is logged once with its entity and reason; everything else goes on."""
    game = yard(gravity=-10)
    bad = game.put(0, 0, 0, Body3D(), Collider3D(**values))
    game.ground()
    ball = game.ball(5, 0.5, 0)
    game.run(30)
    named = [record.getMessage() for record in caplog.records if describe(bad) in record.getMessage()]
    assert len(named) == 1
    assert words in named[0]
    assert game.position(ball)[1] == pytest.approx(0.5, abs=0.01)


def test_a_body_without_a_finite_position_is_stopped_and_named(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    """A position that is not finite or too far stops its body, once named; the others go on."""
    game = yard(gravity=-10)
    ball, far = game.ball(0, 10, 0), game.ball(1e9, 0, 0)
    lost = game.ball(0, 0, 0)
    table = game.world.table(Body3D)
    table.velocity[table.row_of(lost)] = float("nan")
    game.run(30)
    text = caplog.text
    assert describe(far) in text
    assert describe(lost) in text
    assert game.position(ball)[1] == pytest.approx(10 - 10 / 2 * 0.25, abs=0.03)


def test_a_solver_that_diverged_recovers(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    """Impulses that are not finite stop their body for one tick: they are forgotten, and the world does not spread
    them.
    """
    game = yard(gravity=-10)
    game.ground()
    box, other = game.box(0, 0.5, 0), game.box(5, 0.5, 0)
    game.run(10)
    contacts = game.world[Contacts3D]
    touches = (contacts.a == box) | (contacts.b == box)
    contacts.manifold[touches, FIRST + IMPULSE] = np.inf
    game.run(1)
    caplog.clear()
    game.world.table(Body3D).velocity[:] = (0, 4, 0)
    game.world.table(Body3D).mark()
    game.run(10)
    assert game.position(box)[1] > 0.8
    assert game.position(other)[1] > 0.8
    game.run(120)
    assert game.position(box)[1] == pytest.approx(0.5, abs=0.02)
    assert not caplog.text


def test_a_disabled_collider_is_not_solid(yard: Callable[..., Any]) -> None:
    """An entity with `Disabled` takes no part, and again when it is enabled."""
    game = yard(gravity=-10)
    floor = game.ground()
    game.world.add(floor, Disabled())
    ball = game.ball(0, 1, 0)
    game.run(30)
    assert game.position(ball)[1] < 0.4
    game.world.remove(floor, Disabled)
    teleport_3d(game.world, ball, (0, 1, 0))
    game.world.set(ball, Body3D(velocity=(0, 0, 0)))
    game.run(60)
    assert game.position(ball)[1] == pytest.approx(0.5, abs=0.02)


def test_a_moved_wall_moves_what_touches_it(yard: Callable[..., Any]) -> None:
    """A static collider that is moved is solid at its new place."""
    game = yard(gravity=-10)
    floor = game.ground()
    game.world.set(floor, Transform3D(position=(0, 1, 0)))
    ball = game.ball(0, 3, 0)
    game.run(90)
    assert game.position(ball)[1] == pytest.approx(2.5, abs=0.02)


def test_only_dynamic_bodies_make_contacts(yard: Callable[..., Any]) -> None:
    """A kinematic body in a static one, and two kinematic ones, touch nothing; a dynamic one touches both kinds."""
    from rish_physics3d import ContactBegin3D

    game = yard()
    floor = game.ground()
    lift = game.box(0, 0, 0, (2, 1, 2), body={"type": "kinematic"})
    game.box(1, 0, 0, (2, 1, 2), body={"type": "kinematic"})
    ball = game.ball(-0.4, 0.9, 0)
    game.run(1)
    assert [{event.a, event.b} for event in game.world.events(ContactBegin3D)] == [{lift, ball}]
    assert floor not in {event.a for event in game.world.events(ContactBegin3D)}

"""Begin and End are differences of pairs of colliders, whatever contacts they consist of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform, publish_edges
from rish_physics import (
    Body,
    Collider,
    ContactBegin,
    ContactEnd,
    ContactStay,
    Hit,
    SensorBegin,
    SensorEnd,
    SensorStay,
    teleport_bodies,
)

U = [(-3, -1), (3, -1), (3, 2), (2, 2), (2, 0), (-2, 0), (-2, 2), (-3, 2)]
"""The corners of a trough, which is cut into three pieces or more."""


def _count(scene: Any, *kinds: type, ticks: int = 1) -> list[int]:
    """Run some ticks; return the number of events of each kind."""
    counts = [0] * len(kinds)
    for _ in range(ticks):
        scene.run()
        for k, kind in enumerate(kinds):
            counts[k] += len(scene.world.events(kind))
    return counts


ARROW = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0, 0), (-0.5, 0.5)]
CHANGES: dict[str, Callable[[Any, int, int], object]] = {
    "friction": lambda world, box, _: world.set(box, Collider(friction=0.1)),
    "density": lambda world, box, _: world.set(box, Collider(density=3.0)),
    "belt": lambda world, box, _: world.set(box, Collider(surface_speed=1.0)),
    "stay events": lambda world, box, _: world.set(box, Collider(stay_events=True)),
    "contact events": lambda world, box, _: world.set(box, Collider(contact_events=False)),
    "mass": lambda world, box, _: world.set(box, Body(mass=3.0)),
    "rotation": lambda world, box, _: world.set(box, Body(fixed_rotation=True)),
    "type": lambda world, box, _: world.set(box, Body(type="kinematic")),
    "size": lambda world, box, _: world.set(box, Collider(size=(1.5, 1))),
    "scale": lambda world, box, _: world.set(box, Transform(scale=(1.5, 1))),
    "form": lambda world, box, _: world.set(box, Collider(shape="polygon", points=ARROW[:3])),
    "outline": lambda world, box, _: world.set(box, Collider(shape="outline", points=ARROW)),
    "child": lambda world, box, _: world.spawn(Transform(position=(0, 9), parent=box), Collider(mask=0)),
    "teleport": lambda world, box, _: teleport_bodies(world, box, (1, 0.5)),
    "position": lambda world, box, _: world.set(box, Transform(position=(1, 0.5))),
    "zone": lambda world, _, zone: world.set(zone, Transform(position=(0.5, 0))),
    "zone's size": lambda world, _, zone: world.set(zone, Collider(size=(7, 7))),
    "zone's form": lambda world, _, zone: world.set(zone, Collider(shape="circle", radius=4.0)),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("asleep", [False, True])
def test_a_change_that_leaves_two_colliders_touching_reports_nothing(
    yard: Callable[..., Any], change: str, asleep: bool
) -> None:
    """No begin and no end is reported in the ticks after a change of what rests on a floor and in a zone."""
    scene = yard(sleeping=asleep)
    scene.wall(0, -0.5, 20, 1)
    box, zone = scene.box(0, 0.5), scene.wall(0, 0, 8, 8, sensor=True)
    kinds = ContactBegin, ContactEnd, SensorBegin, SensorEnd
    assert _count(scene, *kinds, ticks=60) == [1, 0, 1, 0]
    assert scene.world.get(box, Body).asleep == asleep
    for again in range(2):
        CHANGES[change](scene.world, box, zone)
        counts = _count(scene, *kinds, ticks=2)
        # A kinematic body does not collide with the static floor, so their contact ends.
        assert counts == ([0, 1, 0, 0] if change == "type" and not again else [0, 0, 0, 0])


def test_a_zone_that_moves_in_each_tick_reports_a_visit_once(yard: Callable[..., Any]) -> None:
    """A sensor without a body that follows its visitor reports one begin, and stays in each tick."""
    scene = yard()
    ball = scene.ball(0, 50)
    zone = scene.wall(0, 50, 4, 4, sensor=True, stay_events=True)
    counts = [0, 0, 0]
    for _ in range(30):
        counts = [a + b for a, b in zip(counts, _count(scene, SensorBegin, SensorStay, SensorEnd), strict=True)]
        scene.world.set(zone, Transform(position=tuple(scene.place(ball))))
    assert counts == [1, 29, 0]


def test_a_collider_of_pieces_is_one(yard: Callable[..., Any]) -> None:
    """A ball that rolls through a trough, and over the seams of a chain, begins and ends once with each collider; stays
    and hits are reported once a tick.
    """
    scene = yard()
    scene.put(0, 1, Collider(shape="outline", points=U, stay_events=True, hit_events=True))
    scene.put(0, 0, Collider(shape="chain", points=[(9 - 0.5 * k, 0) for k in range(37)], stay_events=True))
    scene.box(0, 3, 3.9, 1, friction=0)
    scene.ball(-7, 0.5, body={"velocity": (3, 0)})
    begun: list[frozenset[int]] = []
    stayed = hits = 0
    for _ in range(60):
        scene.run()
        begun += [frozenset((int(event.a), int(event.b))) for event in scene.world.events(ContactBegin)]
        stays = [frozenset((int(event.a), int(event.b))) for event in scene.world.events(ContactStay)]
        assert len(stays) == len(set(stays))
        stayed += len(stays)
        hits += len(scene.world.events(Hit))
    assert len(begun) == len(set(begun)) == 2
    assert stayed > 60
    assert hits == 1


def test_tiles_of_one_owner_are_one_collider(yard: Callable[..., Any]) -> None:
    """A box that slides over the edges of a tile map begins once."""
    scene = yard()
    xs = np.arange(12, -12, -1).astype(np.float32)
    publish_edges(scene.world, "tiles", x0=xs[:-1], y0=0.0, x1=xs[1:], y1=0.0)
    scene.box(-5, 0.5, friction=0, body={"velocity": (5, 0)})
    assert _count(scene, ContactBegin, ContactEnd, ticks=60) == [1, 0]


@pytest.mark.parametrize("owned", [True, False])
def test_ground_that_is_published_again_is_still_touched(yard: Callable[..., Any], owned: bool) -> None:
    """A box that rests on edges neither leaves nor meets them when the edges are published again, longer."""
    scene = yard()
    owner = scene.world.spawn(Transform()) if owned else 0
    publish_edges(scene.world, "tiles", x0=5.0, y0=0.0, x1=-5.0, y1=0.0, owner=owner)
    scene.box(0, 0.5)
    assert _count(scene, ContactBegin, ContactEnd, ticks=10) == [1, 0]
    publish_edges(scene.world, "tiles", x0=6.0, y0=0.0, x1=-6.0, y1=0.0, owner=owner)
    assert _count(scene, ContactBegin, ContactEnd, ticks=10) == [0, 0]


def test_a_box_that_is_replaced_by_another_one_ends_and_begins(yard: Callable[..., Any]) -> None:
    """A box that is despawned stops touching the floor, and one that takes its place in the same tick begins to."""
    scene = yard()
    scene.wall(0, -0.5, 9, 1)
    box = scene.box(0, 0.5)
    assert _count(scene, ContactBegin, ContactEnd, ticks=10) == [1, 0]
    scene.world.despawn(box)
    scene.box(0, 0.5)
    assert _count(scene, ContactBegin, ContactEnd, ticks=10) == [1, 1]


def test_ends_come_before_begins(yard: Callable[..., Any]) -> None:
    """In a tick in which one visit ends and another one begins, scripts hear of the end first."""
    scene = yard(gravity=[0, 0])
    kinds = list(scene.world.queues)
    assert kinds.index(ContactEnd) < kinds.index(ContactBegin)
    assert kinds.index(SensorEnd) < kinds.index(SensorBegin)


@pytest.mark.parametrize("speed", [1.2, 20.0])
@pytest.mark.parametrize("floor", [{"size": (18, 1)}, {"shape": "chain", "points": [(9 - k, 0.5) for k in range(19)]}])
def test_an_end_is_reported_if_the_begin_was(yard: Callable[..., Any], floor: dict[str, Any], speed: float) -> None:
    """`contact_events` counts when two colliders begin to touch, and not afterwards, also for pieces.

    The contact of slow bodies stays when it ends; that of fast ones is removed in the same tick.
    """
    scene = yard()
    scene.put(0, -0.5, Collider(contact_events=False, **floor))
    told, mute = scene.box(-4, 0.5, 2.5, 1), scene.box(4, 0.5, 2.5, 1, contact_events=False)
    assert _count(scene, ContactBegin, ContactEnd, ticks=5) == [1, 0]
    for box, events in ((told, False), (mute, True)):
        scene.world.get(box, Collider).contact_events = events
    assert _count(scene, ContactBegin, ContactEnd, ticks=5) == [0, 0]
    for box in (told, mute):
        scene.world.get(box, Body).velocity = (0, speed)
    ended = []
    for _ in range(6):
        scene.run()
        assert not list(scene.world.events(ContactBegin))
        ended += [{end.body_a, end.body_b} for end in scene.world.events(ContactEnd)]
    assert len(ended) == 1
    assert told in ended[0]

"""Bodies at rest fall asleep in islands, and wake when something about them changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_physics3d import Body3D, Collider3D, DistanceJoint3D, FellAsleep3D, Physics3DSettings, WeldJoint3D, WokeUp3D
from rish_space3d import Transform3D

Start = Callable[..., Any]


def asleep(game: Any, entity: int) -> bool:
    """Return whether a body sleeps."""
    return bool(game.world.get(entity, Body3D).asleep)


def settled(yard: Start, height: int = 1, **settings: Any) -> tuple[Any, int, list[int]]:
    """Return a game with a stack of boxes that sleeps on the ground, the ground, and the boxes."""
    game = yard(-10, **settings)
    ground = game.ground()
    boxes = [game.box(0, 0.5 + k, 0) for k in range(height)]
    game.run(60)
    return game, ground, boxes


def test_what_rests_falls_asleep_and_tells(yard: Start) -> None:
    """A stack falls asleep together after `sleep_time`, with one event for each body; then nothing of it is written."""
    game = yard(-10)
    game.ground()
    boxes = [game.box(0, 0.5 + k, 0) for k in range(3)]
    told: list[int] = []
    ticks = []
    for tick in range(60):
        game.run(1)
        events = [event.body for event in game.world.events(FellAsleep3D)]
        told += events
        ticks += [tick] * len(events)
    assert sorted(told) == boxes
    assert len(set(ticks)) == 1
    assert 29 <= ticks[0] < 50
    assert all(asleep(game, box) for box in boxes)
    assert not game.velocity(boxes[2]).any()
    game.run(3)
    written = game.world.table(Body3D).version
    before = [(game.position(box).tolist(), game.world.get(box, Body3D).asleep) for box in boxes]
    game.run(30)
    assert [(game.position(box).tolist(), game.world.get(box, Body3D).asleep) for box in boxes] == before
    assert game.world.table(Body3D).version == written


CHANGES: dict[str, Callable[[Any, int, int], None]] = {
    "velocity": lambda game, ground, box: setattr(game.world.get(box, Body3D), "velocity", (1, 0, 0)),
    "spin": lambda game, ground, box: setattr(game.world.get(box, Body3D), "angular_velocity", (0, 1, 0)),
    "force": lambda game, ground, box: setattr(game.world.get(box, Body3D), "force", (9000, 0, 0)),
    "gravity scale": lambda game, ground, box: setattr(game.world.get(box, Body3D), "gravity_scale", -1),
    "asleep": lambda game, ground, box: setattr(game.world.get(box, Body3D), "asleep", False),
    "may not sleep": lambda game, ground, box: setattr(game.world.get(box, Body3D), "allow_sleep", False),
    "moved": lambda game, ground, box: setattr(game.world.get(box, Transform3D), "position", (0, 3, 0)),
    "turned": lambda game, ground, box: setattr(game.world.get(box, Transform3D), "rotation", (0.1, 0, 0, 1)),
    "shape": lambda game, ground, box: setattr(game.world.get(box, Collider3D), "size", (1, 0.5, 1)),
    "friction": lambda game, ground, box: setattr(game.world.get(ground, Collider3D), "friction", 0),
    "gravity": lambda game, ground, box: setattr(game.world[Physics3DSettings], "gravity", (0, 10, 0)),
    "settings": lambda game, ground, box: setattr(game.world[Physics3DSettings], "sleeping", False),
    "floor sinks": lambda game, ground, box: setattr(game.world.get(ground, Transform3D), "position", (0, -1.5, 0)),
    "floor rises": lambda game, ground, box: setattr(game.world.get(ground, Transform3D), "position", (0, -0.9, 0)),
    "floor goes": lambda game, ground, box: game.world.despawn(ground),
    "hit": lambda game, ground, box: game.ball(-1.2, 0.5, 0, 0.5, body={"velocity": (20, 0, 0)}),
    "wall": lambda game, ground, box: game.put(0.8, 0.5, 0, Collider3D()),
    "joint": lambda game, ground, box: game.world.spawn(DistanceJoint3D(b=box, anchor_a=(0, 3, 0), length=1)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_wakes_what_it_concerns(yard: Start, change: str) -> None:
    """Whatever a body's rest depends on wakes it when it changes; another body far away sleeps on."""
    game, ground, (box,) = settled(yard)
    assert asleep(game, box)
    CHANGES[change](game, ground, box)
    woken: list[int] = []
    for _ in range(4):
        game.run(1)
        woken += [event.body for event in game.world.events(WokeUp3D)]
    assert box in woken


def test_what_does_not_concern_a_body_lets_it_sleep(yard: Start) -> None:
    """Bodies, joints and sensors elsewhere, a moved body far away, and equal values that are written wake nobody."""
    game, ground, boxes = settled(yard, 2)
    far = game.box(9, 0.5, 0)
    game.put(0, 0.5, 0, Collider3D(size=(3, 3, 3), sensor=True))
    game.world.spawn(WeldJoint3D(b=far, anchor_a=(9, 0.5, 0)))
    game.world.get(boxes[0], Transform3D).position = tuple(game.position(boxes[0]))
    game.world.get(ground, Collider3D).friction = game.world.get(ground, Collider3D).friction
    game.run(3)
    game.world.get(far, Transform3D).position = (12, 2, 0)
    game.world.despawn(far)
    game.run(3)
    assert all(asleep(game, box) for box in boxes)


def test_an_island_wakes_together(yard: Start) -> None:
    """Pushing one box of a stack wakes all of it; a second stack beside it sleeps on."""
    game = yard(-10)
    game.ground()
    stacks = [[game.box(x, 0.5 + k, 0) for k in range(3)] for x in (0, 5)]
    game.run(70)
    assert all(asleep(game, box) for stack in stacks for box in stack)
    game.world.get(stacks[0][2], Body3D).velocity = (0.5, 0, 0)
    game.run(1)
    assert [[asleep(game, box) for box in stack] for stack in stacks] == [[False] * 3, [True] * 3]


def test_joints_make_one_island(yard: Start) -> None:
    """Two joined bodies that do not touch fall asleep together, and wake together."""
    game = yard(-10)
    game.ground()
    one, two = game.box(0, 0.5, 0), game.box(3, 0.5, 0)
    game.world.spawn(DistanceJoint3D(a=one, b=two))
    game.run(60)
    assert asleep(game, one)
    game.world.get(two, Body3D).velocity = (0, 3, 0)
    game.run(1)
    assert not asleep(game, one)


def test_a_moving_platform_keeps_its_load_awake(yard: Start) -> None:
    """What stands on a moving kinematic body does not fall asleep, and does once it stands."""
    game = yard(-10)
    lift = game.box(0, 0, 0, (4, 1, 4), body={"type": "kinematic", "velocity": (0, 0.02, 0)})
    load = game.box(0, 1, 0)
    game.run(90)
    assert not asleep(game, load)
    game.world.get(lift, Body3D).velocity = (0, 0, 0)
    game.run(60)
    assert asleep(game, load)
    game.world.get(lift, Body3D).velocity = (0, 0.02, 0)
    game.run(1)
    assert not asleep(game, load)


def test_bodies_are_spawned_asleep(yard: Start) -> None:
    """A stack that is spawned asleep sleeps from the first tick on, also in the air; one with a velocity does not."""
    game = yard(-10)
    game.ground()
    boxes = [game.box(0, 0.5 + k, 0, body={"asleep": True}) for k in range(3)]
    floats = game.box(5, 9, 0, body={"asleep": True})
    thrown = game.box(9, 9, 0, body={"asleep": True, "velocity": (0, 1, 0)})
    game.run(30)
    assert all(asleep(game, each) for each in (*boxes, floats))
    assert game.position(floats)[1] == 9
    assert game.position(thrown)[1] < 9
    assert not asleep(game, thrown)


def test_sleep_can_be_switched_off(yard: Start) -> None:
    """Without `sleeping`, or with `allow_sleep` off, nothing falls asleep."""
    for body, settings in (({"allow_sleep": False}, {}), ({}, {"sleeping": "false"})):
        game = yard(-10, **settings)
        game.ground()
        box = game.box(0, 0.5, 0, body=body)
        game.run(60)
        assert not asleep(game, box)


def heap(game: Any, seed: int) -> list[int]:
    """Spawn a heap of boxes, balls and capsules that falls onto the ground; return its bodies."""
    rng = np.random.default_rng(seed)
    game.ground()
    bodies = []
    for _ in range(7):
        x, y, z = rng.uniform((-1.5, 0.5, -1.5), (1.5, 2, 1.5))
        shape = [{}, {"shape": "sphere"}, {"shape": "capsule", "radius": 0.3, "size": (0, 1.2, 0)}][rng.integers(3)]
        bodies.append(game.put(x, y, z, Body3D(angular_damping=2.0), Collider3D(friction=0.9, **shape)))
    return bodies


def disturb(game: Any, bodies: list[int], seed: int) -> None:
    """Make a random change."""
    rng = np.random.default_rng(seed)
    entity = bodies[rng.integers(len(bodies))]
    place = game.world.get(entity, Transform3D)
    x, y, z = game.position(entity)
    kind = rng.integers(8)
    if kind == 0:
        game.world.despawn(entity)
    elif kind == 1:
        place.position = (x + rng.uniform(-1, 1), y + rng.uniform(-0.3, 0.5), z)
    elif kind == 2:
        game.world.get(entity, Body3D).velocity = tuple(rng.uniform(-5, 5, 3))
    elif kind == 3:
        game.ball(x + 0.8, y + 0.3, z, 0.4, body={"velocity": (-3, 0, 0)})
    elif kind == 4:
        game.put(x, y, z, Collider3D(size=(1.5, 0.4, 1.5), sensor=True))
    elif kind == 5:
        game.world.get(entity, Collider3D).radius = 0.55
    elif kind == 6:
        game.put(x + 0.6, y, z, Collider3D(size=(0.5, 0.5, 0.5)))
    else:
        game.world[Physics3DSettings].gravity = (3, -10, 0)


def told(game: Any) -> list[tuple[str, tuple[int, ...]]]:
    """Return what the events of the last tick tell of contacts and visits, sorted."""
    from rish_physics3d import ContactBegin3D, ContactEnd3D, SensorBegin3D, SensorEnd3D

    out = []
    for cls in (ContactBegin3D, ContactEnd3D, SensorBegin3D, SensorEnd3D):
        for event in game.world.events(cls):
            names = ("a", "b") if hasattr(event, "a") else ("sensor", "visitor")
            out.append((cls.__name__, tuple(int(getattr(event, name)) for name in names)))
    return sorted(out)


@pytest.mark.slow
@pytest.mark.parametrize("seed", long(range(6), [0, 2, 4]))
def test_sleep_changes_nothing_but_time(yard: Start, seed: int) -> None:
    """From a heap that sleeps in part, a tick with a random change tells the same as if all bodies were awake."""
    game = yard(-10)
    bodies = heap(game, seed)
    game.run(150)
    saved = game.world.snapshot()
    assert any(asleep(game, body) for body in bodies)
    for change in range(8):
        outcomes = []
        for awake in (False, True):
            game.world.restore(saved)
            game.run(1)
            if awake:
                for body in bodies:
                    game.world.get(body, Body3D).asleep = False
            disturb(game, bodies, 100 * seed + change)
            game.run(1)
            outcomes.append(told(game))
        assert outcomes[0] == outcomes[1], change


def workshop(game: Any, seed: int) -> tuple[list[int], int, int]:
    """Spawn a heap on a platform above a mesh, some of it joined; return its bodies, the platform and a joint."""
    rng = np.random.default_rng(seed)
    game.put(0, 0, 0, Collider3D(shape="heightfield", columns=9, cell=2, heights=rng.uniform(0, 0.1, 81).tolist()))
    platform = game.box(0, 0.5, 0, (3, 0.5, 3), body={"type": "kinematic"})
    bodies = []
    for _ in range(7):
        x, y, z = rng.uniform((-2.5, 1, -2.5), (2.5, 2.5, 2.5))
        shape = [{}, {"shape": "sphere", "rolling_resistance": 0.2}][rng.integers(2)]
        bodies.append(game.put(x, y, z, Body3D(angular_damping=2.0), Collider3D(friction=0.9, **shape)))
    joint = game.world.spawn(DistanceJoint3D(a=bodies[0], b=bodies[1], length=2.5, limited=True, upper=3))
    game.world.spawn(WeldJoint3D(a=bodies[2], b=bodies[3]))
    return bodies, platform, joint


def work(game: Any, bodies: list[int], platform: int, joint: int, change: int) -> None:
    """Make one of the changes that concern joints, meshes, kinematic bodies and bullets."""
    x, y, z = game.position(bodies[change % len(bodies)])
    place = game.world.get(platform, Transform3D)
    if change == 0:
        game.world.despawn(joint)
    elif change == 1:
        game.world.get(joint, DistanceJoint3D).length = 1.5
    elif change == 2:
        place.position = (0, 0.53, 0)
    elif change == 3:
        place.rotation = (0, 0.05, 0, 1)
    elif change == 4:
        place.position = (1, 9, 1)
    elif change == 5:
        game.ball(x - 3, y + 0.1, z, 0.1, body={"velocity": (300, 0, 0), "bullet": True})
    elif change == 6:
        game.box(x - 3, y, z, (0.05, 1, 1), body={"type": "kinematic", "velocity": (200, 0, 0)})
    else:
        game.put(0, 0.02, 0, Collider3D(shape="heightfield", columns=9, cell=2, heights=[0.15] * 81))


@pytest.mark.slow
@pytest.mark.parametrize("seed", long(range(12), [0]))
def test_sleep_changes_nothing_with_joints_meshes_and_moved_bodies(yard: Start, seed: int) -> None:
    """The same with joints, meshes, kinematic bodies that are moved by their position or fast, and bullets."""
    game = yard(-10)
    bodies, platform, joint = workshop(game, seed)
    game.run(150)
    saved = game.world.snapshot()
    assert any(asleep(game, body) for body in bodies)
    for change in range(8):
        outcomes = []
        for awake in (False, True):
            game.world.restore(saved)
            game.run(1)
            if awake:
                for body in bodies:
                    game.world.get(body, Body3D).asleep = False
            work(game, bodies, platform, joint, change)
            ticks = []
            for _ in range(2):
                game.run(1)
                ticks.append(told(game))
            outcomes.append(ticks)
        assert outcomes[0] == outcomes[1], change


def test_a_restored_world_sleeps_and_wakes_alike(yard: Start) -> None:
    """From a snapshot in which some bodies sleep, later states have the same hashes, whatever came between."""
    game = yard(-10)
    heap(game, 3)
    game.run(60)
    saved = game.world.snapshot()
    hashes = []
    for _ in range(2):
        game.world.restore(saved)
        game.run(40)
        hashes.append(game.world.hash())
        game.ball(0, 1, 0, 0.3)
        game.run(5)
    assert hashes[0] == hashes[1]

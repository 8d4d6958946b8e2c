"""All state is in the World: running on from a restored tick gives the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Snapshot
from rish_physics import Body, ContactEnd, WokeUp, explode


def _collapse(yard: Callable[..., Any]) -> Any:
    """Return a leaning tower that falls onto sleeping boxes, with a sensor, a platform and an invalid collider."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    for k in range(6):
        scene.box(0.35 * k, 0.5 + k, restitution=0.1 * (k % 2))
    for k in range(4):
        scene.box(5, 0.5 + k)
    scene.ball(8, 6, 0.4, stay_events=True, hit_events=True)
    scene.wall(4, 2, 2, 4, sensor=True)
    scene.put(-4, 0.2, _kinematic(), _form())
    scene.wall(30, 5, 1, 0)
    return scene


def _kinematic() -> Any:
    from rish_physics import Body

    return Body(type="kinematic", velocity=(0.5, 0))


def _form() -> Any:
    from rish_physics import Collider

    return Collider(shape="capsule", size=(3, 1))


@pytest.mark.parametrize("tick", [1, 7, 40, 75, 110])
def test_a_restored_world_goes_on_to_the_same_hashes(yard: Callable[..., Any], tick: int):
    """After a restore, in the middle of motion, each of thirty ticks has the same hash again."""
    scene = _collapse(yard)
    scene.run(tick)
    kept = scene.world.snapshot()
    hashes = []
    for _ in range(30):
        scene.run()
        hashes.append(scene.world.hash())
    scene.world.restore(kept)
    for number, expected in enumerate(hashes):
        scene.run()
        assert scene.world.hash() == expected, (number, scene.world.hashes())


def test_a_world_loaded_from_a_file_goes_on_to_the_same_hashes(yard: Callable[..., Any]):
    """A snapshot as bytes, restored into another world, continues with the same hashes."""
    scene = _collapse(yard)
    scene.run(60)
    data = scene.world.snapshot().to_bytes()
    other = yard()
    other.world.restore(Snapshot.from_bytes(data))
    for _ in range(20):
        scene.run()
        other.run()
        assert other.world.hash() == scene.world.hash()


def test_an_end_that_is_not_reported_yet_is_state(yard: Callable[..., Any]):
    """A contact's end that is emitted in the next step is part of the state, and is restored."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    box = scene.box(0, 0.5)
    scene.run(30)
    scene.world.despawn(box)
    scene.world.end_frame()
    explode(scene.world, (40, 40), 1, 1)
    kept = scene.world.snapshot()
    told = []
    for _ in range(2):
        scene.run()
        told.append((len(scene.world.queues[ContactEnd].columns), scene.world.hash()))
        scene.world.restore(kept)
    assert told[0] == told[1]
    assert told[0][0] == 1


def test_a_waking_that_is_not_reported_yet_is_state(yard: Callable[..., Any]):
    """A body's waking that is emitted in the next step is part of the state, and is restored."""
    scene = yard(sleeping=True)
    scene.wall(0, -0.5, 60, 1)
    scene.box(0, 0.5)
    scene.run(240)
    assert scene.world.query(Body)[Body.asleep].all()
    explode(scene.world, (0, 0), 3, 1)
    kept = scene.world.snapshot()
    told = []
    for _ in range(2):
        scene.run()
        told.append((len(scene.world.queues[WokeUp].columns), scene.world.hash()))
        scene.world.restore(kept)
    assert told[0] == told[1]
    assert told[0][0] == 1


def test_runs_are_equal_to_the_bit(yard: Callable[..., Any]):
    """Two runs with the same calls give the same hash."""
    hashes = set()
    for _ in range(2):
        scene = _collapse(yard)
        scene.run(90)
        hashes.add(scene.world.hash())
    assert len(hashes) == 1

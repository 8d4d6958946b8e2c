"""A tick without changes and events uses a short path, with the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Transform
from rish_physics import Body, Collider
from rish_physics.sync import system as systems


def _play(scene: Any) -> list[int]:
    """Add a resting box, a falling one, a child, a kinematic body, and a fast ball."""
    scene.wall(0, -0.5, 60, 1)
    boxes = [scene.box(0, 0.5, stay_events=True), scene.box(2, 6, angle=0.3)]
    holder = scene.world.spawn(Transform(position=(5, 0)))
    boxes.append(scene.world.spawn(Transform(position=(1, 3), parent=holder), Body(), Collider(size=(1, 1))))
    boxes.append(scene.put(-5, 4, Body(type="kinematic", velocity=(0.5, 0)), Collider(size=(2, 0.5))))
    boxes.append(scene.ball(12, 9, 0.1, body={"velocity": (0, -150)}))
    return boxes


@pytest.mark.slow
@pytest.mark.parametrize("sleeping", [False, True])
def test_the_short_way_gives_the_same(sleeping: bool, yard: Callable[..., Any], monkeypatch: Any) -> None:
    """Both paths give the same hash in each tick, while bodies fall, rest, sleep, are pushed or despawned."""
    short, long = yard(sleeping=sleeping), yard(sleeping=sleeping)
    mine, others = _play(short), _play(long)
    for tick in range(200):
        for scene, boxes in ((short, mine), (long, others)):
            if tick == 90:
                scene.world.set(boxes[0], Body(velocity=(3, 4)))
            if tick == 140:
                scene.world.despawn(boxes[1])
        short.run()
        with monkeypatch.context() as patch:
            patch.setattr(systems, "_is_unchanged", lambda *_: False)
            long.run()
        assert short.world.hash() == long.world.hash(), tick


def test_where_nothing_happens_the_step_is_not_gone_through(yard: Callable[..., Any], monkeypatch: Any) -> None:
    """A resting box uses the short path, and a written one the complete step."""
    scene = yard(sleeping=False)
    scene.wall(0, -0.5, 60, 1)
    box = scene.box(0, 0.5)
    scene.run(60)
    taken: list[int] = []
    step = systems.step
    monkeypatch.setattr(systems, "step", lambda *given: taken.append(given[-1]) or step(*given))
    scene.run(5)
    assert taken == []
    scene.world.set(box, Body(velocity=(1, 0)))
    scene.run()
    assert len(taken) == 1

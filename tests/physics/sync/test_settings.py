"""Settings that change while a game runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_physics import Body, ContactBegin, ContactEnd, PhysicsSettings, masses_of


def test_density_and_layers_count_from_the_next_tick(yard: Callable[..., Any]) -> None:
    """A density changes the masses of colliders that name none, and a layer lets a resting body fall; only the second
    ends a contact.
    """
    scene = yard(layers={"solid": "all", "boxes": "all"})
    scene.wall(0, -0.5, 20, 1, collision_layer="solid")
    box = scene.box(0, 0.5, collision_layer="boxes")
    scene.run(60)
    assert scene.world.get(box, Body).asleep
    settings, ends = scene.world[PhysicsSettings], 0
    settings.density = 5.0
    for _ in range(60):
        scene.run()
        assert not len(scene.world.events(ContactBegin))
        ends += len(scene.world.events(ContactEnd))
    assert masses_of(scene.world, box) == pytest.approx(5)
    assert (ends, scene.place(box)[1]) == (0, pytest.approx(0.5, abs=0.01))
    settings.layers["boxes"] = "none"
    for _ in range(20):
        scene.run()
        ends += len(scene.world.events(ContactEnd))
    assert ends == 1
    assert scene.place(box)[1] < 0.3

"""Collision layers of colliders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def test_layers_masks_and_groups_decide_what_collides(yard: Callable[..., Any]):
    """Layers, masks and groups decide which of six balls collide with the floor."""
    scene = yard(layers={"ground": ["solid"], "solid": ["ground"], "ghost": "none", "default": "none"})
    scene.wall(0, -0.5, 60, 1, collision_layer="ground", group=-3)
    stays = [scene.ball(0, 1, collision_layer="solid"), scene.ball(3, 1, category=2, mask=-1, collision_layer="solid")]
    falls = [
        scene.ball(6, 1, collision_layer="ghost"),
        scene.ball(9, 1),
        scene.ball(12, 1, collision_layer="solid", mask=0),
        scene.ball(15, 1, collision_layer="solid", group=-3),
    ]
    scene.run(90)
    assert all(scene.place(ball)[1] < -2 for ball in falls)
    assert scene.place(stays[0])[1] == pytest.approx(0.5, abs=0.01)


def test_tools_get_a_list_of_collision_layers(yard: Any) -> None:
    """The list has the default layer and those of the settings."""
    app = yard(layers={"walls": "all", "ghosts": ["walls"]}).app
    assert list(app.registry.names["collision_layers"](app.world)) == ["default", "walls", "ghosts"]

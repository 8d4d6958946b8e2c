"""Collision layers, masks and groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import App, ManifestError, parse_manifest
from rish_physics3d import Body3D, Collider3D, ColliderShape3D

LAYERS = "{ghosts: [walls], walls: [ghosts, default], stones: none}"


@pytest.mark.parametrize(
    ("values", "floor", "meets"),
    [
        ({}, {}, True),
        ({"collision_layer": "ghosts"}, {}, False),
        ({"collision_layer": "ghosts"}, {"collision_layer": "walls"}, True),
        ({"collision_layer": "stones"}, {"collision_layer": "stones"}, False),
        ({"category": 4}, {"mask": ~4}, False),
        ({"category": 4, "mask": 2}, {"category": 2}, True),
        ({"group": -3}, {"group": -3}, False),
        ({"collision_layer": "stones", "group": 7}, {"group": 7}, True),
        ({"group": -3}, {"group": 5}, True),
    ],
)
def test_layers_masks_and_groups_say_what_collides(
    yard: Callable[..., Any], values: Any, floor: Any, meets: bool
) -> None:
    """A ball rests on a floor if each mask has a bit of the other's category, or both have a group above 0."""
    game = yard(gravity=-10, layers=LAYERS)
    game.ground(**floor)
    ball = game.ball(0, 0.5, 0, **values)
    game.run(20)
    assert (game.position(ball)[1] > 0.4) == meets


def test_changed_layers_count_at_once(yard: Callable[..., Any]) -> None:
    """A ball whose layer is changed falls through the floor on which it lay."""
    game = yard(gravity=-10, layers=LAYERS)
    game.ground()
    ball = game.ball(0, 0.5, 0)
    game.run(5)
    game.world.set(ball, Collider3D(shape=ColliderShape3D.SPHERE, collision_layer="ghosts"))
    game.run(20)
    assert game.position(ball)[1] < 0.2


def test_an_unknown_layer_is_named_once_and_replaced(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    """A collider of a layer that does not exist is in the default one, and the log says so once."""
    game = yard(gravity=-10)
    game.ground()
    ball = game.put(0, 0.5, 0, Body3D(), Collider3D(shape=ColliderShape3D.SPHERE, collision_layer="gohsts"))
    game.run(20)
    assert game.position(ball)[1] > 0.4
    assert caplog.text.count("gohsts") == 1


def test_a_layer_that_lists_an_unknown_one_is_an_error_with_its_line() -> None:
    """The manifest names the line of a layer that collides with one that does not exist."""
    text = (
        "rish: 1\nplugins: [space3d, physics3d]\nsettings:\n  physics3d:\n    layers:\n      ghosts: [wals]\n"
        "scenes:\n  main: []\n"
    )
    with pytest.raises(ManifestError, match=r":6:.*wals"):
        App(parse_manifest(text), headless=True)

"""Collision layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import UnknownName, UsageError
from rish_physics.components.layers import contradictions, layer_bits


def test_without_names_there_is_one_layer_that_collides_with_everything():
    """Without declared layers there is one layer, which collides with everything."""
    assert layer_bits({}) == {"": (1, -1), "default": (1, -1)}


def test_a_pair_collides_where_both_name_the_other():
    """Two layers collide only if each lists the other, as in Box2D; a layer without an entry has `all`."""
    bits = layer_bits({"player": ["foe", "default"], "foe": ["player"], "ghost": "none", "wall": "all"})

    def collide(a: str, b: str) -> bool:
        return bool(bits[a][1] & bits[b][0] and bits[b][1] & bits[a][0])

    pairs = {(a, b) for a in bits for b in bits if a and b and a <= b and collide(a, b)}
    assert pairs == {
        ("foe", "player"), ("default", "player"), ("default", "default"), ("default", "wall"), ("wall", "wall")
    }  # fmt: skip


def test_entries_that_contradict_each_other_are_found():
    """Lists that contradict each other are found; `all` beside `none` is no contradiction."""
    found = list(contradictions({"player": ["foe", "wall"], "foe": "none", "wall": "all", "ghost": "none"}))
    assert found == [("player", "'player' lists 'foe', but 'foe' does not list 'player', so they do not collide")]


def test_too_many_and_unknown_layers_are_refused():
    """Unknown layers are refused with the nearest name, and more than 31 layers are refused."""
    with pytest.raises(UnknownName, match="did you mean 'player'"):
        layer_bits({"player": "all", "foe": ["plaier"]})
    with pytest.raises(UsageError, match="at most 31 are allowed"):
        layer_bits({f"layer{k}": "all" for k in range(32)})
    assert layer_bits({f"layer{k}": "all" for k in range(31)})["layer30"][0] == -(1 << 31)


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

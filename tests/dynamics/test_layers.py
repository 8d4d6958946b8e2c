"""Collision layers."""

from __future__ import annotations

import pytest

from rish_dynamics import contradictions, layer_bits
from rish_jit.errors import UnknownName, UsageError


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
    with pytest.raises(UnknownName, match=r"settings\.physics\.layers\.foe: .*did you mean 'player'"):
        layer_bits({"player": "all", "foe": ["plaier"]}, "settings.physics.layers")
    with pytest.raises(UsageError, match="at most 31 are allowed"):
        layer_bits({f"layer{k}": "all" for k in range(32)})
    assert layer_bits({f"layer{k}": "all" for k in range(31)})["layer30"][0] == -(1 << 31)

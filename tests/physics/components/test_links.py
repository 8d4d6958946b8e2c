"""The maps of the physics after a load: the game goes on with the same bits as when the state was saved."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from physics_hand import Hand

from long_runs import long
from rish_core import publish_edges
from rish_physics.components.links import Links
from rish_physics.components.settings import PhysicsSettings


def _act(hand: Hand, dice: random.Random) -> None:
    """Change something in the world, as a game does between two ticks."""
    what, k = dice.randrange(17), dice.randrange(10_000)
    if what < 14:
        hand.act(what, k)
    elif what == 14:
        publish_edges(hand.world, "map", x0=-9, y0=k % 3, x1=-5, y1=k % 2)
    elif what == 15:
        hand.world[PhysicsSettings].gravity = np.array([0, -5 - k % 5], np.float32)
    else:
        hand.world[PhysicsSettings].layers = {"a": ["a"]} if k % 2 else {}


def _tick(hand: Hand, seed: int) -> Any:
    """Change something and run a tick; return a state that was saved in between."""
    dice = random.Random(seed)
    for _ in range(dice.randrange(4)):
        _act(hand, dice)
    state = hand.world.save_state()
    hand.yard.run()
    return state


@pytest.mark.parametrize("seed", range(long(100, 3)))
def test_a_loaded_state_goes_on_to_the_same_bits(yard: Callable[..., Any], seed: int) -> None:
    """Whatever changed and whether the step had read it when a state was saved, the ticks after a load are the same."""
    hand, dice = Hand(yard()), random.Random(seed)
    before: list[tuple[Any, list[int]]] = []
    between: list[Any] = []
    hashes: list[dict[str, str]] = []
    for tick in range(14):
        before.append((hand.world.save_state(), list(hand.live)))
        between.append(_tick(hand, 100 * seed + tick))
        hashes.append(hand.world.hashes())
    for _ in range(10):
        tick = dice.randrange(14)
        if dice.random() < 0.5:
            hand.world.load_state(between[tick])
            hand.yard.run()
        else:
            state, hand.live = before[tick][0], list(before[tick][1])
            hand.world.load_state(state)
            _tick(hand, 100 * seed + tick)
        assert hand.world.hashes() == hashes[tick]


def test_a_load_keeps_the_maps(yard: Callable[..., Any]) -> None:
    """After a load, bodies are not registered again, and the maps are those of the state."""
    hand = Hand(yard())
    for k in range(5):
        hand.spawn(k)
    hand.yard.run()
    world = hand.world
    state, slots, caches = world.save_state(), world[Links].slots.copy(), world[Links].cache
    hand.spawn(7)
    hand.yard.run()
    assert len(world[Links].slots) > len(slots)
    world.load_state(state)
    assert world[Links].slots.tolist() == slots.tolist()
    assert world[Links].cache is caches
    assert not world[Links].read.is_new

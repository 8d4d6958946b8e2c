"""Kernels of the visual effects: falling shards, tails of balls, fading colours, rising numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_ecs import maths
from rish_ecs.jit import njit
from rish_ecs.random import random_uniform

Floats = NDArray[np.float32]
Rows = NDArray[np.int32]


DRAWS = 6
"""How many random numbers a shard uses."""


@njit
def throw(
    shard_rows: Rows,
    places: Rows,
    shape_rows: Rows,
    first: int,
    count: int,
    velocity: Floats,
    spin: Floats,
    age: Floats,
    life: Floats,
    position: Floats,
    fill: Floats,
    colour: Floats,
    x: float,
    y: float,
    spread_x: float,
    spread_y: float,
    speed: float,
    key: int,
    counter: int,
) -> None:
    """Throw `count` shards, from number `first` on, in all directions from a rectangle around (x, y).

    shard_rows, places, shape_rows: the shards' rows in the tables of shards, transforms and shapes. colour: float32
    (4,). speed: the top speed, units/s. key, counter: of the random stream; each shard uses DRAWS numbers of it.
    """
    for n in range(count):
        k = (first + n) % len(shard_rows)
        shard, place, shape = shard_rows[k], places[k], shape_rows[k]
        at = counter + n * DRAWS
        angle = maths.TAU * random_uniform(key, at)
        pace = speed * (0.2 + 0.8 * random_uniform(key, at + 1))
        velocity[shard, 0] = pace * maths.cos(angle)
        velocity[shard, 1] = pace * maths.sin(angle) + 60.0
        spin[shard] = 18.0 * random_uniform(key, at + 2) - 9.0
        life[shard] = 0.35 + 0.45 * random_uniform(key, at + 3)
        age[shard] = 0.0
        position[place, 0] = x + spread_x * (random_uniform(key, at + 4) - 0.5)
        position[place, 1] = y + spread_y * (random_uniform(key, at + 5) - 0.5)
        for c in range(4):
            fill[shape, c] = colour[c]


@njit
def fall(
    shard_rows: Rows,
    places: Rows,
    shape_rows: Rows,
    age: Floats,
    life: Floats,
    velocity: Floats,
    spin: Floats,
    position: Floats,
    rotation: Floats,
    opacity: Floats,
    visible: Any,
    gravity: float,
    dt: float,
) -> None:
    """Make the shards that are younger than their life fall, turn and fade; hide each one at the end of its life.

    A shard is visible from its second tick on, so that no movement from its old place to its new one is drawn.
    """
    for k in range(len(shard_rows)):
        shard, place, shape = shard_rows[k], places[k], shape_rows[k]
        if age[shard] < life[shard]:
            shown = age[shard] > 0.0
            age[shard] = np.float64(age[shard]) + dt
            velocity[shard, 1] = np.float64(velocity[shard, 1]) + gravity * dt
            position[place, 0] = np.float64(position[place, 0]) + np.float64(velocity[shard, 0]) * dt
            position[place, 1] = np.float64(position[place, 1]) + np.float64(velocity[shard, 1]) * dt
            rotation[place] = np.float64(rotation[place]) + np.float64(spin[shard]) * dt
            opacity[shape] = max(0.0, 1.0 - np.float64(age[shard]) / np.float64(life[shard]))
            visible[shape] = shown and age[shard] < life[shard]


@njit
def rise(
    popup_rows: Rows,
    places: Rows,
    text_rows: Rows,
    age: Floats,
    life: Floats,
    position: Floats,
    opacity: Floats,
    visible: Any,
    speed: float,
    dt: float,
) -> None:
    """Make the popups that are younger than their life rise and fade; at the end of its life one becomes invisible.

    A popup is visible from its second tick on.
    """
    for k in range(len(popup_rows)):
        popup, place, text = popup_rows[k], places[k], text_rows[k]
        if age[popup] < life[popup]:
            shown = age[popup] > 0.0
            age[popup] = np.float64(age[popup]) + dt
            position[place, 1] = np.float64(position[place, 1]) + speed * dt
            opacity[text] = max(0.0, min(1.0, 2.0 - 2.0 * np.float64(age[popup]) / np.float64(life[popup])))
            visible[text] = shown and age[popup] < life[popup]


@njit
def drag(
    ghost_rows: Rows,
    places: Rows,
    of: NDArray[np.int64],
    order: Rows,
    balls: NDArray[np.int64],
    ball_places: Rows,
    position: Floats,
    orphan: Any,
) -> int:
    """Move each bead of a tail a part of the distance to its ball, the last beads least; return the number of orphans.

    of: the handle of each ghost's ball. balls: the handles of all balls, ball_places: their rows in the table of
    positions. orphan: bool, one for each ghost, set to True if its ball no longer exists.
    """
    count = 0
    for k in range(len(ghost_rows)):
        ghost, place = ghost_rows[k], places[k]
        orphan[k] = True
        for b in range(len(balls)):
            if balls[b] == of[ghost]:
                orphan[k] = False
                pull = 0.6 / (1.0 + 0.35 * order[ghost])
                for c in range(2):
                    here, there = np.float64(position[place, c]), np.float64(position[ball_places[b], c])
                    position[place, c] = here + (there - here) * pull
        count += 1 if orphan[k] else 0
    return count


@njit
def cool(glow_rows: Rows, shape_rows: Rows, heat: Floats, rest: Floats, hot: Floats, fill: Floats, keep: float) -> None:
    """Reduce the heat of each glow to `keep` of it and blend its colour between `rest` and `hot` accordingly."""
    for k in range(len(glow_rows)):
        glow, shape = glow_rows[k], shape_rows[k]
        if heat[glow] > 0.0:
            warm = np.float64(heat[glow]) * keep
            if warm < 0.01:
                warm = 0.0
            heat[glow] = warm
            for c in range(4):
                fill[shape, c] = np.float64(rest[glow, c]) * (1.0 - warm) + np.float64(hot[glow, c]) * warm

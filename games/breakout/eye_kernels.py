"""Loops for the eye: shards that fall, tails that follow, colours that cool down, numbers that rise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_core.jit import njit

Floats = NDArray[np.float32]
Rows = NDArray[np.int32]


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
    """Shards that still live fall, turn and fade; the others become invisible."""
    for k in range(len(shard_rows)):
        shard, place, shape = shard_rows[k], places[k], shape_rows[k]
        if age[shard] < life[shard]:
            age[shard] = float(age[shard]) + dt
            velocity[shard, 1] = float(velocity[shard, 1]) + gravity * dt
            position[place, 0] = float(position[place, 0]) + float(velocity[shard, 0]) * dt
            position[place, 1] = float(position[place, 1]) + float(velocity[shard, 1]) * dt
            rotation[place] = float(rotation[place]) + float(spin[shard]) * dt
            opacity[shape] = max(0.0, 1.0 - float(age[shard]) / float(life[shard]))
            visible[shape] = age[shard] < life[shard]


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
    """Popups that still live rise and fade; the others become invisible."""
    for k in range(len(popup_rows)):
        popup, place, text = popup_rows[k], places[k], text_rows[k]
        if age[popup] < life[popup]:
            age[popup] = float(age[popup]) + dt
            position[place, 1] = float(position[place, 1]) + speed * dt
            opacity[text] = max(0.0, min(1.0, 2.0 - 2.0 * float(age[popup]) / float(life[popup])))
            visible[text] = age[popup] < life[popup]


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
    """Each bead of a tail goes part of its way to its ball, the last ones least.

    of: the handle of each ghost's ball. balls: the handles of all balls, ball_places: their rows in the table of
    positions. orphan: bool, one a ghost, gets True where the ball is gone. Gives the number of those.
    """
    count = 0
    for k in range(len(ghost_rows)):
        ghost, place = ghost_rows[k], places[k]
        orphan[k] = True
        for b in range(len(balls)):
            if balls[b] == of[ghost]:
                orphan[k] = False
                pull = 0.62 - 0.07 * order[ghost]
                for c in range(2):
                    here, there = float(position[place, c]), float(position[ball_places[b], c])
                    position[place, c] = here + (there - here) * pull
        count += 1 if orphan[k] else 0
    return count


@njit
def cool(
    glow_rows: Rows, shape_rows: Rows, heat: Floats, rest: Floats, hot: Floats, fill: Floats, keep: float
) -> None:
    """What is hot loses heat (`keep` of it stays each tick) and is coloured between its two colours."""
    for k in range(len(glow_rows)):
        glow, shape = glow_rows[k], shape_rows[k]
        if heat[glow] > 0.0:
            warm = float(heat[glow]) * keep
            if warm < 0.01:
                warm = 0.0
            heat[glow] = warm
            for c in range(4):
                fill[shape, c] = float(rest[glow, c]) * (1.0 - warm) + float(hot[glow, c]) * warm

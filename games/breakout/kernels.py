"""How balls fly: swept against walls, paddle and bricks, so that none is passed through at any speed.

A ball of radius r against a box is a point against the box grown by r. In each tick a ball flies to the first thing
in its way, is turned there, and flies on with the time that is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rish_core import maths
from rish_core.jit import njit

Floats = NDArray[np.float32]

WALL, PADDLE = -2, -3
"""What a ball met, where it was no brick."""

_TURNS = 6
"""Bounces of one ball in one tick at most."""
_STEEPEST = 1.05
"""Radians from upright at which a ball leaves the end of the paddle."""


@njit
def fly(
    position: Floats,
    velocity: Floats,
    radius: Floats,
    boxes: Floats,
    solid: Any,
    alive: Any,
    paddle: Floats,
    court: Floats,
    fire: bool,
    dt: float,
    met: Any,
    where: Floats,
) -> int:
    """Move balls (n, 2) by their velocities (n, 2) for dt seconds and note what they meet.

    radius: (n,). boxes: (m, 4) centre and half size of the bricks. solid: bool (m,), bricks that turn even a fiery ball.
    alive: int32 (m,) hits left, counted down here. paddle: centre x, y and half width, height. court: left, right, top.
    met: int32 (k, 2) gets ball and brick (or WALL, PADDLE), where: (k, 2) the place. Gives how many were noted.
    """
    count = 0
    for i in range(position.shape[0]):
        left = dt
        for _ in range(_TURNS):
            px, py = position[i, 0], position[i, 1]
            vx, vy = velocity[i, 0], velocity[i, 1]
            r = radius[i]
            first = left
            what = -1
            nx = np.float32(0)
            ny = np.float32(0)
            if vx < 0 and (court[0] + r - px) / vx < first:
                first, what, nx, ny = max(0.0, (court[0] + r - px) / vx), WALL, np.float32(1), np.float32(0)
            if vx > 0 and (court[1] - r - px) / vx < first:
                first, what, nx, ny = max(0.0, (court[1] - r - px) / vx), WALL, np.float32(-1), np.float32(0)
            if vy > 0 and (court[2] - r - py) / vy < first:
                first, what, nx, ny = max(0.0, (court[2] - r - py) / vy), WALL, np.float32(0), np.float32(-1)
            if vy < 0:
                t, ax = meet(px, py, vx, vy, paddle[0], paddle[1], paddle[2] + r, paddle[3] + r)
                if t < first:
                    first, what = t, PADDLE
                    nx, ny = side(ax, vx, vy)
            for j in range(boxes.shape[0]):
                if alive[j] > 0:
                    t, ax = meet(px, py, vx, vy, boxes[j, 0], boxes[j, 1], boxes[j, 2] + r, boxes[j, 3] + r)
                    if t < first:
                        first, what = t, j
                        nx, ny = side(ax, vx, vy)
            position[i, 0] = px + vx * first
            position[i, 1] = py + vy * first
            if what == -1:
                break
            left -= first
            if count < met.shape[0]:
                met[count, 0] = i
                met[count, 1] = what
                where[count, 0] = position[i, 0]
                where[count, 1] = position[i, 1]
                count += 1
            if what >= 0:
                if not solid[what]:
                    alive[what] = 0 if fire else alive[what] - 1
                if fire and not solid[what]:
                    continue
            if what == PADDLE and ny > 0:
                speed = np.sqrt(vx * vx + vy * vy)
                lean = _STEEPEST * (position[i, 0] - paddle[0]) / (paddle[2] + r)
                velocity[i, 0] = speed * maths.sin(lean)
                velocity[i, 1] = speed * maths.cos(lean)
            elif nx != 0:
                velocity[i, 0] = nx * abs(vx)
            else:
                velocity[i, 1] = ny * abs(vy)
    return count


@njit
def meet(px: Any, py: Any, vx: Any, vy: Any, cx: Any, cy: Any, hx: Any, hy: Any) -> Any:
    """When a moving point enters a box (seconds, or a huge number), and through which axis: 0 for x, 1 for y."""
    never = 1e9
    enter_x, leave_x = -never, never
    if vx != 0:
        a, b = (cx - hx - px) / vx, (cx + hx - px) / vx
        enter_x, leave_x = min(a, b), max(a, b)
    elif abs(px - cx) >= hx:
        return never, 0
    enter_y, leave_y = -never, never
    if vy != 0:
        a, b = (cy - hy - py) / vy, (cy + hy - py) / vy
        enter_y, leave_y = min(a, b), max(a, b)
    elif abs(py - cy) >= hy:
        return never, 0
    enter, leave = max(enter_x, enter_y), min(leave_x, leave_y)
    if enter >= leave or enter < -1e-4:
        return never, 0
    return max(0.0, enter), 0 if enter_x > enter_y else 1


@njit
def side(axis: int, vx: Any, vy: Any) -> Any:
    """The outward normal of the side through which a velocity entered along an axis."""
    if axis == 0:
        return (np.float32(-1) if vx > 0 else np.float32(1)), np.float32(0)
    return np.float32(0), (np.float32(-1) if vy > 0 else np.float32(1))

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

Rows = NDArray[np.int32]

NOTHING, WALL, PADDLE = -1, -2, -3
"""What a ball met, where it was no brick."""

_TURNS = 6
"""Bounces of one ball in one tick at most."""
_STEEPEST = 1.05
"""Radians from upright at which a ball leaves the end of the paddle."""
_FLATTEST = np.float32(0.2)
_HALF = np.float32(0.5)


@njit
def fly(
    ball_rows: Rows,
    ball_places: Rows,
    brick_rows: Rows,
    brick_places: Rows,
    position: Floats,
    velocity: Floats,
    radius: Floats,
    held: Any,
    size: Floats,
    steel: Any,
    hits: Rows,
    paddle: Floats,
    court: Floats,
    fire: bool,
    dt: float,
    met: Rows,
    where: Floats,
) -> int:
    """Fly the balls that are not held for dt seconds, in place, and note what they meet.

    rows: of the balls and bricks in their own tables; places: of the same in the table of transforms, whose column is
    position (n, 2). velocity, radius, held: of balls. size (n, 2), steel, hits (left, counted down here): of bricks.
    paddle: x, y, half width, half height. court: left, right, top. met: int32 (k, 2) gets the numbers of ball and brick
    in the rows given (or WALL, PADDLE), where: (k, 2) the places. Gives how many were noted.
    """
    count = 0
    for i in range(len(ball_rows)):
        ball, place = ball_rows[i], ball_places[i]
        if held[ball]:
            continue
        left = dt
        r = radius[ball]
        for _ in range(_TURNS):
            px, py = position[place, 0], position[place, 1]
            vx, vy = velocity[ball, 0], velocity[ball, 1]
            first, what, nx, ny = meet_walls(px, py, vx, vy, r, court, left)
            if vy < 0:
                t, axis = meet(px, py, vx, vy, paddle[0], paddle[1], paddle[2] + r, paddle[3] + r)
                if t < first:
                    first, what = t, PADDLE
                    nx, ny = side(axis, vx, vy)
            for j in range(len(brick_rows)):
                brick, at = brick_rows[j], brick_places[j]
                if hits[brick] > 0:
                    hx, hy = size[brick, 0] * _HALF + r, size[brick, 1] * _HALF + r
                    t, axis = meet(px, py, vx, vy, position[at, 0], position[at, 1], hx, hy)
                    if t < first:
                        first, what = t, j
                        nx, ny = side(axis, vx, vy)
            position[place, 0] = px + vx * first
            position[place, 1] = py + vy * first
            if what == NOTHING:
                break
            left -= first
            if count < len(met):
                met[count, 0], met[count, 1] = i, what
                where[count, 0], where[count, 1] = position[place, 0], position[place, 1]
                count += 1
            if what >= 0 and not steel[brick_rows[what]]:
                hits[brick_rows[what]] = 0 if fire else hits[brick_rows[what]] - 1
                if fire:
                    continue
            if what == PADDLE and ny > 0:
                speed = np.sqrt(vx * vx + vy * vy)
                lean = _STEEPEST * (position[place, 0] - paddle[0]) / (paddle[2] + r)
                velocity[ball, 0] = speed * maths.sin(lean)
                velocity[ball, 1] = speed * maths.cos(lean)
            elif nx != 0:
                velocity[ball, 0] = nx * abs(vx)
            else:
                velocity[ball, 1] = ny * abs(vy)
        untangle(velocity, ball)
    return count


@njit
def meet_walls(px: Any, py: Any, vx: Any, vy: Any, r: Any, court: Floats, left: Any) -> Any:
    """The first wall that a ball meets within `left` seconds: when, WALL or NOTHING, and the normal."""
    first, what, nx, ny = left, NOTHING, np.float32(0), np.float32(0)
    if vx < 0 and (court[0] + r - px) / vx < first:
        first, what, nx, ny = max(0.0, (court[0] + r - px) / vx), WALL, np.float32(1), np.float32(0)
    if vx > 0 and (court[1] - r - px) / vx < first:
        first, what, nx, ny = max(0.0, (court[1] - r - px) / vx), WALL, np.float32(-1), np.float32(0)
    if vy > 0 and (court[2] - r - py) / vy < first:
        first, what, nx, ny = max(0.0, (court[2] - r - py) / vy), WALL, np.float32(0), np.float32(-1)
    return first, what, nx, ny


@njit
def untangle(velocity: Floats, ball: Any) -> None:
    """No ball may fly almost level for ever: the upward or downward part is at least a fifth of its speed."""
    vx, vy = velocity[ball, 0], velocity[ball, 1]
    speed = np.sqrt(vx * vx + vy * vy)
    least = _FLATTEST * speed
    if abs(vy) < least:
        across = np.sqrt(speed * speed - least * least)
        velocity[ball, 0] = -across if vx < 0 else across
        velocity[ball, 1] = least if vy > 0 else -least


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
    gravity: float,
    dt: float,
    gone: Any,
) -> int:
    """Shards fall, turn and fade; `gone` (bool, one a shard) marks those that are burnt out. Gives their number."""
    count = 0
    step = np.float32(dt)
    for k in range(len(shard_rows)):
        shard, place = shard_rows[k], places[k]
        age[shard] += step
        velocity[shard, 1] += np.float32(gravity) * step
        position[place, 0] += velocity[shard, 0] * step
        position[place, 1] += velocity[shard, 1] * step
        rotation[place] += spin[shard] * step
        left = np.float32(1) - age[shard] / life[shard]
        opacity[shape_rows[k]] = max(np.float32(0), left)
        gone[k] = left <= 0
        count += gone[k]
    return count


@njit
def drag(ghost_rows: Rows, places: Rows, owners: Rows, order: Rows, position: Floats) -> None:
    """Each bead of a tail goes part of its way to the ball (owners: the balls' places, -1 gone), the last ones least."""
    for k in range(len(ghost_rows)):
        owner, place = owners[k], places[k]
        if owner >= 0:
            pull = np.float32(0.62) - np.float32(0.07) * np.float32(order[ghost_rows[k]])
            position[place, 0] += (position[owner, 0] - position[place, 0]) * pull
            position[place, 1] += (position[owner, 1] - position[place, 1]) * pull

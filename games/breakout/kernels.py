"""The motion of balls: swept tests against walls, paddle and bricks, so that a ball of any speed passes through none.

A ball of radius r against a box is a point against the box grown by r. In each tick a ball flies to the first obstacle
on its path, bounces, and flies on for the rest of the tick. All arithmetic is in double precision, so that compiled and
plain Python give the same bits (in compiled code `float` of a float32 stays a float32; `np.float64` does not).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_jit import maths, njit

Floats = NDArray[np.float32]
Rows = NDArray[np.int32]

NOTHING, WALL, PADDLE, LOST = -1, -2, -3, -4
"""The things other than bricks that a ball can hit; LOST: it fell below the floor."""
STEEPEST = 1.05
"""The angle from the vertical, in radians, at which a ball leaves the end of the paddle."""

_TURNS = 6
"""The most bounces of one ball in one tick."""
_FLATTEST = 0.2
_NEVER = 1e9


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
    bat: NDArray[np.float64],
    court: NDArray[np.float64],
    fire: bool,
    dt: float,
    met: Rows,
    where: NDArray[np.float64],
) -> int:
    """Fly the balls that are not held for dt seconds, in place; record what they meet and return the number of records.

    ball_rows, brick_rows: rows in the tables of balls and bricks. ball_places, brick_places: rows of the same entities
    in the table of transforms, whose column is position (n, 2). velocity, radius, held: of balls. size (n, 2), steel,
    hits (hits left, reduced here): of bricks. bat: x, y, half width, half height of the paddle. court: left, right,
    top, floor. fire: balls break each brick they meet and fly on. met: int32 (k, 2) receives the index of the ball in
    ball_rows and of the brick in brick_rows (or WALL, PADDLE, LOST). where: (k, 2) receives the places.
    """
    count = 0
    for i in range(len(ball_rows)):
        ball, place = ball_rows[i], ball_places[i]
        if held[ball]:
            continue
        left = dt
        r = np.float64(radius[ball])
        for _ in range(_TURNS):
            px, py = np.float64(position[place, 0]), np.float64(position[place, 1])
            vx, vy = np.float64(velocity[ball, 0]), np.float64(velocity[ball, 1])
            first, what, axis = left, NOTHING, 0
            if vx != 0.0:
                t = ((court[0] + r if vx < 0.0 else court[1] - r) - px) / vx
                if t < first:
                    first, what = max(0.0, t), WALL
            if vy > 0.0 and (court[2] - r - py) / vy < first:
                first, what, axis = max(0.0, (court[2] - r - py) / vy), WALL, 1
            if vy < 0.0:
                hx, hy = bat[2] + r, bat[3] + r
                t, through = 0.0, 1
                # the paddle moves and grows, so it may overlap the ball since the last tick: an immediate hit, if the
                # ball is above the paddle's middle
                if not (abs(px - bat[0]) < hx and bat[1] < py < bat[1] + hy):
                    t, through = meet(px, py, vx, vy, bat[0], bat[1], hx, hy)
                if t < first:
                    first, what, axis = t, PADDLE, through
            for j in range(len(brick_rows)):
                brick, at = brick_rows[j], brick_places[j]
                if hits[brick] > 0:
                    hx, hy = 0.5 * np.float64(size[brick, 0]) + r, 0.5 * np.float64(size[brick, 1]) + r
                    cx, cy = np.float64(position[at, 0]), np.float64(position[at, 1])
                    t, through = meet(px, py, vx, vy, cx, cy, hx, hy)
                    if t < first:
                        first, what, axis = t, j, through
            px, py = px + vx * first, py + vy * first
            position[place, 0], position[place, 1] = px, py
            if what == NOTHING:
                break
            left -= first
            if count < len(met):
                met[count, 0], met[count, 1] = i, what
                where[count, 0], where[count, 1] = px, py
                count += 1
            if what >= 0 and not steel[brick_rows[what]]:
                hits[brick_rows[what]] = 0 if fire else hits[brick_rows[what]] - 1
                if fire:
                    continue
            if what == PADDLE and py > bat[1]:
                speed = np.sqrt(vx * vx + vy * vy)
                lean = STEEPEST * max(-1.0, min(1.0, (px - bat[0]) / (bat[2] + r)))
                velocity[ball, 0] = speed * maths.sin(lean)
                velocity[ball, 1] = speed * maths.cos(lean)
            elif axis == 0:
                velocity[ball, 0] = -vx
            else:
                velocity[ball, 1] = -vy
        untangle(velocity, ball)
        if position[place, 1] < court[3] and count < len(met):
            met[count, 0], met[count, 1] = i, LOST
            where[count, 0], where[count, 1] = np.float64(position[place, 0]), np.float64(position[place, 1])
            count += 1
    return count


@njit
def meet(px: float, py: float, vx: float, vy: float, cx: float, cy: float, hx: float, hy: float) -> Any:
    """Return when a moving point enters a box (seconds, or _NEVER), and through which axis: 0 for x, 1 for y."""
    # slab test: the times at which the point enters and leaves the box's range along x, then along y
    enter_x, leave_x = -_NEVER, _NEVER
    if vx != 0.0:
        a, b = (cx - hx - px) / vx, (cx + hx - px) / vx
        enter_x, leave_x = min(a, b), max(a, b)
    elif abs(px - cx) >= hx:
        return _NEVER, 0
    enter_y, leave_y = -_NEVER, _NEVER
    if vy != 0.0:
        a, b = (cy - hy - py) / vy, (cy + hy - py) / vy
        enter_y, leave_y = min(a, b), max(a, b)
    elif abs(py - cy) >= hy:
        return _NEVER, 0
    enter, leave = max(enter_x, enter_y), min(leave_x, leave_y)
    if enter >= leave or enter < -1e-4:
        return _NEVER, 0
    return max(0.0, enter), 0 if enter_x > enter_y else 1


@njit
def untangle(velocity: Floats, ball: int) -> None:
    """Keep a ball from flying almost level for ever: make |vy| at least a fifth of its speed."""
    vx, vy = np.float64(velocity[ball, 0]), np.float64(velocity[ball, 1])
    speed = np.sqrt(vx * vx + vy * vy)
    least = _FLATTEST * speed
    if abs(vy) < least:
        across = np.sqrt(speed * speed - least * least)
        velocity[ball, 0] = -across if vx < 0.0 else across
        velocity[ball, 1] = least if vy > 0.0 else -least


def set_pace(velocity: Floats, factor: float, least: float, most: float) -> None:
    """Multiply the speed of all balls by a factor, within bounds in units/s; balls at rest stay at rest."""
    ways = velocity.astype(np.float64)
    speed = np.sqrt(ways[:, 0] * ways[:, 0] + ways[:, 1] * ways[:, 1])
    moving = speed > 0.0
    pace = np.maximum(np.minimum(least, speed), np.minimum(most, speed * factor))
    velocity[moving] = ways[moving] * (pace[moving] / speed[moving])[:, None]


@njit
def foresee(
    ball_rows: Rows, places: Rows, position: Floats, velocity: Floats, radius: Floats, court: Any, level: float
) -> Any:
    """Return where and when the next ball crosses a height: (x, seconds, whether that ball is falling).

    Bounces off the walls are included, bricks are ignored. A ball that still rises is assumed to turn soon, straight
    above its place. In plain Python the tick of a match takes 7 % longer.
    """
    best_x, best_time, falls = 0.0, _NEVER, False
    for k in range(len(ball_rows)):
        ball, place = ball_rows[k], places[k]
        x, y = np.float64(position[place, 0]), np.float64(position[place, 1])
        vx, vy = np.float64(velocity[ball, 0]), np.float64(velocity[ball, 1])
        if vy < 0.0:
            time = max(0.0, (y - level) / -vy)
            r = np.float64(radius[ball])
            # bounces off the walls: reduce x modulo twice the width, and mirror the second half of that range
            low, width = court[0] + r, court[1] - court[0] - 2 * r
            x = x + vx * time - low
            x = x - 2 * width * np.floor(x / (2 * width))
            x = low + (x if x <= width else 2 * width - x)
        else:
            time = 0.4 + (y - level) / vy if vy > 0.0 else 0.4
        if time < best_time:
            best_x, best_time, falls = x, time, vy < 0.0
    return best_x, best_time, falls

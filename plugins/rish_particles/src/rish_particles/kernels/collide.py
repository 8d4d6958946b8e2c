"""The compiled collision of particles with edges: a grid of edges, and the first edge that each movement crosses.

Edges are solid on their left, so a particle collides only with edges that it crosses from the right. A particle that
was emitted inside a solid can leave it. The grid lists for each cell the edges whose boxes touch it; a particle checks
the cells of its movement in this tick, which are one or two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

BOUNCE, DIE, STICK = range(3)
"""The responses of a particle to a hit."""
GAP = 0.05
"""The distance between a particle and the edge after a hit, in units."""
HIT = 7
"""The length of a hit's row: x, y, velocity before the hit x, y, normal x, y, color (bits)."""


@njit
def cell(at: Any, origin: Any, per: Any, count: int) -> Any:
    """Return the row or column of the grid at a position; positions outside are clamped to the border."""
    place = np.floor((at - origin) * per)
    if not place > 0:
        return 0
    return np.int64(place) if place < count else count - 1


@njit
def collide(n: int, pool: Any, speeds: Array, dt: Any, walls: Any, grid: Any, rule: Any, hits: Array) -> int:
    """Stop n particles, which have moved for dt, at the first edge in their movement; return the number of hits.

    pool: the columns and the extras of its `Span`, positions and velocities in the world. speeds: speed over life.
    walls: edges, their masks, and the mask of the particles. grid: start and end of the edges of each cell in the
    items, the items, its origin, cells a unit, width and height. rule: the response to a hit, bounce and friction.
    hits: float32 HIT·k, or empty if hits are not reported.
    """
    columns, extras = pool
    x, y, vx, vy, age, life, _, spin, _, rgba = columns
    first, last, _, pick = extras
    edges, masks, mask = walls
    begins, ends, items, origin_x, origin_y, per, wide, high = grid
    response, bounce, friction = rule
    one, steps = np.float32(1), np.float32(128)
    count = 0
    for i in range(n):
        if len(pick) > 0 and pick[i] < 0:
            continue
        # The movement of this tick, from the factor of speed over life.
        t = age[i] / life[i]
        p = (t if t < one else one) * steps
        at = np.int64(p)
        factor = speeds[2 * at] + speeds[2 * at + 1] * (p - np.float32(at))
        if len(first) > 0:
            factor *= first[i] + (last[i] - first[i]) * t
        wx, wy = vx[i] * factor * dt, vy[i] * factor * dt
        px, py = x[i] - wx, y[i] - wy
        best, edge = np.float32(2), -1
        # The cells that the movement touches.
        c0, c1 = cell(min(px, x[i]), origin_x, per, wide), cell(max(px, x[i]), origin_x, per, wide)
        r0, r1 = cell(min(py, y[i]), origin_y, per, high), cell(max(py, y[i]), origin_y, per, high)
        for row in range(r0, r1 + 1):
            for column in range(c0, c1 + 1):
                for at in range(begins[row * wide + column], ends[row * wide + column]):
                    k = items[at]
                    if masks[k] & mask == 0:
                        continue
                    ex, ey = edges[4 * k + 2] - edges[4 * k], edges[4 * k + 3] - edges[4 * k + 1]
                    # Intersection with the edge: p + share · w = e + along · (e1 - e0); only from the right side.
                    across = wx * ey - wy * ex
                    if not across < np.float32(0):
                        continue
                    dx, dy = edges[4 * k] - px, edges[4 * k + 1] - py
                    share, along = (dx * ey - dy * ex) / across, (dx * wy - dy * wx) / across
                    inside = (share >= np.float32(0)) & (share <= one)
                    inside &= (along >= np.float32(0)) & (along <= one)
                    if inside and share < best:
                        best, edge = share, k
        if edge < 0:
            continue
        ex, ey = edges[4 * edge + 2] - edges[4 * edge], edges[4 * edge + 3] - edges[4 * edge + 1]
        # Move the particle to the hit, GAP away along the normal.
        length = np.float32(np.sqrt(ex * ex + ey * ey))
        nx, ny = ey / length, -ex / length
        x[i], y[i] = px + wx * best + nx * np.float32(GAP), py + wy * best + ny * np.float32(GAP)
        u, v = vx[i], vy[i]
        if len(hits) > 0:
            out = HIT * count
            hits[out], hits[out + 1], hits[out + 2], hits[out + 3] = x[i], y[i], u * factor, v * factor
            hits[out + 4], hits[out + 5] = nx, ny
            hits.view(np.int32)[out + 6] = rgba[i]
        count += 1
        # The response: die, stick, or bounce with friction along the edge.
        if response == DIE:
            age[i] = life[i]
        elif response == STICK:
            vx[i] = vy[i] = spin[i] = np.float32(0)
            pick[i] = np.int32(-2147483648) | pick[i]
        else:
            into = u * nx + v * ny
            tx, ty = u - into * nx, v - into * ny
            keep, back = one - friction, -bounce * into
            vx[i], vy[i] = tx * keep + nx * back, ty * keep + ny * back
            spin[i] *= keep
    return count

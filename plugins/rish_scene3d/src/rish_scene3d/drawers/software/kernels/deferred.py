"""Writes what surfaces look like into images, and reads it again to light them: deferred shading.

Normals are octahedral: two numbers from -1 to 1. That of the normal map is kept in steps of 1/1024 and a rest, so that
half floats hold it exactly enough.
"""

from __future__ import annotations

import numpy as np

from rish_ecs.jit import njit

from . import slots as at

F = np.float32
STEPS = F(1024)


@njit(borrows=True, inline="always")
def _folded(x, y, z):
    """Return the octahedral place of a direction, -1 to 1."""
    size = abs(x) + abs(y) + abs(z)
    p, q = x / size, z / size
    if y >= F(0):
        return p, q
    return (F(1) - abs(q)) * (F(1) if p >= F(0) else F(-1)), (F(1) - abs(p)) * (F(1) if q >= F(0) else F(-1))


@njit(borrows=True, inline="always")
def _unfolded(p, q):
    """Return the unit vector of an octahedral place."""
    y = F(1) - abs(p) - abs(q)
    x, z = p, q
    if y < F(0):
        x = (F(1) - abs(q)) * (F(1) if p >= F(0) else F(-1))
        z = (F(1) - abs(p)) * (F(1) if q >= F(0) else F(-1))
    length = F(1) / np.sqrt(x * x + y * y + z * z)
    return x * length, y * length, z * length


@njit(borrows=True)
def write_buffers(code, images, n, s, q):
    """Write the pixels in the slots to the images. code: the model, plus 4 where shadows fall."""
    _, base, facing, emitted, flatter, metres = images
    for i in range(n):
        x, y = np.int64(q[at.COLUMN + i]), np.int64(q[at.ROW + i])
        base[y, x, 0], base[y, x, 1] = s[at.BR + i], s[at.BG + i]
        base[y, x, 2], base[y, x, 3] = s[at.BB + i], s[at.METAL + i]
        u, v = _folded(s[at.SX + i], s[at.SY + i], s[at.SZ + i])
        p, r = np.floor(u * STEPS + F(0.5)) / STEPS, np.floor(v * STEPS + F(0.5)) / STEPS
        facing[y, x, 0], facing[y, x, 1], facing[y, x, 2] = p, r, s[at.ROUGH + i]
        facing[y, x, 3] = s[at.OCCLUSION + i]
        emitted[y, x, 0], emitted[y, x, 1] = s[at.ER + i], s[at.EG + i]
        emitted[y, x, 2], emitted[y, x, 3] = s[at.EB + i], code
        flatter[y, x, 2], flatter[y, x, 3] = u - p, v - r
        flatter[y, x, 0], flatter[y, x, 1] = _folded(s[at.NX + i], s[at.NY + i], s[at.NZ + i])
        metres[y, x, 0] = s[at.DEPTH + i]


@njit(borrows=True)
def read_buffers(view, images, n, s, q):
    """Fill the slots of place, normals and surface from the images."""
    _, base, facing, emitted, flatter, metres = images
    viewport, lens, back = view[2], view[3], view[4]
    for i in range(n):
        x, y = np.int64(q[at.COLUMN + i]), np.int64(q[at.ROW + i])
        s[at.BR + i], s[at.BG + i], s[at.BB + i] = base[y, x, 0], base[y, x, 1], base[y, x, 2]
        s[at.METAL + i], s[at.ROUGH + i], s[at.OCCLUSION + i] = base[y, x, 3], facing[y, x, 2], facing[y, x, 3]
        s[at.ER + i], s[at.EG + i], s[at.EB + i] = emitted[y, x, 0], emitted[y, x, 1], emitted[y, x, 2]
        s[at.BA + i] = F(1)
        u, v = facing[y, x, 0] + flatter[y, x, 2], facing[y, x, 1] + flatter[y, x, 3]
        s[at.SX + i], s[at.SY + i], s[at.SZ + i] = _unfolded(u, v)
        s[at.NX + i], s[at.NY + i], s[at.NZ + i] = _unfolded(flatter[y, x, 0], flatter[y, x, 1])
        depth = metres[y, x, 0]
        across = (s[at.PX + i] - viewport[0]) / viewport[2] * F(2) - F(1)
        up = F(1) - (s[at.PY + i] - viewport[1]) / viewport[3] * F(2)
        w = lens[3, 3] - lens[3, 2] * depth
        seen_x = (across * w + lens[0, 2] * depth - lens[0, 3]) / lens[0, 0]
        seen_y = (up * w + lens[1, 2] * depth - lens[1, 3]) / lens[1, 1]
        s[at.DEPTH + i] = depth
        s[at.WX + i] = back[0, 0] * seen_x + back[0, 1] * seen_y - back[0, 2] * depth + back[0, 3]
        s[at.WY + i] = back[1, 0] * seen_x + back[1, 1] * seen_y - back[1, 2] * depth + back[1, 3]
        s[at.WZ + i] = back[2, 0] * seen_x + back[2, 1] * seen_y - back[2, 2] * depth + back[2, 3]

"""Writes what surfaces look like into images, and reads it again to light them: deferred shading.

Normals are octahedral: two numbers from -1 to 1. That of the normal map is kept in steps of 1/1024 and a rest, so that
half floats hold it exactly enough.
"""

from __future__ import annotations

import numpy as np

from rish_jit import njit

from . import slots as at

F = np.float32
STEPS = F(1024)


@njit(borrows=True)
def _folded(x, y, z):
    """Return the octahedral place of a direction, -1 to 1."""
    size = abs(x) + abs(y) + abs(z)
    p, q = x / size, z / size
    if y >= F(0):
        return p, q
    return (F(1) - abs(q)) * (F(1) if p >= F(0) else F(-1)), (F(1) - abs(p)) * (F(1) if q >= F(0) else F(-1))


@njit(borrows=True)
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
def write_buffers(code, images, n, s):
    """Write the pixels in the slots to the images. code: the model, plus 4 where shadows fall."""
    _, base, facing, emitted, flatter, meters = images
    for i in range(n):
        x, y = np.int64(s[at.PX + i]), np.int64(s[at.PY + i])
        a, b, c, d = base[y, x], facing[y, x], emitted[y, x], flatter[y, x]
        a[0], a[1], a[2], a[3] = s[at.BR + i], s[at.BG + i], s[at.BB + i], s[at.METAL + i]
        u, v = _folded(s[at.SX + i], s[at.SY + i], s[at.SZ + i])
        b[0], b[1] = np.floor(u * STEPS + F(0.5)) / STEPS, np.floor(v * STEPS + F(0.5)) / STEPS
        b[2], b[3] = s[at.ROUGH + i], s[at.OCCLUSION + i]
        c[0], c[1], c[2], c[3] = s[at.ER + i], s[at.EG + i], s[at.EB + i], code
        d[0], d[1] = _folded(s[at.NX + i], s[at.NY + i], s[at.NZ + i])
        d[2], d[3] = u - b[0], v - b[1]
        meters[y, x, 0] = s[at.DEPTH + i]


@njit(borrows=True)
def read_buffers(view, images, n, s):
    """Fill the slots of place, normals and surface from the images."""
    _, base, facing, emitted, flatter, meters = images
    viewport, lens, back = view[2], view[3], view[4]
    for i in range(n):
        x, y = np.int64(s[at.PX + i]), np.int64(s[at.PY + i])
        a, b, c, d, depth = base[y, x], facing[y, x], emitted[y, x], flatter[y, x], meters[y, x, 0]
        s[at.BR + i], s[at.BG + i], s[at.BB + i], s[at.METAL + i] = a[0], a[1], a[2], a[3]
        s[at.ROUGH + i], s[at.OCCLUSION + i], s[at.BA + i] = b[2], b[3], F(1)
        s[at.ER + i], s[at.EG + i], s[at.EB + i] = c[0], c[1], c[2]
        s[at.SX + i], s[at.SY + i], s[at.SZ + i] = _unfolded(b[0] + d[2], b[1] + d[3])
        s[at.NX + i], s[at.NY + i], s[at.NZ + i] = _unfolded(d[0], d[1])
        across = (s[at.PX + i] - viewport[0]) / viewport[2] * F(2) - F(1)
        up = F(1) - (s[at.PY + i] - viewport[1]) / viewport[3] * F(2)
        w = lens[15] - lens[14] * depth
        seen_x = (across * w + lens[2] * depth - lens[3]) / lens[0]
        seen_y = (up * w + lens[6] * depth - lens[7]) / lens[5]
        s[at.DEPTH + i] = depth
        s[at.WX + i] = back[0] * seen_x + back[1] * seen_y - back[2] * depth + back[3]
        s[at.WY + i] = back[4] * seen_x + back[5] * seen_y - back[6] * depth + back[7]
        s[at.WZ + i] = back[8] * seen_x + back[9] * seen_y - back[10] * depth + back[11]

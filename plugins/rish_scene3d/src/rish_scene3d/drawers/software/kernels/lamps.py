"""Chooses the lamps whose light may reach the pixels of a block, from the clusters that the block touches."""

from __future__ import annotations

import numpy as np

from rish_jit import njit, simd
from rish_jit.simd import load, maximum, minimum, store

from ....layout import CLUSTERS, FAR, LAMP_PLACE, LAMP_RANGE, NEAR
from . import slots as at

F = np.float32
WIDE, HIGH, DEEP = CLUSTERS
COLUMNS, ROWS, LAYERS = (F(count) for count in CLUSTERS)


@njit(borrows=True)
def _ends(s, slot, n):
    """Return the least and the greatest number of a slot; n is a multiple of eight."""
    low = high = load(s, slot)
    for i in range(simd.LANES, n, simd.LANES):
        here = load(s, slot + i)
        low, high = minimum(low, here), maximum(high, here)
    store(s, at.TEMP[0], low)
    store(s, at.TEMP[1], high)
    minimal, maximal = s[at.TEMP[0]], s[at.TEMP[1]]
    for i in range(1, simd.LANES):
        minimal, maximal = min(minimal, s[at.TEMP[0] + i]), max(maximal, s[at.TEMP[1] + i])
    return minimal, maximal


@njit(borrows=True, forceinline=True)
def _cell(part, count):
    """Return the number of the cluster at a place from 0 to 1."""
    return np.int64(min(max(part * count, F(0)), count - F(1)))


@njit(borrows=True)
def choose_lamps(lights, viewport, n, s, seen, chosen):
    """Write the lamps that may reach the first `n` pixels into `chosen`, in the order of rows; return how many.

    lights: the tables of the batch, see `shade`. viewport: float32 (4): left, top, width, height. seen: int32 (lamps),
    filled with 0, and so again at the end. chosen: int32 (lamps).
    """
    lamps, clusters, listed, scene = lights[1], lights[2], lights[3], lights[6]
    if lamps.shape[0] == 0 or clusters.shape[0] == 0:
        return 0
    left, right = _ends(s, at.PX, n)
    top, bottom = _ends(s, at.PY, n)
    near, far = _ends(s, at.DEPTH, n)
    low_x, high_x = _ends(s, at.WX, n)
    low_y, high_y = _ends(s, at.WY, n)
    low_z, high_z = _ends(s, at.WZ, n)
    scale = F(1) / np.log(scene[FAR] / scene[NEAR])
    # a hair more to both sides, as a cluster is chosen with rounding
    z0 = _cell(np.log(max(near, scene[NEAR]) / scene[NEAR]) * scale - F(1e-4), LAYERS)
    z1 = _cell(np.log(max(far, scene[NEAR]) / scene[NEAR]) * scale + F(1e-4), LAYERS)
    x0, x1 = _cell((left - viewport[0]) / viewport[2], COLUMNS), _cell((right - viewport[0]) / viewport[2], COLUMNS)
    y0 = _cell(F(1) - (bottom - viewport[1]) / viewport[3], ROWS)
    y1 = _cell(F(1) - (top - viewport[1]) / viewport[3], ROWS)
    for z in range(z0, z1 + 1):
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                cluster = (z * HIGH + y) * WIDE + x
                for k in range(clusters[cluster, 0], clusters[cluster, 0] + clusters[cluster, 1]):
                    seen[listed[k]] = 1
    count = 0
    for i in range(lamps.shape[0]):
        if seen[i] == 0:
            continue
        seen[i] = 0
        dx = max(max(low_x - lamps[i, LAMP_PLACE], lamps[i, LAMP_PLACE] - high_x), F(0))
        dy = max(max(low_y - lamps[i, LAMP_PLACE + 1], lamps[i, LAMP_PLACE + 1] - high_y), F(0))
        dz = max(max(low_z - lamps[i, LAMP_PLACE + 2], lamps[i, LAMP_PLACE + 2] - high_z), F(0))
        if dx * dx + dy * dy + dz * dz < lamps[i, LAMP_RANGE] * lamps[i, LAMP_RANGE]:
            chosen[count] = np.int32(i)
            count += 1
    return count

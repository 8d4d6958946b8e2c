"""Places the corners of all meshes: skins and morphs them, and transforms them to the world and onto the target.

Arrays, with V corners: `places` float32 (V, 4) holds x and y in pixels (row 0 on top) on a grid of 1/256 pixel, the
depth of clip space, and 1/w; 1/w is 0 where the corner is not in front of the near plane. `world` float32 (V, 8):
place, normal (of any length), and the first texture coordinates. `more` float32 (V, 12), or without rows: color,
tangent and the sign of the bitangent, two unused numbers, the second texture coordinates.
"""

from __future__ import annotations

import numpy as np

from rish_jit import array_at, njit

from ....layout import RUN_COUNT, RUN_FIRST, RUN_MESH
from ..meshes import (
    COLORS,
    INFLUENCES,
    JOINTS,
    NORMALS,
    POSITIONS,
    TANGENTS,
    TARGET_COUNT,
    TARGETS,
    UV0,
    UV1,
    VERTICES,
    WEIGHTS,
)  # fmt: skip

F = np.float32
WORLD, MORE = 8, 12
"""The columns of `world` and of `more`."""
GRID, HALF, ONE, ZERO = F(256), F(0.5), F(1), F(0)
LIMIT = F(1 << 21)
"""Corners are at most so many pixels away from the target's corner; those of larger triangles are moved there."""


@njit(borrows=True, forceinline=True)
def snapped(pixel):
    """Return a position in pixels on the grid of 1/256 pixel."""
    return np.floor(min(max(pixel, -LIMIT), LIMIT) * GRID + HALF) / GRID


@njit(borrows=True)
def put_place(places, at, x, y, z, slack, camera, viewport):
    """Fill a row of `places` for a point of the world.

    slack: how far behind the near plane a point may be to be taken as on it. camera: float32 (4, 4), projection · view.
    viewport: float32 (4): x, y, width, height in pixels, row 0 on top.
    """
    cx = camera[0, 0] * x + camera[0, 1] * y + camera[0, 2] * z + camera[0, 3]
    cy = camera[1, 0] * x + camera[1, 1] * y + camera[1, 2] * z + camera[1, 3]
    cz = camera[2, 0] * x + camera[2, 1] * y + camera[2, 2] * z + camera[2, 3]
    cw = camera[3, 0] * x + camera[3, 1] * y + camera[3, 2] * z + camera[3, 3]
    if not (cz > -cw - slack and cw > ZERO):
        places[at, 3] = ZERO
        return
    inverse = ONE / cw
    places[at, 0] = snapped(viewport[0] + (cx * inverse + ONE) * HALF * viewport[2])
    places[at, 1] = snapped(viewport[1] + (ONE - cy * inverse) * HALF * viewport[3])
    places[at, 2] = max(cz, -cw) * inverse
    places[at, 3] = inverse


@njit(borrows=True)
def _blend_skin(out, matrix, palettes, first, joints, weights, at, influences):
    """Set `out`, float32 (12), to the instance's matrix times the weighted mean of the joints' matrices."""
    mean = out[12:]
    for k in range(12):
        mean[k] = ZERO
    for k in range(influences):
        weight = weights[at * influences + k]
        if weight != ZERO:
            joint = palettes[first + np.int64(joints[at * influences + k])]
            for row in range(3):
                for column in range(4):
                    mean[4 * row + column] += weight * joint[row, column]
    for row in range(3):
        a, b, c = matrix[4 * row], matrix[4 * row + 1], matrix[4 * row + 2]
        for column in range(4):
            out[4 * row + column] = a * mean[column] + b * mean[4 + column] + c * mean[8 + column]
        out[4 * row + 3] += matrix[4 * row + 3]


@njit(borrows=True)
def _set_cofactors(m, normal):
    """Set `normal`, float32 (9), to the matrix for normals of a matrix (3, 4), times the sign of its determinant."""
    for row in range(3):
        b, c = 4 * ((row + 1) % 3), 4 * ((row + 2) % 3)
        normal[3 * row] = m[b + 1] * m[c + 2] - m[b + 2] * m[c + 1]
        normal[3 * row + 1] = m[b + 2] * m[c] - m[b] * m[c + 2]
        normal[3 * row + 2] = m[b] * m[c + 1] - m[b + 1] * m[c]
    if m[0] * normal[0] + m[1] * normal[1] + m[2] * normal[2] < ZERO:
        for k in range(9):
            normal[k] = -normal[k]


@njit(borrows=True)
def _morph(point, targets, count, vertices, at, weights, first):
    """Add the morph targets to `point`: place (3), normal (3), tangent (3)."""
    for k in range(count):
        weight = weights[first + k]
        if weight != ZERO:
            for part in range(3):
                for axis in range(3):
                    point[3 * part + axis] += weight * targets[((3 * k + part) * vertices + at) * 3 + axis]


@njit(borrows=True)
def _put_more(more, at, mesh, vertex, m, tx, ty, tz):
    """Fill a row of `more`."""
    vertices = mesh[VERTICES]
    for k in range(MORE):
        more[at, k] = ONE if k < 4 else ZERO
    if mesh[TANGENTS] != 0:
        more[at, 4] = m[0] * tx + m[1] * ty + m[2] * tz
        more[at, 5] = m[4] * tx + m[5] * ty + m[6] * tz
        more[at, 6] = m[8] * tx + m[9] * ty + m[10] * tz
        x = m[0] * (m[5] * m[10] - m[6] * m[9])
        x += m[1] * (m[6] * m[8] - m[4] * m[10]) + m[2] * (m[4] * m[9] - m[5] * m[8])
        sign = array_at(mesh[TANGENTS], vertices * 4, np.float32)[vertex * 4 + 3]
        more[at, 7] = sign if x >= ZERO else -sign
    if mesh[UV1] != 0:
        uv = array_at(mesh[UV1], vertices * 2, np.float32)
        more[at, 10], more[at, 11] = uv[vertex * 2], uv[vertex * 2 + 1]
    if mesh[COLORS] != 0:
        colors = array_at(mesh[COLORS], vertices * 4, np.float32)
        for k in range(4):
            more[at, k] = colors[vertex * 4 + k]


@njit(borrows=True)
def _place_instance(mesh, floats, ints, palettes, morphs, first, tables, camera, viewport, scratch):
    """Place the corners of one instance at the rows from `first` of the tables: places, world, more.

    floats, ints: the 16 words of the instance, as float32 and as int32.
    """
    places, world, more = tables
    vertices = mesh[VERTICES]
    positions = array_at(mesh[POSITIONS], vertices * 3, np.float32)
    normals = array_at(mesh[NORMALS], vertices * 3, np.float32)
    coordinates = array_at(mesh[UV0], vertices * 2, np.float32)
    tangents = array_at(mesh[TANGENTS], vertices * 4, np.float32)
    influences = mesh[INFLUENCES] if ints[14] >= 0 else 0
    joints = array_at(mesh[JOINTS], vertices * influences, np.uint16)
    weights = array_at(mesh[WEIGHTS], vertices * influences, np.float32)
    bends = mesh[TARGET_COUNT] if ints[15] >= 0 else 0
    targets = array_at(mesh[TARGETS], vertices * 9 * bends, np.float32)
    m, n, point = scratch[:24], scratch[24:33], scratch[33:42]
    for k in range(12):
        m[k] = floats[k]
    _set_cofactors(m, n)
    for v in range(vertices):
        at = first + v
        for axis in range(3):
            point[axis] = positions[3 * v + axis]
            point[3 + axis] = normals[3 * v + axis]
        if mesh[TANGENTS] != 0:
            for axis in range(3):
                point[6 + axis] = tangents[4 * v + axis]
        if bends:
            _morph(point, targets, bends, vertices, v, morphs, np.int64(ints[15]))
        if influences:
            _blend_skin(m, floats, palettes, np.int64(ints[14]), joints, weights, v, influences)
            _set_cofactors(m, n)
        px, py, pz = point[0], point[1], point[2]
        x = m[0] * px + m[1] * py + m[2] * pz + m[3]
        y = m[4] * px + m[5] * py + m[6] * pz + m[7]
        z = m[8] * px + m[9] * py + m[10] * pz + m[11]
        world[at, 0], world[at, 1], world[at, 2] = x, y, z
        nx, ny, nz = point[3], point[4], point[5]
        world[at, 3] = n[0] * nx + n[1] * ny + n[2] * nz
        world[at, 4] = n[3] * nx + n[4] * ny + n[5] * nz
        world[at, 5] = n[6] * nx + n[7] * ny + n[8] * nz
        if mesh[UV0] != 0:
            world[at, 6], world[at, 7] = coordinates[2 * v], coordinates[2 * v + 1]
        else:
            world[at, 6], world[at, 7] = ZERO, ZERO
        put_place(places, at, x, y, z, ZERO, camera, viewport)
        if more.shape[0]:
            _put_more(more, at, mesh, v, m, point[6], point[7], point[8])


@njit(borrows=True)
def place_corners(meshes, runs, floats, ints, palettes, morphs, tables, camera, viewport, scratch):
    """Place the corners of all instances, run by run, from row 0 of the tables on; return their number.

    meshes: int64 (k, 16), see `meshes`. floats, ints: (n, 16), the instances as float32 and as int32. scratch: float32
    (42). tables, camera, viewport: see the module and `put_place`.
    """
    first = np.int64(0)
    for run in range(runs.shape[0]):
        mesh = meshes[runs[run, RUN_MESH]]
        for k in range(runs[run, RUN_FIRST], runs[run, RUN_FIRST] + runs[run, RUN_COUNT]):
            _place_instance(
                mesh, floats[k], ints[k], palettes, morphs, first, tables, camera, viewport, scratch
            )  # fmt: skip
            first += mesh[VERTICES]
    return first

"""Frames: the transforms of bodies and their shapes in the world, read through the parents of `Transform`.

Bodies are solved in the world and have a position and an angle; an entity may have a parent, a scale, or be mirrored. A
matrix is six numbers a b c d tx ty as in `rish_core.world_matrices`: x' = a·x + c·y + tx, y' = b·x + d·y + ty. All of
this is float64, and rounded when it is written to a column.
"""

from __future__ import annotations

import numpy as np

from rish_core import Transform, World
from rish_core.common import hierarchy_of
from rish_jit import Array, maths

SHEAR = 1e-3
"""The greatest cosine of the angle between the axes of a frame that counts as perpendicular."""


def local_frames(world: World, rows: Array) -> Array:
    """Return the matrices of some rows of Transform relative to their parents, float64 (n, 6)."""
    table = world.table(Transform)
    place, angle, scale = (table.column(name)[rows].astype(np.float64) for name in ("position", "rotation", "scale"))
    sin, cos = maths.sincos(angle)
    return frames_of(place, cos, sin, scale)


def frames_of(place: Array, cos: Array, sin: Array, scale: Array) -> Array:
    """Return matrices that scale, then rotate, then translate, float64 (n, 6)."""
    return np.column_stack([cos * scale[:, 0], sin * scale[:, 0], -sin * scale[:, 1], cos * scale[:, 1], place])


def world_frames(world: World, rows: Array) -> Array:
    """Return the matrices of some rows of Transform in the world, float64 (n, 6). The time depends on the number of
    these rows and of their ancestors.
    """
    frames = local_frames(world, rows)
    parents = hierarchy_of(world).parents
    above = parents[rows]
    hung = np.flatnonzero(above >= 0)
    while len(hung):
        carriers = above[hung]
        frames[hung] = product(local_frames(world, carriers), frames[hung])
        above[hung] = parents[carriers]
        hung = hung[above[hung] >= 0]
    return frames


def product(p: Array, m: Array) -> Array:
    """Return the matrices that apply first m, then p, float64 (n, 6)."""
    a, b, c, d, x, y = p.T
    return np.column_stack([
        a * m[:, 0] + c * m[:, 1], b * m[:, 0] + d * m[:, 1], a * m[:, 2] + c * m[:, 3], b * m[:, 2] + d * m[:, 3],
        a * m[:, 4] + c * m[:, 5] + x, b * m[:, 4] + d * m[:, 5] + y,
    ])  # fmt: skip


def through(m: Array, points: Array) -> Array:
    """Return points (..., 2), transformed by one matrix (6,)."""
    x, y = points[..., 0], points[..., 1]
    return np.stack([m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]], axis=-1)


def inverse(m: Array) -> Array:
    """Return the inverse of each matrix, float64 (n, 6); not finite if a matrix has no inverse."""
    a, b, c, d, x, y = m.T
    with np.errstate(all="ignore"):
        over = 1.0 / (a * d - b * c)
        return np.column_stack([
            d * over, -b * over, -c * over, a * over, (c * y - d * x) * over, (b * x - a * y) * over,
        ])  # fmt: skip


def sizes_in(frames: Array) -> Array:
    """Return frames without their translation and rotation, float64 (n, 6): b, tx and ty are 0.

    Rounded to eighteen bits, so that a body below a rotating parent keeps its size, and so its shapes.
    """
    a, b, c, d = frames[:, :4].T
    # QR decomposition: long and wide are the scales, slant is the shear.
    long = np.sqrt(a * a + b * b)
    with np.errstate(all="ignore"):
        slant, wide = (a * c + b * d) / long, (a * d - b * c) / long
    maximum = np.maximum(np.maximum(long, np.abs(wide)), np.abs(slant))
    grid = np.exp2(np.frexp(np.where(np.isfinite(maximum), maximum, 0))[1] - 18.0)
    zero = np.zeros(len(frames))
    return np.column_stack([*(np.rint(part / grid) * grid for part in (long, zero, slant, wide)), zero, zero])


def poses_in(frames: Array) -> Array:
    """Return position x, y, angle and size x, y of frames, float64 (n, 5); a mirrored frame has a size y below 0."""
    return np.column_stack([frames[:, 4:], maths.atan2(frames[:, 1], frames[:, 0]), sizes_in(frames)[:, [0, 3]]])


def frames_below(world: World, rows: Array, tops: Array) -> Array:
    """Return the matrices from rows of Transform to the frames of their ancestors `tops` (rows), float64 (n, 6). The
    matrix of the ancestor itself is not included.
    """
    frames = local_frames(world, rows)
    parents = hierarchy_of(world).parents
    above = parents[rows]
    between = np.flatnonzero((above >= 0) & (above != tops))
    while len(between):
        carriers = above[between]
        frames[between] = product(local_frames(world, carriers), frames[between])
        above[between] = parents[carriers]
        between = between[(above[between] >= 0) & (above[between] != tops[between])]
    return frames


def sheared(frames: Array) -> Array:
    """Return whether the axes of each frame are not perpendicular, or one of them has no length, bool (n,)."""
    a, b, c, d = frames[:, :4].T
    long, wide = a * a + b * b, c * c + d * d
    slant = a * c + b * d
    return ~(slant * slant <= SHEAR * SHEAR * long * wide) | ~(long * wide > 0)


def place_rows(world: World, rows: Array, place: Array, way: Array) -> None:
    """Convert poses in the world to the frames of the parents, and write them to rows of Transform. Ancestors are
    written before their descendants.

    place: float64 (n, 2). way: float64 (n, 2), cosine and sine of the angle.
    """
    places, tree = world.table(Transform), hierarchy_of(world)
    for rank in ((tree.parents[rows] < 0), *(np.isin(rows, generation) for generation in tree.generations)):
        placed_rows, spot, turn = rows[rank], place[rank], way[rank]
        if not len(placed_rows):
            continue
        above = tree.parents[placed_rows]
        hung = np.flatnonzero(above >= 0)
        if len(hung):
            back = inverse(world_frames(world, above[hung]))
            inner = product(back, np.column_stack([turn[hung], np.zeros((len(hung), 2)), spot[hung]]))
            spot[hung], turn[hung] = inner[:, 4:], inner[:, :2]
        turn *= np.where(places.scale[placed_rows, :1] < 0, -1.0, 1.0)
        places.position[placed_rows] = spot
        places.rotation[placed_rows] = maths.atan2(turn[:, 1], turn[:, 0])

"""Poses between two ticks, computed only for the rows that are requested.

`Poses` holds the columns and the matrices of the few rows that have children; `matrices_of` computes the matrix of any
row from them. A caller that draws a hundred thousand things reads the columns directly and needs no matrices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rish_core.common import Hierarchy
from rish_ecs import Table
from rish_ecs.declarations import Column
from rish_jit import Ready, hang_matrices, maths, product

from .sines import PER_TAU, TAU, quick_sincos_of

F32 = np.float32
KERNEL_ROWS = 2048
"""The smallest number of rows for which a compiled kernel saves more time than it takes to load."""
_IDENTITY_BASE = np.array([[0, 0, 1, 0, 0, 1, 0, 0]], F32)
"""The bases of a world without parents: one, the identity."""


def _warm_up() -> None:
    from .kernels import warm_up

    warm_up()


READY = Ready(_warm_up)
"""Whether the kernels of transforms are compiled and can be called."""
BASE = 8
"""The length of a base: tx ty, a b of its matrix, its rotation, its size, and two zeros."""
_MAX_DEVIATION = F32(1e-3)
"""The largest deviation, relative to its size, of a matrix that counts as rotation and uniform scale only."""


def use_kernels(rows: int) -> bool:
    """Return True if compiled kernels are used for this number of rows."""
    return READY.serve(rows, KERNEL_ROWS)


class Poses(NamedTuple):
    """The flat columns of the Transforms, and the time between two ticks.

    back: float32, the time before the last tick as a fraction of a tick, 0..1; with 0 the last columns are not used.
    slots: uint32 (n,), the base of each row, 0 for none. matrices: float32 (k + 1, 6), the matrices of the bases; the
    first is the identity.
    """

    position: Column
    rotation: Column
    scale: Column
    last_position: Column
    last_rotation: Column
    last_scale: Column
    back: Any
    slots: Column
    matrices: Column

    def bases(self) -> Column:
        """Return the turn and size of each base, float32 (k + 1, BASE), for bases that keep their children's shape.

        Turn and size give the pose of a child without its matrix: its angle is turn + m·angle, and its size is
        multiplied. If the base mirrors (m = -1: a negative size), the child's x axis is reversed first. A base that
        does not keep shapes has an infinite size.
        """
        if not use_kernels(len(self.rotation)):
            return plain_bases(self.matrices)
        from .kernels import bases_of

        bases: Column = np.zeros((len(self.matrices), BASE), F32)
        bases_of(self.matrices, _MAX_DEVIATION, bases)
        return bases


def plain_bases(matrices: Column) -> Column:
    """Compute `Poses.bases` with numpy; the same bits as the kernel `bases_of`."""
    if len(matrices) == 1:
        return _IDENTITY_BASE.copy()
    bases: Column = np.zeros((len(matrices), BASE), F32)
    a, b, c, d = (matrices[:, k] for k in range(4))
    with np.errstate(all="ignore"):
        area = a * d - b * c
        sign = np.where(area < 0, F32(-1), F32(1))
        size = np.sqrt(np.abs(area))
        uniform = (np.abs(a - sign * d) <= _MAX_DEVIATION * size) & (np.abs(b + sign * c) <= _MAX_DEVIATION * size)
        uniform &= size < F32(np.inf)
    bases[:, :2], bases[:, 2], bases[:, 3] = matrices[:, 4:], a, b
    bases[:, 4] = maths.atan2(b * sign, a * sign)
    bases[:, 5] = np.where(uniform, size, F32(np.inf)) * sign
    return bases


def poses_of(table: Table, tree: Hierarchy, back: Any, bases: Column | None = None) -> Poses:
    """Return the poses of a table, `back` before the last tick. bases: the matrices of the bases if they are already
    computed."""
    position, rotation, scale = current = table.flat("position"), table.flat("rotation"), table.flat("scale")
    last = (table.flat("last_position"), table.flat("last_rotation"), table.flat("last_scale")) if back else current
    matrices = np.zeros((len(tree.carriers) + 1, 6), F32) if bases is None else bases
    poses = Poses(position, rotation, scale, *last, F32(back), tree.slots, matrices)
    if bases is None:
        matrices[0, 0] = matrices[0, 3] = 1
        if not len(tree.carriers):
            return poses
        if not use_kernels(len(table)):
            _place_carriers(poses, tree)
        else:
            indices = np.arange(1, len(tree.carriers) + 1, dtype=np.int32)
            _run_kernel(poses, tree.carriers, indices, matrices)
    return poses


def _place_carriers(poses: Poses, tree: Hierarchy) -> None:
    """Fill the matrices of the bases, parents first, without a kernel."""
    carriers = tree.carriers
    poses.matrices[1:] = _local_matrices(poses, carriers)
    parents = np.append(0, poses.slots[carriers])
    with np.errstate(all="ignore"):
        hang_matrices(poses.matrices, parents, np.arange(1, len(parents)), tree.depths[carriers])


def matrices_of(poses: Poses, rows: Column) -> Column:
    """Return the matrices of some rows, float32 (len(rows), 6)."""
    if not use_kernels(len(rows)):
        return plain_matrices(poses, rows)
    out: Column = np.empty((len(rows), 6), F32)
    _run_kernel(poses, np.ascontiguousarray(rows, np.int32), np.arange(len(rows), dtype=np.int32), out)
    return out


def _run_kernel(poses: Poses, rows: Column, indices: Column, out: Column) -> None:
    from .kernels import drawn_matrices

    columns = poses[:6]
    drawn_matrices(rows, indices, poses.slots, *columns, poses.back, poses.matrices.reshape(-1), out.reshape(-1))


def plain_matrices(poses: Poses, rows: Column) -> Column:
    """Compute the matrices of some rows with numpy, float32 (len(rows), 6); the same bits as `drawn_matrices`."""
    matrices = _local_matrices(poses, rows)
    slots = poses.slots[rows]
    hung = np.flatnonzero(slots)
    if len(hung):
        with np.errstate(all="ignore"):
            matrices[hung] = product(poses.matrices[slots[hung]], matrices[hung])
    return matrices


def _local_matrices(poses: Poses, rows: Column) -> Column:
    """Return the matrices of some rows relative to their bases, float32 (len(rows), 6).

    Angles are interpolated in the direction of the shorter turn.
    """
    position, last_position, scale, last_scale = (
        column.reshape(-1, 2)[rows] for column in (poses.position, poses.last_position, poses.scale, poses.last_scale)
    )
    rotation, back = poses.rotation[rows], poses.back
    with np.errstate(all="ignore"):
        turn = rotation - poses.last_rotation[rows]
        turn = turn - TAU * np.floor(turn * PER_TAU + F32(0.5))
        sin, cos = quick_sincos_of(rotation - back * turn)
        size = scale - back * (scale - last_scale)
        local: Column = np.empty((len(rows), 6), F32)
        local[:, 0], local[:, 1] = cos * size[:, 0], sin * size[:, 0]
        local[:, 2], local[:, 3] = -sin * size[:, 1], cos * size[:, 1]
        local[:, 4:] = position - back * (position - last_position)
    return local

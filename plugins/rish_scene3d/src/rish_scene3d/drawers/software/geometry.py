"""Prepares the triangles of a batch: corners are placed, triangles are listed, and the arrays are put into tuples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass
from rish_frame.frame import pixel_rect
from rish_jit import Array

from ... import layout as at
from ...passes.kinds import Surfaces
from .kernels import place, triangles
from .meshes import COLORS, TANGENTS, TRIANGLES, UV1, VERTICES, mesh_table, writable

BAND = 128
"""The number of rows of a band; each band is drawn by one thread."""
_SPARE_ROWS = 1024
"""Spare rows of the tables for corners and triangles that are created by cutting at the near plane."""


class Pool:
    """Arrays that are reused for the next batch; they only grow."""

    def __init__(self) -> None:
        self._arrays: dict[str, Array] = {}

    def take(self, name: str, rows: int, columns: int, dtype: Any) -> Array:
        """Return an array (rows, columns), or (rows,) for 0 columns, with any content."""
        shape = (rows, columns) if columns else (rows,)
        array = self._arrays.get(name)
        if array is None or len(array) < rows:
            array = self._arrays[name] = np.empty((rows + rows // 4, *shape[1:]), dtype)
        return array[:rows]


@dataclass(frozen=True, eq=False)
class Camera:
    """A pass's camera and the rectangle that it draws onto.

    matrix: float32 (4, 4), projection · view. viewport: float32 (4), left, top, width, height in pixels, row 0 on top.
    clip: int64 (4), left, top, right, bottom of the drawn pixels.
    """

    matrix: Array
    viewport: Array
    clip: Array

    def bands(self) -> list[tuple[int, int]]:
        """Return the bands of rows that are drawn."""
        top, bottom = int(self.clip[1]), int(self.clip[3])
        return [(y, min(y + BAND, bottom)) for y in range(top, bottom, BAND)] if self.clip[2] > self.clip[0] else []

    def box(self, first: int, last: int) -> Array:
        """Return the part of `clip` in some rows, int64 (4)."""
        return np.array([self.clip[0], first, self.clip[2], last], np.int64)


def camera_of(target: DrawTarget, batch: Batch, pass_: Pass) -> Camera:
    """Return the camera of a pass."""
    height = target.size[1]
    matrix = (pass_.projection.astype(np.float64) @ pass_.view.astype(np.float64)).astype(np.float32)
    x, y, wide, high = pixel_rect(pass_.viewport, target.size)
    viewport = np.array([x, height - y - high, wide, high], np.float32)
    x, y, wide, high = pass_.clip(target.size, batch)
    return Camera(matrix, viewport, np.array([x, height - y - high, x + wide, height - y], np.int64))


@dataclass(frozen=True, eq=False)
class Geometry:
    """The triangles of a batch on a target.

    tables: see `shade`: places, world, more, corners, keys, instances. rows: see `triangles`. counts: int64 (2), how
    many triangles are opaque, and how many there are.
    """

    tables: tuple[Array, ...]
    rows: Array
    counts: Array

    def box(self, first: int, last: int) -> Array:
        """Return the box of the pixels that the triangles from `first` up to `last` may cover, int64 (4)."""
        if first == last:
            return np.zeros(4, np.int64)
        across, rows = self.tables[0].reshape(-1, 4)[self.tables[3][first:last, :3], 0], self.rows[first:last]
        left, right = np.floor(across.min()), np.ceil(across.max()) + 1
        return np.array([left, (rows & 0xFFFF).min(), right, (rows >> 16).max()], np.int64)


_EMPTY_FLOATS, _EMPTY_INTEGERS = np.zeros(0, np.float32), np.zeros(0, np.int32)
NO_GEOMETRY = Geometry(
    (*[_EMPTY_FLOATS] * 3, np.zeros((0, 4), np.int32), _EMPTY_INTEGERS, np.zeros((0, 16), np.int32)),
    _EMPTY_INTEGERS, np.zeros(2, np.int64),
)  # fmt: skip


def prepare(batch: Surfaces, camera: Camera, pool: Pool, *, textured: bool, runs: Array | None = None) -> Geometry:
    """Place the corners of a batch and list its triangles.

    textured: whether any of its materials has a texture. runs: those to draw; None: all.
    """
    meshes, arrays = mesh_table(batch.library), batch.arrays
    runs = writable(arrays["runs"] if runs is None else runs)
    rows, counts = meshes.rows[runs[:, at.RUN_MESH]], runs[:, at.RUN_COUNT].astype(np.int64)
    corners, count = int(rows[:, VERTICES] @ counts), int(rows[:, TRIANGLES] @ counts)
    detailed = bool((rows[:, COLORS] != 0).any() or (textured and (rows[:, [TANGENTS, UV1]] != 0).any()))
    instances = writable(arrays["instances"])
    floats, ints = (instances.view(kind).reshape(len(instances), 16) for kind in (np.float32, np.int32))
    poses = writable(arrays["palettes"]), writable(arrays["morphs"])
    spare, state, fan = _SPARE_ROWS, np.zeros(3, np.int64), np.zeros(8, np.int64)
    while True:
        size = corners + spare
        tables = (
            pool.take("places", size, 4, np.float32), pool.take("world", size, 8, np.float32),
            pool.take("more", size if detailed else 0, 12, np.float32),
        )  # fmt: skip
        listed = (
            pool.take("corners", count + spare, 4, np.int32), pool.take("keys", count + spare, 0, np.int32),
            pool.take("rows", count + spare, 0, np.int32),
        )  # fmt: skip
        screen = (camera.matrix, camera.viewport)
        place.place_corners(meshes.rows, runs, floats, ints, *poses, tables, *screen, np.empty(48, np.float32))
        state[:] = corners, 0, 0
        totals = np.zeros(2, np.int64)
        for blended in (False, True):
            triangles.list_triangles(
                meshes.rows, runs, blended, ints, tables, *screen, camera.clip, state, listed, fan
            )  # fmt: skip
            totals[int(blended)] = state[triangles.COUNT]
        if not state[triangles.FULL]:
            flat = tuple(table.reshape(-1) for table in tables)
            return Geometry((*flat, listed[0], listed[1], ints), listed[2], totals)
        spare *= 4

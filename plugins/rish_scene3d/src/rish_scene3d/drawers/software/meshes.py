"""The table of a library's meshes: where their arrays are in memory, so that kernels read them without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import PerVersion
from rish_jit import Array

from ...models.model_library import Library, MeshData

INDICES, TRIANGLES, VERTICES, POSITIONS, NORMALS, UV0, TANGENTS, UV1, COLORS, JOINTS, WEIGHTS, INFLUENCES, TARGETS = (
    range(13)
)
TARGET_COUNT = 13
COLUMNS = 16
"""The columns of the table: addresses of arrays, 0 where a mesh has none, and the lengths of these arrays."""
_FIELDS = {
    INDICES: ("indices", np.uint32), POSITIONS: ("positions", np.float32), NORMALS: ("normals", np.float32),
    UV0: ("uv0", np.float32), TANGENTS: ("tangents", np.float32), UV1: ("uv1", np.float32),
    COLORS: ("colors", np.float32), JOINTS: ("joints", np.uint16), WEIGHTS: ("weights", np.float32),
    TARGETS: ("targets", np.float32),
}  # fmt: skip


def writable(array: Array, dtype: Any = None) -> Array:
    """Return an array in C order that can be written, as kernels are compiled once more for those that can't."""
    flat = np.ascontiguousarray(array, dtype)
    return flat if flat.flags.writeable else flat.copy()


class MeshTable:
    """The meshes of one library as rows, int64 (m, COLUMNS). The table keeps the arrays alive."""

    def __init__(self, library: Library) -> None:
        self._kept: list[Array] = []
        self.rows: Array = np.zeros((len(library.meshes), COLUMNS), np.int64)
        for row, mesh in zip(self.rows, library.meshes, strict=True):
            self._enter(row, mesh)

    def _enter(self, row: Array, mesh: MeshData) -> None:
        for column, (name, dtype) in _FIELDS.items():
            values = getattr(mesh, name)
            if values is not None:
                array = np.ascontiguousarray(values, dtype)
                self._kept.append(array)
                row[column] = array.ctypes.data
        row[TRIANGLES], row[VERTICES] = len(mesh.indices), len(mesh.positions)
        row[INFLUENCES] = 0 if mesh.joints is None or mesh.weights is None else mesh.joints.shape[1]
        row[TARGET_COUNT] = 0 if mesh.targets is None else len(mesh.targets)


_tables = PerVersion[MeshTable]()


def mesh_table(library: Library) -> MeshTable:
    """Return the table of a library's meshes, made again if its version changed."""
    return _tables.get(library) or _tables.put(library, MeshTable(library))

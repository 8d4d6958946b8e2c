"""Meshes on the graphics card: uploaded once, kept as long as the MeshData lives."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref
from typing import Any
from weakref import WeakKeyDictionary, finalize

import numpy as np
import numpy.typing as npt

from ...models.model_library import MeshData
from .programs import raw
from .tables import Table

_PLACES = {"positions": 0, "normals": 1, "tangents": 2, "uv0": 3, "uv1": 4, "colors": 5}
_JOINTS, _WEIGHTS, _MORE_JOINTS, _MORE_WEIGHTS = 6, 7, 8, 9
INSTANCE = 10
"""The location of the first attribute of an instance: three rows of its matrix, then four integers."""
INSTANCE_BYTES = 64


class Mesh:
    """A mesh that is ready to be drawn. features: the `#define`s of its attributes."""

    def __init__(self, ctx: Any, data: MeshData, dropped: list[int]) -> None:
        gl = raw()
        self.features = frozenset(_features(data))
        self.vertices, self._count = len(data.positions), int(data.indices.size)
        self._buffers: list[Any] = []
        vertex_array = gl.GLuint()
        gl.glGenVertexArrays(1, byref(vertex_array))
        self._array = vertex_array.value
        finalize(self, dropped.append, self._array).atexit = False
        gl.glBindVertexArray(self._array)
        for location, values in _attributes(data):
            self._attribute(ctx, location, values)
        indices = ctx.buffer(data=np.ascontiguousarray(data.indices, np.uint32).tobytes())
        self._buffers.append(indices)
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, indices.glo)
        for location in range(INSTANCE, INSTANCE + 4):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribDivisor(location, 1)
        gl.glBindVertexArray(0)
        self.deltas, self.targets = None, 0
        if data.targets is not None:
            padded = np.zeros((*data.targets.shape[:3], 4), np.float32)
            padded[..., :3] = data.targets
            self.deltas, self.targets = Table(ctx), len(padded)
            self.deltas.write(padded)

    def _attribute(self, ctx: Any, location: int, values: npt.NDArray[Any]) -> None:
        gl = raw()
        buffer = ctx.buffer(data=values.tobytes())
        self._buffers.append(buffer)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, buffer.glo)
        gl.glEnableVertexAttribArray(location)
        if values.dtype == np.uint16:
            gl.glVertexAttribIPointer(location, values.shape[1], gl.GL_UNSIGNED_SHORT, 0, 0)
        else:
            gl.glVertexAttribPointer(location, values.shape[1], gl.GL_FLOAT, gl.GL_FALSE, 0, 0)

    def draw(self, instances: Any, first: int, count: int) -> None:
        """Draw instances `first` to `first + count` of a buffer with the program in use."""
        gl = raw()
        gl.glBindVertexArray(self._array)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, instances.glo)
        start = INSTANCE_BYTES * first
        for row in range(3):
            gl.glVertexAttribPointer(INSTANCE + row, 4, gl.GL_FLOAT, gl.GL_FALSE, INSTANCE_BYTES, start + 16 * row)
        gl.glVertexAttribIPointer(INSTANCE + 3, 4, gl.GL_UNSIGNED_INT, INSTANCE_BYTES, start + 48)
        gl.glDrawElementsInstanced(gl.GL_TRIANGLES, self._count, gl.GL_UNSIGNED_INT, None, count)


def _attributes(data: MeshData) -> Iterator[tuple[int, npt.NDArray[Any]]]:
    """Yield the location of each attribute that a mesh has, and its values for all corners."""
    for name, location in _PLACES.items():
        values = getattr(data, name)
        if values is not None:
            yield location, np.ascontiguousarray(values, np.float32)
    if data.joints is not None and data.weights is not None:
        for first, joint, weight in ((0, _JOINTS, _WEIGHTS), (4, _MORE_JOINTS, _MORE_WEIGHTS)):
            if data.joints.shape[1] > first:
                yield joint, np.ascontiguousarray(data.joints[:, first : first + 4], np.uint16)
                yield weight, np.ascontiguousarray(data.weights[:, first : first + 4], np.float32)


def _features(data: MeshData) -> Iterator[str]:
    for name, feature in (("tangents", "TANGENT"), ("uv0", "UV"), ("uv1", "UV1"), ("colors", "COLOR")):
        if getattr(data, name) is not None:
            yield feature
    if data.joints is not None and data.weights is not None:
        yield "SKIN 8" if data.joints.shape[1] > 4 else "SKIN 4"
    if data.targets is not None and len(data.targets):
        yield "MORPHS"


class Meshes:
    """The meshes of one context."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx
        self._made: WeakKeyDictionary[MeshData, Mesh] = WeakKeyDictionary()
        self._dropped: list[int] = []

    def __call__(self, data: MeshData) -> Mesh:
        """Return a mesh; it is uploaded at the first call."""
        mesh = self._made.get(data)
        if mesh is None:
            self._free()
            mesh = self._made[data] = Mesh(self._ctx, data, self._dropped)
        return mesh

    def _free(self) -> None:
        """Delete the vertex arrays of meshes that are gone, while the context is current."""
        gl = raw()
        while self._dropped:
            gl.glDeleteVertexArrays(1, byref(gl.GLuint(self._dropped.pop())))

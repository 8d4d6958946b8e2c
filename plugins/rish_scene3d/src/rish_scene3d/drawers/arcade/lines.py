"""Draws `scene3d.lines` with OpenGL: a strip of four corners for each line."""

from __future__ import annotations

from ctypes import byref
from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass, PerContext, PerVersion

from .contexts import View, drawing
from .programs import Programs, Shader, raw

DIMMED = 0.25
"""The opacity of hidden parts of lines that nearer surfaces dim."""
_ROW = np.dtype([("ends", np.float32, 6), ("width", np.float32), ("rgba", np.uint8, 4), ("hidden", np.float32)])


class _Rows:
    """The lines of one batch on the graphics card. dims: whether any line is dimmed where it is hidden."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx
        self.buffer: Any = None
        self.count, self.dims = 0, False

    def write(self, batch: Batch) -> None:
        """Write the lines of a batch."""
        arrays = batch.arrays
        rows = np.zeros(len(arrays["ends"]), _ROW)
        rows["ends"], rows["width"] = arrays["ends"].reshape(-1, 6), arrays["width"]
        rows["rgba"], rows["hidden"] = arrays["rgba"], arrays["hidden"]
        self.count, self.dims = len(rows), bool((arrays["hidden"] == 0).any())
        if self.count:
            self.buffer = self._ctx.buffer(data=rows.tobytes())


class _Lines:
    """The program and the vertex array of one context."""

    def __init__(self, ctx: Any) -> None:
        self.ctx, self.view = ctx, View(ctx)
        self.rows = PerVersion[_Rows]()
        files = ("colors", "view", "lines.vert"), ("lines.frag",)
        self.program = Programs(ctx)(Shader(*files))
        gl = raw()
        vertex_array = gl.GLuint()
        gl.glGenVertexArrays(1, byref(vertex_array))
        self._array = vertex_array.value

    def draw(self, rows: _Rows, dimmed: float) -> None:
        """Draw all lines; dimmed: the opacity of those that are dimmed, 0: draw all as they are."""
        gl = raw()
        self.program.set(dimmed=dimmed)
        self.program.native.use()
        gl.glBindVertexArray(self._array)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, rows.buffer.glo)
        parts = ((3, gl.GL_FLOAT, 0), (3, gl.GL_FLOAT, 12), (1, gl.GL_FLOAT, 24), (4, gl.GL_UNSIGNED_BYTE, 28))
        for location, (size, kind, offset) in enumerate((*parts, (1, gl.GL_FLOAT, 32))):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribDivisor(location, 1)
            gl.glVertexAttribPointer(location, size, kind, kind == gl.GL_UNSIGNED_BYTE, _ROW.itemsize, offset)
        gl.glDrawArraysInstanced(gl.GL_TRIANGLE_STRIP, 0, 4, rows.count)


class ArcadeLines:
    """Draws `scene3d.lines`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._lines = PerContext(_Lines)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw lines: first those that are dimmed where they are hidden, everywhere, then all where they are seen."""
        lines = self._lines(device)
        rows = lines.rows.written(batch, lambda: _Rows(device), _Rows.write)
        if not rows.count:
            return
        lines.view.aim(pass_, target.size)
        if rows.dims:
            with drawing(device, target, pass_, depth=False, blend=True):
                lines.draw(rows, DIMMED)
        with drawing(device, target, pass_, depth=True, blend=True):
            target.native.depth_mask = False
            lines.draw(rows, 0.0)

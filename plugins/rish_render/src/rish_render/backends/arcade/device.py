"""The device: the OpenGL context of a window, the objects created with it, and its current state.

A change of state costs more than drawing, so state is set only if it differs. Where that happens for each draw call,
OpenGL's own functions are called: arcade.gl's take several times as long. The state that arcade.gl remembers is kept
correct, because the drawers of plugins get its Context.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_jit import Array

from .gl import context_of, library, raw

Clip = tuple[int, int, int, int]

_LOST = 0x0507
_LABEL = re.compile(r"^(Error compiling [\w ]+\(\d+\)|Program link error): ")


class ShaderError(Exception):
    """An error of the driver's shader compiler."""


class Device:
    """The OpenGL context of a window; it is made current before each use.

    window: the pyglet window. shared: whether other code draws in this window too. ctx: arcade.gl's Context, which
    drawers get. limit: the greatest side of a texture. frame: how many frames were begun.
    """

    def __init__(self, window: Any, *, shared: bool = False) -> None:
        self.window, self.shared = window, shared
        try:
            self.ctx = context_of(window)
        except BaseException:
            if not shared:
                window.close()
            raise
        self.gl = raw()
        self.limit: int = self.ctx.info.MAX_TEXTURE_SIZE
        self.units: int = self.ctx.info.MAX_TEXTURE_IMAGE_UNITS
        self.frame = 0
        self._blends = _blends(self.ctx)
        self._textures: dict[int, Any] = {}
        self.forget()

    def use(self) -> None:
        """Make this context current, and free the OpenGL objects that were dropped; other threads only drop them."""
        if self.gl.current_context is not self.window.context:
            self.window.switch_to()
            self.ctx.activate(self.ctx)
        while self.ctx.objects:  # freeing an object may drop others
            self.ctx.gc()

    def trouble(self) -> str | None:
        """Return the reason why drawing is no longer possible, or None."""
        code = self.gl.glGetError()
        if not code:
            return None
        if code == _LOST:
            return "the graphics card was reset, and its textures are lost"
        return "the graphics card has no memory left" if code == self.gl.GL_OUT_OF_MEMORY else None

    def close(self) -> None:
        """Free the OpenGL objects that were dropped, and close the window if nothing else draws in it."""
        if self.window.context is None:  # closed by its owner, and all objects with it
            return
        self.use()
        if not self.shared:
            self.window.close()

    # State

    def begin(self) -> None:
        """Begin a frame. The cached state is dropped, because other code may have used OpenGL since the last frame."""
        self.frame += 1
        self.forget()
        if self.shared:
            gl = self.gl
            gl.glEnable(gl.GL_SCISSOR_TEST)
            gl.glDisable(gl.GL_CULL_FACE)
            gl.glDisable(gl.GL_STENCIL_TEST)
            gl.glColorMask(True, True, True, True)
            gl.glBlendEquation(gl.GL_FUNC_ADD)

    def leave(self) -> None:
        """In a shared window, restore the state that other code expects: its framebuffer, no clip, no depth test."""
        if not self.shared:
            return
        gl, ctx = self.gl, self.ctx
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, ctx.screen.glo)
        gl.glViewport(0, 0, *self.window.get_framebuffer_size())
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glBindVertexArray(0)
        gl.glActiveTexture(gl.GL_TEXTURE0)
        ctx.active_framebuffer = ctx.screen
        self.forget()

    def forget(self) -> None:
        """Drop the cached state, so that all of it is set again: other code may have used OpenGL."""
        self._framebuffer: Any = None
        self._clip: Clip | None = None
        self._blend: str | None = None
        self._depth: bool | None = None
        self._textures.clear()

    def bind(self, framebuffer: Any, clip: Clip) -> None:
        """Bind a framebuffer and a clip: later calls draw and clear its attachments, inside the clip."""
        gl = self.gl
        if self._framebuffer is not framebuffer:
            gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer.glo)
            gl.glViewport(0, 0, *framebuffer.size)
            self._framebuffer = self.ctx.active_framebuffer = framebuffer
        if self._clip != clip:
            gl.glScissor(*clip)
            self._clip = clip

    def blend(self, mode: str) -> None:
        """Set the blend mode; see rish_frame.frame.batches."""
        if self._blend != mode:
            gl = self.gl
            gl.glEnable(gl.GL_BLEND)
            gl.glBlendFuncSeparate(*self._blends[mode])
            self._blend = mode

    def test_depth(self, wanted: bool) -> None:
        """Turn the depth test and the writing of depth on or off."""
        if self._depth is not wanted:
            gl = self.gl
            (gl.glEnable if wanted else gl.glDisable)(gl.GL_DEPTH_TEST)
            gl.glDepthMask(True)
            self._depth = wanted

    def texture(self, unit: int, texture: Any) -> None:
        """Bind a texture to a unit."""
        if self._textures.get(unit) is not texture:
            texture.use(unit)
            self._textures[unit] = texture

    def lend(self, framebuffer: Any, clip: Clip) -> None:
        """Set the OpenGL state for a drawer, through arcade.gl, so that arcade.gl's own record of the state is right.

        `take_back` is called after it.
        """
        ctx = self.ctx
        framebuffer.use(force=True)
        framebuffer.depth_mask, framebuffer.scissor = True, clip
        ctx.enable(ctx.BLEND)
        ctx.disable(ctx.DEPTH_TEST)
        ctx.blend_func = self._blends["alpha"]

    def take_back(self, framebuffer: Any) -> None:
        """Restore the state after a drawer ran."""
        framebuffer.scissor = None
        self.forget()

    # Programs and rows

    def program(self, vertex: str, fragment: str) -> Any:
        """Return a compiled program. Raises ShaderError with the compiler's message."""
        try:
            return self.ctx.program(vertex_shader=vertex, fragment_shader=fragment)
        except library().ShaderException as error:
            raise ShaderError(_LABEL.sub("", str(error).partition("\n----")[0])) from None

    def buffer(self, capacity: int, *, stream: bool) -> Any:
        """Return a buffer of `capacity` bytes with undefined contents."""
        buffer = self.ctx.buffer(reserve=min(capacity, 256), usage="stream" if stream else "static")
        buffer.orphan(capacity)
        return buffer

    def fill(self, buffer: Any, arrays: Sequence[Array], start: int = 0) -> int:
        """Write arrays one after another into a buffer from byte `start` on; returns the number of bytes written."""
        gl, at = self.gl, start
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, buffer.glo)
        for array in arrays:
            size = array.nbytes
            gl.glBufferSubData(gl.GL_ARRAY_BUFFER, at, size, array.ctypes.data)
            at += size
        return at - start

    def describe(self, buffer: Any, formats: str, names: Sequence[str], *, instanced: bool) -> Any:
        """Return arcade.gl's description of the attributes that a buffer holds."""
        return library().gl.BufferDescription(buffer, formats, list(names), instanced=instanced)

    def geometry(self, content: Sequence[Any], indices: Any = None) -> Any:
        """Return the geometry of a draw call: strips of four corners, or triangles if there are indices."""
        mode = self.ctx.TRIANGLES if indices is not None else self.ctx.TRIANGLE_STRIP
        return self.ctx.geometry(content, index_buffer=indices, mode=mode)

    def strips(self, program: Any, geometry: Any, count: int) -> None:
        """Draw `count` strips of four corners with a program that is already in use."""
        gl = self.gl
        gl.glBindVertexArray(geometry.instance(program).glo)
        gl.glDrawArraysInstanced(gl.GL_TRIANGLE_STRIP, 0, 4, count)

    # Textures and framebuffers

    def framebuffer(self, textures: Sequence[Any], depth: Any = None) -> Any:
        """Return a framebuffer that writes these textures. Raises ValueError if the driver can't create it."""
        framebuffer = self.ctx.framebuffer(color_attachments=list(textures), depth_attachment=depth)
        framebuffer.use(force=True)  # sets the list of attachments that are written, once for this framebuffer
        self.forget()
        return framebuffer

    def clear(self, framebuffer: Any, clip: Clip, colors: Sequence[Any], depth: Any = None) -> None:
        """Fill the attachments, and the depth if given, inside the clip.

        colors: for each attachment a C array of four floats. depth: one C float, or None.
        """
        gl = self.gl
        self.bind(framebuffer, clip)
        for number, color in enumerate(colors):
            gl.glClearBufferfv(gl.GL_COLOR, number, color)
        if depth is not None:
            gl.glDepthMask(True)
            gl.glClearBufferfv(gl.GL_DEPTH, 0, depth)

    def write_layer(self, texture: Any, layer: int, x: int, y: int, pixels: Array) -> int:
        """Write uint8 (h, w, 4) pixels into a layer of a texture array; returns the number of bytes.

        The rows may have a stride of their own, so a part of a larger array is written without a copy.
        """
        gl = self.gl
        height, width = pixels.shape[:2]
        if pixels.strides[1:] != (4, 1) or pixels.strides[0] % 4:
            pixels = np.ascontiguousarray(pixels)
        texture.use(self.units - 1)
        gl.glPixelStorei(gl.GL_UNPACK_ROW_LENGTH, pixels.strides[0] // 4)
        gl.glTexSubImage3D(
            gl.GL_TEXTURE_2D_ARRAY, 0, x, y, layer, width, height, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE,
            pixels.ctypes.data,
        )  # fmt: skip
        gl.glPixelStorei(gl.GL_UNPACK_ROW_LENGTH, 0)
        return 4 * width * height

    def read_layers(self, texture: Any, size: tuple[int, int, int]) -> Array:
        """Return the texels of a texture array as uint8 (layers, h, w, 4)."""
        gl = self.gl
        pixels = np.empty((size[2], size[1], size[0], 4), np.uint8)
        texture.use(self.units - 1)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        gl.glGetTexImage(gl.GL_TEXTURE_2D_ARRAY, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixels.ctypes.data)
        return pixels

    def write_texture(self, texture: Any, array: Array) -> int:
        """Write a complete two-dimensional texture; returns the number of bytes."""
        texture.write(np.require(array, requirements=["C", "W"]))
        return array.nbytes

    def copy(self, source: Any, target: Any, size: tuple[int, int], *, depth: bool = False) -> None:
        """Copy the first attachment of a framebuffer, or its depth, to another one; to the window if target is None."""
        gl = self.gl
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source.glo)
        gl.glReadBuffer(gl.GL_COLOR_ATTACHMENT0)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, (target or self.ctx.screen).glo)
        gl.glDrawBuffer(gl.GL_BACK if target is None else gl.GL_COLOR_ATTACHMENT0)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        width, height = size
        bits = gl.GL_DEPTH_BUFFER_BIT if depth else gl.GL_COLOR_BUFFER_BIT
        gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, bits, gl.GL_NEAREST)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glReadBuffer(gl.GL_COLOR_ATTACHMENT0)
        self.ctx.active_framebuffer.use(force=True)
        self.forget()


def _blends(ctx: Any) -> dict[str, tuple[int, int, int, int]]:
    """Return the blend factors of each mode: for the color of source and target, then for their alpha.

    See rish_frame.frame.batches for the modes.
    """
    pairs: dict[str, tuple[int, int]] = {
        "alpha": (ctx.ONE, ctx.ONE_MINUS_SRC_ALPHA),
        "multiply": (ctx.DST_COLOR, ctx.ONE_MINUS_SRC_ALPHA),
        "screen": (ctx.ONE, ctx.ONE_MINUS_SRC_COLOR),
        "replace": (ctx.ONE, ctx.ZERO),
        "mask": (ctx.ZERO, ctx.SRC_ALPHA),
        "erase": (ctx.ZERO, ctx.ONE_MINUS_SRC_ALPHA),
        "sum": (ctx.ONE, ctx.ONE),
    }
    return {mode: (*pair, *pair) for mode, pair in pairs.items()} | {"add": (ctx.ONE, ctx.ONE, ctx.ZERO, ctx.ONE)}

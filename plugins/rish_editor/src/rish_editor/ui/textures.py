"""Pictures as OpenGL textures, for `UI.image`, and pictures of windows."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np


def make_texture(pixels: Any) -> int:
    """Return the number of a new texture. pixels: uint8 (h, w, 4), the top row first."""
    from pyglet import gl

    data = np.ascontiguousarray(pixels, np.uint8)
    number = gl.GLuint()
    gl.glGenTextures(1, ctypes.byref(number))
    gl.glBindTexture(gl.GL_TEXTURE_2D, number)
    gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
    for option in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
        gl.glTexParameteri(gl.GL_TEXTURE_2D, option, gl.GL_LINEAR)
    height, width = data.shape[:2]
    address = data.ctypes.data_as(ctypes.c_void_p)
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA8, width, height, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, address)
    gl.glBindTexture(gl.GL_TEXTURE_2D, 0)
    return int(number.value)


def read_picture(window: Any, *, front: bool) -> Any:
    """Return the picture of a window: uint8 (h, w, 4), the top row first. front: the one that is shown."""
    from pyglet import gl

    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
    width, height = window.get_framebuffer_size()
    data = np.zeros((height, width, 4), np.uint8)
    gl.glReadBuffer(gl.GL_FRONT if front else gl.GL_BACK)
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
    gl.glReadPixels(0, 0, width, height, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, data.ctypes.data_as(ctypes.c_void_p))
    data[..., 3] = 255
    return data[::-1].copy()


def free_texture(number: int) -> None:
    """Free a texture; not between a frame that shows it and its drawing."""
    from pyglet import gl

    gl.glDeleteTextures(1, ctypes.byref(gl.GLuint(number)))

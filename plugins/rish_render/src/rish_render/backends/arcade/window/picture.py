"""An image in a texture of a window of pyglet, without arcade; it can be copied into the window without a shader."""

from __future__ import annotations

from ctypes import byref
from typing import Any

from .. import gl


class WindowPicture:
    """An image in a texture of the current context, which `show` copies into the complete window.

    glo: the number of the texture, as a ctypes integer, as that of arcade.gl's textures.
    """

    def __init__(self) -> None:
        self._gl: Any = gl.raw()
        self._size = (0, 0)
        self.glo, self._framebuffer = self._gl.GLuint(), self._gl.GLuint()
        self._gl.glGenTextures(1, byref(self.glo))
        self._gl.glGenFramebuffers(1, byref(self._framebuffer))

    def put(self, pixels: bytes | int, size: tuple[int, int]) -> None:
        """Replace the image. pixels: RGBA, the top row first, or their address. size: width and height."""
        functions = self._gl
        functions.glBindTexture(functions.GL_TEXTURE_2D, self.glo)
        form = functions.GL_RGBA, functions.GL_UNSIGNED_BYTE, pixels
        if size == self._size:
            functions.glTexSubImage2D(functions.GL_TEXTURE_2D, 0, 0, 0, *size, *form)
        else:
            functions.glTexImage2D(functions.GL_TEXTURE_2D, 0, functions.GL_RGBA8, *size, 0, *form)
            for name in (functions.GL_TEXTURE_MIN_FILTER, functions.GL_TEXTURE_MAG_FILTER):
                functions.glTexParameteri(functions.GL_TEXTURE_2D, name, functions.GL_LINEAR)
            self._size = size
        functions.glBindFramebuffer(functions.GL_READ_FRAMEBUFFER, self._framebuffer)
        functions.glFramebufferTexture2D(
            functions.GL_READ_FRAMEBUFFER, functions.GL_COLOR_ATTACHMENT0, functions.GL_TEXTURE_2D, self.glo, 0
        )
        functions.glBindTexture(functions.GL_TEXTURE_2D, 0)
        functions.glBindFramebuffer(functions.GL_READ_FRAMEBUFFER, 0)

    def show(self, size: tuple[int, int]) -> None:
        """Copy the image, if there is one, into the complete window. size: of the window in pixels."""
        functions = self._gl
        if self._size == (0, 0):
            return
        functions.glBindFramebuffer(functions.GL_READ_FRAMEBUFFER, self._framebuffer)
        functions.glBlitFramebuffer(
            0, 0, *self._size, 0, size[1], size[0], 0, functions.GL_COLOR_BUFFER_BIT, functions.GL_LINEAR
        )
        functions.glBindFramebuffer(functions.GL_READ_FRAMEBUFFER, 0)

    def delete(self) -> None:
        """Free the texture."""
        self._gl.glDeleteFramebuffers(1, byref(self._framebuffer))
        self._gl.glDeleteTextures(1, byref(self.glo))

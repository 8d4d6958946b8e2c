"""Pictures on the graphics card: a texture array for each size of a library, with its mip levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import PerVersion

from ...models.model_library import Library, PageArray
from .programs import FIRST_UNIT, raw


class Pages:
    """The pictures of one context."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx
        self._textures = PerVersion[Any]()

    def use(self, library: Library, classes: tuple[int, ...]) -> dict[str, int]:
        """Upload the changed texture arrays of these sizes of a library, bind them, and return the uniforms."""
        values: dict[str, int] = {}
        for slot, number in enumerate(classes):
            self._texture(library.pages[number]).use(FIRST_UNIT + slot)
            values |= {f"pages{slot}": FIRST_UNIT + slot, f"class{slot}": number}
        return values

    def _texture(self, page: PageArray) -> Any:
        return self._textures.written(page, lambda: self._ctx.texture_array((1, 1, 1), components=4), self._write)

    def _write(self, texture: Any, page: PageArray) -> None:
        gl = raw()
        texture.use(0)
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
        for number, level in enumerate(page.levels):
            count, height, width = level.shape[:3]
            pixels = np.ascontiguousarray(level).ctypes.data
            form = gl.GL_RGBA, gl.GL_UNSIGNED_BYTE
            gl.glTexImage3D(gl.GL_TEXTURE_2D_ARRAY, number, gl.GL_RGBA8, width, height, count, 0, *form, pixels)
        gl.glTexParameteri(gl.GL_TEXTURE_2D_ARRAY, gl.GL_TEXTURE_MAX_LEVEL, len(page.levels) - 1)
        texture.filter = self._ctx.NEAREST_MIPMAP_NEAREST, self._ctx.NEAREST

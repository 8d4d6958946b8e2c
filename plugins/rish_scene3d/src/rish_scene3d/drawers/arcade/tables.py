"""Tables on the graphics card: textures of numbers, row after row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np

from rish_jit import Array

WIDTH = 1024
"""Texels of a row of a table; see `place` in tables.glsl."""
_DTYPES = {"f": ("f4", np.float32), "i": ("i4", np.int32)}


class Table:
    """A texture of numbers, `parts` a texel, that grows with what is written into it."""

    def __init__(self, ctx: Any, parts: int = 4, kind: str = "f") -> None:
        self._ctx, self._parts = ctx, parts
        self._form, self._dtype = _DTYPES[kind]
        self._texture: Any = None

    def write(self, array: Array) -> None:
        """Write an array from the beginning; its numbers are taken in order."""
        flat = np.ascontiguousarray(array, self._dtype).reshape(-1)
        self._grow(max(1, -(-flat.size // (WIDTH * self._parts))))
        full, rest = divmod(flat.size, WIDTH * self._parts)
        if full:
            self._texture.write(flat[: full * WIDTH * self._parts], viewport=(0, 0, WIDTH, full))
        if rest:
            tail = flat[full * WIDTH * self._parts :]
            width = -(-rest // self._parts)
            padded = np.zeros(width * self._parts, self._dtype)
            padded[:rest] = tail
            self._texture.write(padded, viewport=(0, full, width, 1))

    def _grow(self, rows: int) -> None:
        if self._texture is None or self._texture.height < rows:
            nearest = (self._ctx.NEAREST, self._ctx.NEAREST)
            size = (WIDTH, 1 << (rows - 1).bit_length())
            self._texture = self._ctx.texture(size, components=self._parts, dtype=self._form, filter=nearest)

    def use(self, unit: int) -> None:
        """Bind the texture to a unit."""
        self._grow(1)
        self._texture.use(unit)


class Shared:
    """Tables of arrays that several batches have: each array is written once, and its table is used again after it.

    Only for arrays of batches with a version, which never change.
    """

    def __init__(self, make: Callable[[], Table]) -> None:
        self._make = make
        self._made: dict[int, tuple[ref[Array], Table]] = {}
        self._free: list[Table] = []

    def __call__(self, array: Array) -> Table:
        """Return the table with the numbers of an array."""
        key = id(array)
        cached = self._made.get(key)
        if cached is not None and cached[0]() is array:
            return cached[1]
        table = self._free.pop() if self._free else self._make()
        table.write(array)
        self._made[key] = (ref(array, lambda gone: self._drop(key, gone)), table)
        return table

    def _drop(self, key: int, gone: ref[Array]) -> None:
        cached = self._made.get(key)
        if cached is not None and cached[0] is gone:
            del self._made[key]
            self._free.append(cached[1])

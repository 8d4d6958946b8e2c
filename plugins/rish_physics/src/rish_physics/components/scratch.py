"""Memory that a step needs while it runs: arrays by name that grow and are never shrunk.

Constraint blocks, colours, sort buffers and lists are made again from the tables, so none of this is state: a snapshot
leaves it out and a restore empties it. Arrays begin at a multiple of 64 bytes, a cache line, so that a block of eight
float32 never straddles two; no result depends on that, nor on how large an array has grown.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import World, resource

LINE = 64
"""Bytes of a cache line."""


def aligned(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """A zeroed array of `size` numbers that begins at a cache line."""
    kind = np.dtype(dtype)
    raw = np.zeros(size * kind.itemsize + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + size * kind.itemsize].view(kind)


@resource(derived=True)
class Scratch:
    """Growable arrays by name, and the `State` that was made of them."""

    def __post_init__(self) -> None:
        self.arrays: dict[str, npt.NDArray[Any]] = {}
        self.state: Any = None

    def rebuild(self, world: World) -> None:
        """Forget everything: after a restore, the next step makes it again from the tables."""
        self.arrays.clear()
        self.state = None

    def take(self, name: str, size: int, dtype: npt.DTypeLike = np.float32) -> npt.NDArray[Any]:
        """The array of that name, with room for `size` numbers at least; what it held may be lost when it grows."""
        found = self.arrays.get(name)
        if found is None or len(found) < size:
            found = self.arrays[name] = aligned(max(64, size + size // 2), dtype)
        return found

    def keep(self, name: str, size: int, dtype: npt.DTypeLike = np.float32) -> npt.NDArray[Any]:
        """The same, with what it held kept when it grows; new numbers are zero."""
        before = self.arrays.get(name)
        found = self.take(name, size, dtype)
        if before is not None and found is not before:
            found[: len(before)] = before
        return found

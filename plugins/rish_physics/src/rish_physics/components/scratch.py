"""Working memory of the step: named arrays that grow and never shrink.

Constraint blocks, colors, sort buffers and lists are rebuilt from the tables, so none of this is state: a snapshot
leaves it out and a restore clears it. Each array begins at a multiple of 64 bytes, a cache line, so that a block of
eight float32 never crosses two lines. No result depends on the alignment or on the size of an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import UnknownName, World, resource

LINE = 64
"""The size of a cache line, in bytes."""


def aligned(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return a zeroed array of `size` numbers that begins at a cache line."""
    kind = np.dtype(dtype)
    raw = np.zeros(size * kind.itemsize + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + size * kind.itemsize].view(kind)


@resource(derived=True)
class Scratch:
    """Growable arrays by name, and the `State` that was built from them."""

    def __post_init__(self) -> None:
        self.arrays: dict[str, npt.NDArray[Any]] = {}
        self.state: Any = None

    def rebuild(self, world: World) -> None:
        """Clear everything after a restore; the next step rebuilds it from the tables."""
        self.arrays.clear()
        self.state = None

    def remember(self, world: World) -> bool:
        """Nothing needs to be remembered of a state."""
        return True

    def recall(self, world: World, memory: object) -> None:
        """Let the next step build its lists from the loaded tables, in the same arrays."""
        self.state = None

    def take(self, name: str, size: int, dtype: npt.DTypeLike = np.float32) -> npt.NDArray[Any]:
        """Return the array of that name, with room for at least `size` numbers; growing it may lose its content."""
        array = self.arrays.get(name)
        if array is None or len(array) < size:
            array = self.arrays[name] = aligned(max(64, size + size // 2), dtype)
        return array


def scratch_of(world: World) -> Scratch | None:
    """Return the working memory of this package's solver; None if another provider of `physics2d` runs."""
    try:
        return world[Scratch]
    except UnknownName:
        return None

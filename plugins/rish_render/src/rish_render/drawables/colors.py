"""Colors of components, 0 to 1, as four bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

_FULL, _ZERO, _HALF = np.float32(255), np.float32(0), np.float32(0.5)


@njit(borrows=True, inline="always")
def rgba_word(colors: Array, at: Any, opacity: Any) -> Any:
    """Return a color of a flat column, times an opacity, as four bytes in a uint32; see `rgba_bytes`. at: uint64."""
    word = np.uint32(0)
    for part in range(4):
        value = colors[at + np.uint64(part)] * _FULL
        value = value * opacity if part == 3 else value
        value = np.float32(np.floor(value + _HALF))
        value = value if value > _ZERO else _ZERO
        value = value if value < _FULL else _FULL
        word |= np.uint32(np.uint32(value) << np.uint32(8 * part))
    return word


def rgba_bytes(colors: Array, opacity: Array) -> Array:
    """Return colors 0..1, float32 (n, 4), times an opacity n, as uint8 (n, 4)."""
    scaled = colors * _FULL
    scaled[:, 3] *= opacity
    return np.minimum(np.maximum(np.floor(scaled + _HALF), 0), 255).astype(np.uint8)

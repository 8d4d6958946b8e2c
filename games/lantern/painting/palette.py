"""The colors of the keep: a few ramps from dark to bright, and functions that pick colors from them."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

RAMPS = {
    "slab": ("#2b2a38", "#3d3c4b", "#52515f", "#686774", "#7f7d87", "#98959a", "#b3aea9"),
    "warm": ("#2e2730", "#44383c", "#5d4c4a", "#776258", "#907a68", "#ab947b", "#c6b094"),
    "moss": ("#20292a", "#2d3834", "#40493c", "#575e48", "#737658", "#92906e", "#b2ac8c"),
    "brick": ("#2a2733", "#403a46", "#574f5a", "#6f666c", "#887e80", "#a29894", "#bdb3a8"),
    "rock": ("#0d0c14", "#14121c", "#1c1a27", "#272433", "#343040", "#454052", "#5a5466"),
    "cave": ("#24242f", "#343440", "#464854", "#5a5d69", "#70747e", "#898d93", "#a5a8a8"),
    "wood": ("#2a1c1c", "#432b24", "#5f3e2c", "#7d5538", "#9c7048", "#bb8f5e", "#d8b27c"),
    "iron": ("#191a22", "#282a35", "#3a3e4b", "#515766", "#6f7684", "#949ba5", "#bfc4c8"),
    "gold": ("#3a2418", "#5f3c1e", "#8a5c28", "#b58236", "#d8a94c", "#f0cc70", "#fff0b0"),
    "violet": ("#241a3a", "#3c2a66", "#5d3f96", "#8560c4", "#af8ae6", "#d6bcf8", "#f6ecff"),
    "cyan": ("#10283a", "#184a62", "#22708a", "#34a0b4", "#60d0d4", "#a4f0e6", "#e6fff6"),
    "green": ("#142a22", "#1e4a34", "#2e7248", "#4aa05c", "#7ccc74", "#b4ec94", "#e8ffc4"),
    "cloak": ("#2c1420", "#54202c", "#7e2d34", "#a8403c", "#cc5c48", "#e8865c", "#f8b888"),
    "skin": ("#4a2c2c", "#74483c", "#a06c50", "#c4906c", "#dcb08a", "#eccaa6", "#f8e4c8"),
    "shade": ("#100c1c", "#1a1430", "#281e46", "#3a2c5e", "#50407a", "#6e5c98", "#988ac0"),
    "bone": ("#3a3234", "#5c5050", "#80726c", "#a4968a", "#c4b8a6", "#e0d6c2", "#f6f0e0"),
}


def colors(name: str) -> Array:
    """Return float64 (k, 3): the colors of a ramp, 0..255."""
    return np.array([[int(text[k : k + 2], 16) for k in (1, 3, 5)] for text in RAMPS[name]], np.float64)


def shade(name: str, value: Array) -> Array:
    """Return float64 (..., 3): each value 0..1 as one of the colors of a ramp, not interpolated."""
    ramp = colors(name)
    return ramp[np.clip((value * len(ramp)).astype(np.int64), 0, len(ramp) - 1)]

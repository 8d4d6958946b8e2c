"""The kind of batches that carry global illumination."""

from __future__ import annotations

import numpy as np

from rish_core.frame.kinds import ArraySpec, BatchKind, register_kind

GLOW = "light.gi"
register_kind(
    BatchKind(
        GLOW,
        "Global illumination, added to a target of floats; the pass' input is what glows, an rgba8 attachment.",
        {
            "solid": ArraySpec(np.dtype(np.uint8), ("h", "w"), "1 where there is a wall, the bottom row first"),
            "version": ArraySpec(np.dtype(np.int64), (1,), "the same number means the same walls"),
            "numbers": ArraySpec(
                np.dtype(np.float32), (4,), "factor of emission, strength, albedo of walls, directions"
            ),
        },
        counted="",
    )
)

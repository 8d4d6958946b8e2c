"""The kind of batches for fog of war."""

from __future__ import annotations

import numpy as np

from rish_frame import ArraySpec, BatchKind

FOG = BatchKind(
    "light.fog",
    "Fog over what the pass draws onto, which is its only input; the grid begins at batch.origin. As long as `squares` "
    "is the same array, it has the same content.",
    {
        "squares": ArraySpec(np.dtype(np.float32), ("h", "w", 2), "how clear each is: now, and ever; bottom first"),
        "numbers": ArraySpec(
            np.dtype(np.float32), (8,),
            "linear color, opacity, dim, saturation; the side of a square, units; 1: the picture is encoded",
        ),
    },
    counted="",
)  # fmt: skip

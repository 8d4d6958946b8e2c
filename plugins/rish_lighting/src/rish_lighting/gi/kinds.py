"""The kinds of batches for global illumination: a scene of texels, the normals of its walls, and its light."""

from __future__ import annotations

import numpy as np

from rish_frame import ArraySpec, BatchKind

F32 = np.dtype(np.float32)


SCENE = BatchKind(
    "light.gi.scene",
    "Texels of a scene: the color that they emit, and 1 in the alpha of solid ones. The pass may have one input, "
    "what glows, an rgba8 attachment. As long as `solid` is the same array, it has the same content.",
    {
        "solid": ArraySpec(np.dtype(np.uint8), ("h", "w"), "1 where there is a wall, the bottom row first"),
        "numbers": ArraySpec(F32, (5,), "factor of emission; x y w h, the part of the input that is shown"),
    },
    counted="",
)
FACES = BatchKind(
    "light.gi.faces",
    "Normals of the walls beside free texels, in the world, as the channel `normal` has those of sprites; the "
    "pass' input is a scene.",
    {"turn": ArraySpec(F32, (4,), "from normals on the grid to those in the world, a matrix by rows")},
    counted="",
)
GLOW = BatchKind(
    "light.gi",
    "Global illumination, added to a target of floats; the inputs of the pass are a scene, and where there are "
    "lamps what falls from them on the walls.",
    {"numbers": ArraySpec(F32, (3,), "strength; albedo of walls; whether anything glows")},
    counted="",
)

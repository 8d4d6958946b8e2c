"""The kinds of batches for light, and their arrays."""

from __future__ import annotations

import numpy as np

from rish_frame import ArraySpec, BatchKind

from ..formulas import COLUMNS
from ..shadows.diamond import WEDGES

F32, U8 = np.dtype(np.float32), np.dtype(np.uint8)

COOKIE = 256
"""The side of the image of a textured light, in texels."""

LIGHTS = BatchKind(
    "light.lights",
    "Lights, added to a target of floats; places are relative to batch.origin, which the drawer adds.",
    {
        "lights": ArraySpec(F32, ("n", COLUMNS), "see rish_lighting.formulas"),
        "reach": ArraySpec(F32, ("n", WEDGES), "how far light comes in each wedge, |x| + |y|, units"),
        "maps": ArraySpec(F32, ("t",), "shadow maps, see rish_lighting.shadows; the same array means the same texels"),
        "cookies": ArraySpec(U8, ("k", COOKIE, COOKIE, 4), "pictures of textured lights, straight, top row first"),
    },
)
GROUND = BatchKind(
    "light.ground", "The first input, in linear light and premultiplied, drawn over a target of floats.", {}, counted=""
)
LAY = BatchKind(
    "light.lay",
    "A sheet of layers, laid with its light on the picture below; the inputs of the pass are sheet, light, "
    "emission, the picture below, as far as the flags name them.",
    {
        "flags": ArraySpec(np.dtype(np.int32), (4,), "1: has light, emission; reads the picture; is encoded"),
        "glow": ArraySpec(F32, (1,), "factor of emission"),
    },
    counted="",
)

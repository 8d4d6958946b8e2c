"""The slots that hold the numbers of a block of pixels while it is shaded.

A block has up to BLOCK pixels. Each number of the formulas has a slot of BLOCK float32 in one flat array, and each
whole number a slot of int32 in another, so that eight pixels are computed together (`rish_jit.simd`). The slots
of the last pixels are filled up with copies of the last pixel to a multiple of eight.
"""

from __future__ import annotations

BLOCK = 128
_names = iter(range(1000))


def _slots(count: int) -> tuple[int, ...]:
    return tuple(BLOCK * next(_names) for _ in range(count))


PX, PY, SIDE = _slots(3)
"""The pixel's center; 1, or -1 where the back of the triangle is seen."""
WX, WY, WZ, NX, NY, NZ, U0, V0, U0X, V0X, U0Y, V0Y = _slots(12)
"""Place in the world; unit normal of the mesh on the side that is seen; first texture coordinates, their slopes per
pixel to the right, and down."""
BR, BG, BB, BA, TX, TY, TZ, TS, _, _, U1, V1, U1X, V1X, U1Y, V1Y = _slots(16)
"""Base color and opacity; tangent and the sign of the bitangent; second texture coordinates and their slopes."""
DEPTH = _slots(1)[0]
"""Meters along the view."""
METAL, ROUGH, OCCLUSION, ER, EG, EB = _slots(6)
SX, SY, SZ = _slots(3)
"""Unit normal of the normal map."""
EX, EY, EZ, NV = _slots(4)
"""Unit vector to the eye, and its cosine with the normal."""
F0R, F0G, F0B, ALPHA = _slots(4)
DR, DG, DB, MR, MG, MB = _slots(6)
"""Factors of matt light, and of light that is reflected several times, with what depends on the eye."""
MATT = _slots(6)
MORE = _slots(6)
AR, AG, AB = _slots(3)
"""The mirrored sky."""
LR, LG, LB = _slots(3)
"""The sum of all light."""
FX, FY, LOD, MU, MV = _slots(5)
TEXEL = _slots(4)[0]
"""Four slots in which each pixel has a row of four numbers."""
TEMP = _slots(4)
NUMBERS = BLOCK * next(_names)
"""The length of the array of float32."""

_names = iter(range(1000))
FIRST, SECOND, THIRD, INSTANCE, EACH, LEVEL = _slots(6)
"""Rows of the triangle's corners, its instance; 0, 1, 2...; the level of a texture."""
X0, X1, Y0, Y1 = _slots(4)
INTEGERS = BLOCK * next(_names)
"""The length of the array of int32."""

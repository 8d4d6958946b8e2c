"""A fast sine and cosine for drawing, in float32: seven digits up to about ten thousand radians.

The angle is reduced to within 45 degrees of a multiple of a right angle by subtracting π/2 in three parts (Cody and
Waite). The polynomials are those of the Cephes library. The code has no branch and no table, so that a compiler can
compute eight angles at a time; numpy does the same steps in the same order and gives the same bits. The state of a
game must not depend on it: use `rish_jit.maths` in the simulation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.declarations import Column
from rish_jit import maths, njit

F32 = np.float32
TAU = F32(maths.TAU)
PER_TAU = F32(1 / maths.TAU)
_PER_QUARTER = F32(4 / maths.TAU)
_HALF, _ONE = F32(0.5), F32(1)
_QUARTER = F32(1.5703125), F32(4.837512969970703125e-4), F32(7.54978995489188216e-8)
_QUARTER_1, _QUARTER_2, _QUARTER_3 = _QUARTER
_SINE = F32(-1.6666654611e-1), F32(8.3321608736e-3), F32(-1.9515295891e-4)
_SINE_1, _SINE_2, _SINE_3 = _SINE
_COSINE = F32(4.166664568298827e-2), F32(-1.388731625493765e-3), F32(2.443315711809948e-5)
_COSINE_1, _COSINE_2, _COSINE_3 = _COSINE
_BOUND = F32(0.8)
"""The limit of the remainder, which exceeds 45 degrees only by rounding. For a huge angle the remainder is noise; the
limit keeps its sine and cosine within the unit circle.
"""


@njit(inline="always")
def quick_sincos(angle: Any) -> tuple[Any, Any]:
    """Return sine and cosine of one float32, for kernels."""
    k = np.float32(np.floor(angle * _PER_QUARTER + _HALF))
    r = ((angle - k * _QUARTER_1) - k * _QUARTER_2) - k * _QUARTER_3
    r = _BOUND if r > _BOUND else r
    r = -_BOUND if r < -_BOUND else r
    z = r * r
    s = ((_SINE_3 * z + _SINE_2) * z + _SINE_1) * z * r + r
    c = ((_COSINE_3 * z + _COSINE_2) * z + _COSINE_1) * z * z - _HALF * z + _ONE
    quadrant = k - np.float32(4) * np.float32(np.floor(k * np.float32(0.25)))
    odd = (quadrant == np.float32(1)) | (quadrant == np.float32(3))
    sin, cos = c if odd else s, s if odd else c
    sin = -sin if quadrant >= np.float32(2) else sin
    cos = -cos if (quadrant == np.float32(1)) | (quadrant == np.float32(2)) else cos
    return sin, cos


def quick_sincos_of(angle: Column) -> tuple[Column, Column]:
    """Return sine and cosine of float32 angles as float32; the same bits as `quick_sincos`."""
    with np.errstate(invalid="ignore"):
        k = np.floor(angle * _PER_QUARTER + _HALF)
        r = ((angle - k * _QUARTER_1) - k * _QUARTER_2) - k * _QUARTER_3
        r = np.where(r > _BOUND, _BOUND, r)
        r = np.where(r < -_BOUND, -_BOUND, r)
        z = r * r
        s = ((_SINE_3 * z + _SINE_2) * z + _SINE_1) * z * r + r
        c = ((_COSINE_3 * z + _COSINE_2) * z + _COSINE_1) * z * z - _HALF * z + _ONE
        quadrant = k - F32(4) * np.floor(k * F32(0.25))
        odd = (quadrant == 1) | (quadrant == 3)
        sin, cos = np.where(odd, c, s), np.where(odd, s, c)
        sin = np.where(quadrant >= 2, -sin, sin)
        cos = np.where((quadrant == 1) | (quadrant == 2), -cos, cos)
    return sin, cos

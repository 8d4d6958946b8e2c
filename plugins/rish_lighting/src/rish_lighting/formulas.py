"""The formulas of light, and the array of numbers that describes a light to the drawers.

With D the distance from the light in units, R its radius, S its `half` (a quarter of R if that is 0):

    base         1/(1 + D/S)      inverse: a half at S, as in the classic 1/(K + D/S) with K = 1
                 1 - D/R          linear
                 1                none
    attenuation  base^power · window, and 0 beyond R
    window       (1 - (D/R)²)², or 1 if the light is not windowed
    cone         of a spot: t²·(3 - 2t), t = (cos φ - cos outer)/(cos inner - cos outer), clamped to 0..1
    facing       max(0, n · l) if the sprite has a normal map, l the direction to the light at its height; otherwise 1

Light is summed in linear values without an upper limit: ambient + Σ color · attenuation · cone · facing · shadow.
Colors are decoded from sRGB before the sum and encoded after it.

A light is COLUMNS float32 numbers; a kind of light may use columns that it does not need for other values, as noted
below.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_jit import Array

X, Y, RADIUS, KIND = range(4)
"""Position relative to the batch's origin; radius, units; one of the kinds below."""
RED, GREEN, BLUE, HEIGHT = range(4, 8)
"""Linear color times intensity; height above the image plane, units."""
HALF, POWER, FALLOFF, WINDOW = range(8, 12)
"""The parameters of the attenuation; for a gradient, its lower color, linear."""
AXIS_X, AXIS_Y, OUTER, INNER = range(12, 16)
"""The direction of the light, a unit vector; cosines of a spot's half angles. Area: half its length, its rows. Texture:
its number. Gradient: x, y of its lower end and of its upper end, relative to the light's position. Sun: INNER is the
number of stretches.
"""
START, BINS, SHADOW, SIZE = range(16, 20)
"""The start of its maps, the bins of each; the kind of shadow, see below; radius of the source, units."""
FIRST, STEP, BEGIN, THICK = range(20, 24)
"""The map of a sun: start and width of the strips, start and length of the stretches. Point: FIRST is the least
|x| + |y| at which anything blocks.
"""
COLUMNS = 24

POINT, SPOT, SUN, AREA, TEXTURE, GRADIENT = range(6)
NO_SHADOW, HARD, SOFT = range(3)
INVERSE, LINEAR, NONE = range(3)

SEARCH, TAPS = 12, 16
"""The numbers of samples of a soft shadow: to find the blocker, and to test whether the light is blocked."""


def decode(encoded: npt.ArrayLike) -> Array:
    """Convert sRGB-encoded values to linear ones, float64 (IEC 61966-2-1)."""
    c = np.asarray(encoded, np.float64)
    return np.where(c <= 0.04045, c / 12.92, ((np.maximum(c, 0.04045) + 0.055) / 1.055) ** 2.4)


def encode(linear: npt.ArrayLike) -> Array:
    """Convert linear values to sRGB-encoded ones, float64 (IEC 61966-2-1)."""
    c = np.asarray(linear, np.float64)
    return np.where(c <= 0.0031308, c * 12.92, 1.055 * np.maximum(c, 0.0031308) ** (1 / 2.4) - 0.055)


def attenuation(
    distance: npt.ArrayLike, radius: float, half: float = 0.0, power: float = 1.0, falloff: int = INVERSE,
    windowed: bool = True,
) -> Array:  # fmt: skip
    """Return the fraction of a light's color that is left at a distance, float64; see the module."""
    d = np.asarray(distance, np.float64)
    half = half or radius / 4
    base = 1 / (1 + d / half) if falloff == INVERSE else np.maximum(1 - d / radius, 0) if falloff == LINEAR else 1.0
    window = np.maximum(1 - (d / radius) ** 2, 0) ** 2 if windowed else 1.0
    return np.where(d < radius, base**power * window, 0.0)

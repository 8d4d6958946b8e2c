"""Formulas of the effects for both backends: the curve of sRGB, luminance, and noise, as GLSL and as tables.

Linear light is encoded by the curve of sRGB (IEC 61966-2-1). The random numbers are a hash of integers ("lowbias32"
by Chris Wellons), so that both backends have the same ones. `noise` has random values on an integer grid and
interpolates them by the fifth-order curve of Perlin's improved noise.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import formulas as light
from ..formulas import decode

__all__ = ["GLSL", "STEPS", "Texels", "decode", "decoding", "encode", "encoding", "fine_decoding", "texels_of"]
STEPS = 4096
"""The number of entries of the table that encodes, at even steps of the square root of light; between two levels there
are 12 to 70 entries.
"""

GLSL = """
vec3 decode(vec3 c) {
    return mix(c / 12.92, pow((max(c, vec3(0.0)) + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}
vec3 encode(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
float luminance(vec3 c) { return dot(c, vec3(0.2126, 0.7152, 0.0722)); }
uint mixed(uint h) {
    h ^= h >> 16u; h *= 0x7feb352du; h ^= h >> 15u; h *= 0x846ca68bu; return h ^ (h >> 16u);
}
float random(ivec3 cell) {
    uint h = mixed(uint(cell.x) + mixed(uint(cell.y) + mixed(uint(cell.z))));
    return float(h >> 8u) * (1.0 / 16777216.0);
}
float noise(vec2 p, int seed) {
    vec2 low = floor(p), f = p - low;
    f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    ivec2 c = ivec2(low);
    return mix(mix(random(ivec3(c, seed)), random(ivec3(c + ivec2(1, 0), seed)), f.x),
               mix(random(ivec3(c + ivec2(0, 1), seed)), random(ivec3(c + ivec2(1, 1), seed)), f.x), f.y);
}
"""
"""The functions that every stage can call."""


Texels: TypeAlias = npt.NDArray[np.float32]


def encode(linear: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Encode linear light, which is clamped to 0..1, to values 0..1; any shape."""
    return light.encode(np.clip(np.asarray(linear, np.float64), 0, 1))


@cache
def decoding() -> npt.NDArray[np.float32]:
    """Return the linear light of each level, float32 (256)."""
    return decode(np.arange(256) / 255).astype(np.float32)


@cache
def fine_decoding() -> npt.NDArray[np.float32]:
    """Return the linear light of encoded values at even steps from 0 to 1, float32 (4096)."""
    return decode(np.arange(4096) / 4095).astype(np.float32)


@cache
def encoding() -> npt.NDArray[np.float32]:
    """Return the level, 0..255 with a fraction, at even steps of the square root of light from 0 to 1, (STEPS + 1)."""
    return (encode((np.arange(STEPS + 1) / STEPS) ** 2) * 255).astype(np.float32)


def texels_of(image: Any) -> Texels | None:
    """Convert a loaded image to float32 (h, w, 4), 0..1, still encoded; None if it is not an image."""
    if not isinstance(image, np.ndarray) or image.ndim != 3 or image.shape[2] != 4 or not image.size:
        return None
    return image.astype(np.float32) / np.float32(255)

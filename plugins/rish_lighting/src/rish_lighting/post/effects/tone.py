"""Tone mapping: maps light of any brightness to the range 0..1 of a screen.

`clip` does not change values below 1 and clamps the rest. `soft` does not change values below its shoulder and
compresses the rest to below 1. `reinhard` is x(1 + x/w²)/(1 + x), where w becomes white (Reinhard et al., "Photographic
tone reproduction for digital images", 2002). `aces` is Narkowicz' fit of the ACES curve (2016). `filmic` is Hable's
curve (2010), with the same white.
"""

from __future__ import annotations

import numpy as np

from rish_core import Str, field
from rish_jit import njit

from ..effect import Block, effect

CURVES = ("clip", "soft", "reinhard", "aces", "filmic")
_GLSL = """
vec3 hable(vec3 x) {
    return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.02 / 0.3;
}
vec4 shade(vec4 pixel, vec2 at) {
    vec3 x = max(pixel.rgb * exp2(exposure), vec3(0.0));
    if (curve == 1) {
        vec3 t = max(x - shoulder, vec3(0.0)) / (1.0 - shoulder);
        x = mix(x, shoulder + (1.0 - shoulder) * t / (1.0 + t), step(shoulder, x));
    }
    if (curve == 2) x = x * (1.0 + x / (white * white)) / (1.0 + x);
    if (curve == 3) { x *= 0.6; x = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14); }
    if (curve == 4) x = hable(x * 2.0) / hable(vec3(white * 2.0));
    return vec4(min(x, vec3(1.0)), pixel.a);
}
"""


@njit(inline="always")
def hable(x):
    """Return Hable's curve before it is scaled to white."""
    rise = x * (np.float32(0.15) * x + np.float32(0.05)) + np.float32(0.004)
    fall = x * (np.float32(0.15) * x + np.float32(0.5)) + np.float32(0.06)
    return rise / fall - np.float32(0.02 / 0.3)


@njit
def tone(curve, factor, shoulder, white, out):
    """Map each channel; alpha is set to 1."""
    one = np.float32(1)
    top, white = one / hable(white * np.float32(2)), one / (white * white)
    for y in range(out.shape[0]):
        row = out[y].reshape(-1)
        for i in range(row.size):
            row[i] = max(row[i] * factor, np.float32(0))
        if curve == 1:  # soft
            for i in range(row.size):
                t = max(row[i] - shoulder, np.float32(0)) / (one - shoulder)
                row[i] = min(row[i], shoulder) + (one - shoulder) * t / (one + t)
        elif curve == 2:  # reinhard
            for i in range(row.size):
                row[i] = row[i] * (one + row[i] * white) / (one + row[i])
        elif curve == 3:  # aces
            for i in range(row.size):
                light = row[i] * np.float32(0.6)
                rise = light * (np.float32(2.51) * light + np.float32(0.03))
                row[i] = rise / (light * (np.float32(2.43) * light + np.float32(0.59)) + np.float32(0.14))
        elif curve == 4:  # filmic
            for i in range(row.size):
                row[i] = hable(row[i] * np.float32(2)) * top
        for i in range(row.size):
            row[i] = min(row[i], one)
        for x in range(out.shape[1]):
            row[4 * x + 3] = one


def _fallback(block: Block) -> None:
    shoulder, white = block.floats("shoulder", "white")
    tone(block.values["curve"], np.float32(2.0 ** block.values["exposure"]), shoulder, white, block.out)


@effect(glsl=_GLSL, fallback=_fallback)
class ToneMap:
    """Maps light that is brighter than a screen can show to the screen's range."""

    curve: Str = field("soft", choices=CURVES, doc="how light is bent")
    exposure: float = field(0.0, unit="stops", low=-16, high=16, doc="brightness before the curve; 1 doubles it")
    shoulder: float = field(0.75, low=0, high=0.99, doc="of `soft`: below it nothing changes")
    white: float = field(4.0, low=0.5, high=100, doc="of `reinhard` and `filmic`: light that becomes white")

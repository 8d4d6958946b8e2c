"""Color grading: exposure, temperature, contrast, lift, gamma, gain and saturation.

Exposure and temperature multiply linear light. Contrast is a power around middle gray, 0.18. Lift, gamma and gain work
on light to the power of 1/2.2, as in other grading tools: y = (x·(gain - lift) + lift)^(1/gamma). Saturation is
applied last, around luminance. All other steps together are a curve for each channel, which the fallback stores as a
table over the square root of light.
"""

from __future__ import annotations

import numpy as np

from rish_core import Vec3, field
from rish_jit import njit

from ..effect import Array, Block, Values, effect

_GLSL = """
vec4 shade(vec4 pixel, vec2 at) {
    vec3 x = max(pixel.rgb, vec3(0.0)) * exp2(exposure);
    x *= exp2(vec3(temperature + tint * 0.5, -tint, tint * 0.5 - temperature) * 0.5);
    x = 0.18 * pow(x / 0.18, vec3(contrast));
    x = pow(x, vec3(1.0 / 2.2));
    x = max(x * (gain - lift) + lift, vec3(0.0));
    x = pow(x, 2.2 / gamma);
    float gray = luminance(x);
    x = max(vec3(gray) + (x - gray) * saturation, vec3(0.0));
    return vec4(x, pixel.a);
}
"""
_STEPS = 4096
_MAX_LIGHT = 16.0
"""The brightness at which the fallback's table ends."""


def curve(values: Values, light: Array) -> Array:
    """Return the curve of each channel before saturation, float64 (3, n). light: float64 n."""
    exposure, temperature, tint = values["exposure"], values["temperature"], values["tint"]
    warm = np.exp2(np.array([temperature + tint * 0.5, -tint, tint * 0.5 - temperature]) * 0.5)
    lift, gamma, gain = (np.array(values[name], np.float64)[:, None] for name in ("lift", "gamma", "gain"))
    x = np.maximum(light, 0)[None] * np.exp2(exposure) * warm[:, None]
    x = 0.18 * (x / 0.18) ** values["contrast"]
    x = np.maximum(x ** (1 / 2.2) * (gain - lift) + lift, 0)
    return x ** (2.2 / gamma)


@njit
def grade(table, scale, saturation, out):
    """Look up each channel and mix it with gray. table: float32 (3, n) at even steps of the square root of light."""
    width, last, zero = out.shape[1], table.shape[1] - 1, np.float32(0)
    maximum = np.float32(last) - np.float32(0.001)
    places = np.empty(4 * width, np.float32)
    red, green, blue = table[0], table[1], table[2]
    for y in range(out.shape[0]):
        row = out[y].reshape(-1)
        for i in range(places.size):
            place = np.sqrt(row[i]) * scale if row[i] > zero else zero
            places[i] = place if place < maximum else maximum
        for x in range(width):
            p, q, r = places[4 * x], places[4 * x + 1], places[4 * x + 2]
            i, j, k = np.int32(p), np.int32(q), np.int32(r)
            row[4 * x] = red[i] + (red[i + 1] - red[i]) * (p - np.float32(i))
            row[4 * x + 1] = green[j] + (green[j + 1] - green[j]) * (q - np.float32(j))
            row[4 * x + 2] = blue[k] + (blue[k + 1] - blue[k]) * (r - np.float32(k))
        for x in range(width):
            r, g, b = row[4 * x], row[4 * x + 1], row[4 * x + 2]
            gray = r * np.float32(0.2126) + g * np.float32(0.7152) + b * np.float32(0.0722)
            row[4 * x] = max(gray + (r - gray) * saturation, zero)
            row[4 * x + 1] = max(gray + (g - gray) * saturation, zero)
            row[4 * x + 2] = max(gray + (b - gray) * saturation, zero)


_tables: dict[tuple[float, ...], Array] = {}


def _table(values: Values) -> Array:
    key = tuple(np.ravel([values[name] for name in ("exposure", "temperature", "tint", "contrast")]).tolist())
    key += (*values["lift"], *values["gamma"], *values["gain"])
    table = _tables.get(key)
    if table is None:
        light = (np.arange(_STEPS + 1) / _STEPS * _MAX_LIGHT**0.5) ** 2
        table = curve(values, light).astype(np.float32)
        _tables.clear()
        _tables[key] = table
    return table


def _fallback(block: Block) -> None:
    scale = np.float32(_STEPS / _MAX_LIGHT**0.5)
    grade(_table(block.values), scale, np.float32(block.values["saturation"]), block.out)


@effect(name="grading", glsl=_GLSL, fallback=_fallback)
class Grading:
    """Color grading as in films: warm or cold, rich or pale, with lifted shadows."""

    exposure: float = field(0.0, unit="stops", low=-16, high=16, doc="brightness; 1 doubles it")
    contrast: float = field(1.05, low=0.01, high=4, doc="about middle gray; 1 changes nothing")
    saturation: float = field(1.1, low=0, high=4, doc="0 is gray, 1 changes nothing")
    temperature: float = field(0.0, low=-2, high=2, doc="below 0 cold, above 0 warm")
    tint: float = field(0.0, low=-2, high=2, doc="below 0 green, above 0 magenta")
    lift: Vec3 = field((0, 0, 0), low=-1, high=1, doc="added to the shadows, red green blue")
    gamma: Vec3 = field((1, 1, 1), low=0.05, high=10, doc="brightness of the middle, red green blue")
    gain: Vec3 = field((1, 1, 1), low=0, high=10, doc="brightness of the lights, red green blue")

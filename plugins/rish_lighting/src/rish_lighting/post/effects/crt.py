"""A cathode ray tube: the picture is drawn by a beam, line by line, on a bent glass.

The picture is first read as the beam would write it, as so many lines, soft along each. The beam is wider where it is
bright, so that lights run together and shadows show their lines; its profile (1 - (d/r)²)² has the same light at any
width. An aperture grille gives every third column to one colour. Light that strays in the glass (a wide blur) fills the
gaps, and the glass is bent, rounded and darker towards its rim.
"""

from __future__ import annotations

import numpy as np

from rish_core import field
from rish_core.jit import njit

from ..effect import Block, Size, Stage, Values, effect
from ..kernels import spot
from .gauss import HALVE, gauss, half, resampled

_GLSL = """
vec3 beam(vec3 light, float far) {
    vec3 r = 1.0 - depth * mix(vec3(0.5), vec3(0.15), sqrt(min(light, vec3(1.0))));
    vec3 w = max(1.0 - (far * far) / (r * r), vec3(0.0));
    return light * w * w * 0.9375 / r;
}
vec4 shade(vec2 at) {
    vec2 p = at * 2.0 - 1.0;
    vec2 bent = p * (1.0 + curvature * p.yx * p.yx);
    vec2 place = bent * 0.5 + 0.5;
    float line = place.y * rows - 0.5, first = floor(line), f = line - first;
    vec3 lower = picture(vec2(place.x, (first + 0.5) / rows)).rgb;
    vec3 upper = picture(vec2(place.x, (first + 1.5) / rows)).rgb;
    vec3 c = beam(lower, f) + beam(upper, 1.0 - f);
    float column = mod(floor(at.x * resolution.x / pitch), 3.0);
    vec3 grille = vec3(column == 0.0, column == 1.0, column == 2.0);
    c *= 1.0 - mask + 3.0 * mask * grille;
    c += stray(place).rgb * glow;
    c *= (1.0 - shade_off * dot(p * p, vec2(0.5))) * gain;
    vec2 out_by = abs(bent) * resolution * 0.5 - resolution * 0.5 + rounding;
    float rim = length(max(out_by, vec2(0.0))) - rounding;
    return vec4(c * clamp(0.5 - rim * 0.5, 0.0, 1.0), 1.0);
}
"""


@njit(inline="always")
def beam(light, far, depth):
    """What a beam of some light gives at a distance, in lines."""
    r = np.float32(1) - depth * (np.float32(0.5) - np.float32(0.35) * np.sqrt(min(light, np.float32(1))))
    thin = np.float32(1) / r
    w = max(np.float32(1) - (far * thin) * (far * thin), np.float32(0))
    return light * w * w * np.float32(0.9375) * thin


@njit
def tube(lines, stray, top, height, curvature, depth, mask, pitch, glow, shade_off, gain, rounding, out):
    """Rows of the picture on the glass. lines: as the beam writes it; stray: the light in the glass."""
    rows, wide, width = lines.shape[0], lines.shape[1], out.shape[1]
    one, half = np.float32(1), np.float32(0.5)
    across, upright = np.float32(width) * half, np.float32(height) * half
    for y in range(out.shape[0]):
        py = one - np.float32(2) * (np.float32(top + y) + half) / np.float32(height)
        for x in range(width):
            px = np.float32(2) * (np.float32(x) + half) / np.float32(width) - one
            bx, by = px * (one + curvature * py * py), py * (one + curvature * px * px)
            qx, qy = abs(bx) * across - across + rounding, abs(by) * upright - upright + rounding
            over_x, over_y = max(qx, np.float32(0)), max(qy, np.float32(0))
            rim = np.sqrt(over_x * over_x + over_y * over_y) - rounding
            seen = min(max(half - rim * half, np.float32(0)), one)
            out[y, x, 3] = one
            if seen == np.float32(0):
                out[y, x, 0] = out[y, x, 1] = out[y, x, 2] = np.float32(0)
                continue
            u, v = bx * half + half, half - by * half
            x0, x1, fx = spot(u * np.float32(wide), wide)
            place = (one - v) * np.float32(rows) - half
            first = np.floor(place)
            f = place - first
            lower = np.uint64(min(max(rows - 1 - np.int64(first), 0), rows - 1))
            upper = np.uint64(min(max(rows - 2 - np.int64(first), 0), rows - 1))
            sx0, sx1, sfx = spot(u * np.float32(stray.shape[1]), stray.shape[1])
            sy0, sy1, sfy = spot(v * np.float32(stray.shape[0]), stray.shape[0])
            column = np.int64((np.float32(x) + half) / pitch) % 3
            dim = (one - shade_off * half * (px * px + py * py)) * gain * seen
            for c in range(3):
                low = lines[lower, x0, c] + (lines[lower, x1, c] - lines[lower, x0, c]) * fx
                high = lines[upper, x0, c] + (lines[upper, x1, c] - lines[upper, x0, c]) * fx
                light = beam(low, f, depth) + beam(high, one - f, depth)
                light *= one - mask + (np.float32(3) * mask if column == c else np.float32(0))
                near = stray[sy0, sx0, c] + (stray[sy0, sx1, c] - stray[sy0, sx0, c]) * sfx
                far = stray[sy1, sx0, c] + (stray[sy1, sx1, c] - stray[sy1, sx0, c]) * sfx
                out[y, x, c] = (light + (near + (far - near) * sfy) * glow) * dim


def _twin(block: Block) -> None:
    values = block.values
    tube(
        block.pictures["picture"], block.pictures["stray"], block.row, block.size[1],
        np.float32(values["curvature"]), np.float32(values["depth"]), np.float32(values["mask"]),
        np.float32(values["pitch"]), np.float32(values["glow"]), np.float32(values["shade_off"]),
        np.float32(values["gain"]), np.float32(values["rounding"]), block.out,
    )  # fmt: skip


def _stages(values: Values, size: Size, unit: float) -> list[Stage]:
    width, height = size
    rows = min(max(int(values["lines"]), 1), height)
    small = half(size)
    fine = rows > 0.6 * height
    wide = width if fine else small[0]
    pixels = height / rows
    constants = {
        "rows": float(rows),
        "depth": values["scanlines"] * min(max((pixels - 1.0) / 1.5, 0.0), 1.0),
        "pitch": float(max(round(unit), 1)),
        "shade_off": values["shading"],
        "gain": 1 / (1 + values["glow"] * 0.6) * (1 + 0.5 * values["mask"]),
        "rounding": max(values["corner"] * min(size), 1.0),
    }
    soft = gauss("written", "scan", "unused", (wide, rows), max(values["softness"] * unit * wide / width, 0.05))[0]
    return [
        Stage(HALVE, resampled, True, writes="half", size=small),
        Stage(HALVE, resampled, True, source="half", writes="quarter", size=half(small)),
        *gauss("quarter", "side", "stray", half(small), 1.8),
        Stage(HALVE, resampled, True, source="" if fine else "half", writes="written", size=(wide, rows)),
        soft,
        Stage(_GLSL, _twin, True, source="scan", reads=(("stray", "stray"),), values=constants),
    ]


@effect(stages=_stages)
class Crt:
    """The picture on a cathode ray tube."""

    lines: int = field(240, low=1, high=4096, doc="that the beam draws from top to bottom")
    scanlines: float = field(0.8, low=0, high=1, doc="how dark it is between them")
    curvature: float = field(0.045, low=0, high=1, doc="how much the glass is bent")
    mask: float = field(0.22, low=0, high=1, doc="how much the columns of the grille keep to one colour")
    glow: float = field(0.28, low=0, high=4, doc="light that strays in the glass")
    softness: float = field(1.0, unit="px", low=0, high=20, doc="of the beam along a line")
    shading: float = field(0.35, low=0, high=1, doc="how dark the glass is towards its corners")
    corner: float = field(0.045, low=0, high=0.5, doc="radius of its corners, of the shorter side")

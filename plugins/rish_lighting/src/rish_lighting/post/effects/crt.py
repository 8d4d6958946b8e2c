"""A cathode ray tube: a beam draws the image line by line on curved glass.

The image is first resampled to the lines of the beam, blurred along each line. The beam is wider where it is bright, so
that the lines of bright areas merge and those of dark areas stay visible; its profile (1 - (d/r)²)² is scaled to the
same total light at any width. An aperture grille assigns every third column to one color. Stray light in the glass (a
wide blur) fills the gaps. The glass is curved, has round corners, and is darker towards its edges.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import field
from rish_jit import njit

from ..effect import Block, Size, Stage, Values, effect
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


@njit
def bend(y, height, curvature, rounding, u, v, coverage, square):
    """Compute for each pixel of a row its position in the image, and the fraction of it that is on the curved
    screen.

    Positions u, v are 0..1 from the top left corner. u, v, coverage, square: float32 w, to be filled; coverage: the
    fraction; square: the squared distance from the middle, 1 at the middle of an edge.
    """
    width, one, half = u.shape[0], np.float32(1), np.float32(0.5)
    across, upright = np.float32(width) * half, np.float32(height) * half
    py = one - np.float32(2) * (np.float32(y) + half) / np.float32(height)
    for x in range(width):
        px = np.float32(2) * (np.float32(x) + half) / np.float32(width) - one
        bx, by = px * (one + curvature * py * py), py * (one + curvature * px * px)
        qx, qy = abs(bx) * across - across + rounding, abs(by) * upright - upright + rounding
        over_x, over_y = max(qx, np.float32(0)), max(qy, np.float32(0))
        rim = np.sqrt(over_x * over_x + over_y * over_y) - rounding
        coverage[x] = min(max(half - rim * half, np.float32(0)), one)
        u[x], v[x], square[x] = bx * half + half, half - by * half, px * px + py * py


@njit
def read_lines(lines, u, v, low, high, part, away, lower, upper, far):
    """Read the light of the two lines next to each position, interpolated in x; float32 4w.

    far: distance from the lower line. low, high: int32 w, part, away: float32 w, scratch arrays.
    """
    rows, wide, half = lines.shape[0], lines.shape[1], np.float32(0.5)
    last, stride, column_last = np.int32(rows - 1), np.int32(wide), np.int32(max(wide - 2, 0))
    for x in range(u.shape[0]):
        at = min(max(u[x] * np.float32(wide) - half, np.float32(0)), np.float32(wide - 1))
        column = min(np.int32(at), column_last)
        place = (np.float32(1) - v[x]) * np.float32(rows) - half
        first = np.floor(place)
        line = last - np.int32(first)
        low[x] = np.int32(4) * (min(max(line, np.int32(0)), last) * stride + column)
        high[x] = np.int32(4) * (min(max(line - np.int32(1), np.int32(0)), last) * stride + column)
        part[x], away[x] = at - np.float32(column), place - first
    texels = lines.reshape(-1)
    side = np.uint64(4 * min(wide - 1, 1))
    for x in range(u.shape[0]):
        to, below, above = np.uint64(4 * x), np.uint64(low[x]), np.uint64(high[x])
        for c in range(4):
            k = np.uint64(c)
            lower[to + k] = texels[below + k] + (texels[below + side + k] - texels[below + k]) * part[x]
            upper[to + k] = texels[above + k] + (texels[above + side + k] - texels[above + k]) * part[x]
            far[to + k] = away[x]


@njit
def read_stray(stray, u, v, knots, out):
    """Read the stray light in the glass at each position; float32 4w.

    It is so smooth that only every fourth pixel is read, the others are interpolated. knots: float32 4·(w//4 + 2), a
    scratch array for these pixels.
    """
    high, wide, half = stray.shape[0], stray.shape[1], np.float32(0.5)
    texels = stray.reshape(-1)
    side, below = np.uint64(4 * min(wide - 1, 1)), np.uint64(4 * wide * min(high - 1, 1))
    width = u.shape[0]
    count = (width + 3) // 4 + 1
    for knot in range(count):
        x = min(4 * knot, width - 1)
        at_x = min(max(u[x] * np.float32(wide) - half, np.float32(0)), np.float32(wide - 1))
        at_y = min(max(v[x] * np.float32(high) - half, np.float32(0)), np.float32(high - 1))
        column, line = min(np.int32(at_x), np.int32(max(wide - 2, 0))), min(np.int32(at_y), np.int32(max(high - 2, 0)))
        fx, fy = at_x - np.float32(column), at_y - np.float32(line)
        first, to = np.uint64(4 * (line * wide + column)), np.uint64(4 * knot)
        for c in range(4):
            k = np.uint64(c)
            near = texels[first + k] + (texels[first + side + k] - texels[first + k]) * fx
            away = texels[first + below + k]
            away += (texels[first + below + side + k] - away) * fx
            knots[to + k] = near + (away - near) * fy
    for knot in range(count - 1):
        offset, to = np.uint64(4 * knot), np.uint64(16 * knot)
        for i in range(min(16, 4 * width - 16 * knot)):
            k = offset + np.uint64(i & 3)
            step = (knots[k + np.uint64(4)] - knots[k]) * np.float32(0.25)
            out[to + np.uint64(i)] = knots[k] + step * np.float32(i >> 2)


@njit(inline="always")
def beam(light, far, depth):
    """Return the light of a beam at a distance in lines, with the profile (1 - (d/r)²)² · 15/16/r."""
    r = np.float32(1) - depth * (np.float32(0.5) - np.float32(0.35) * np.sqrt(min(light, np.float32(1))))
    thin = np.float32(1) / r
    w = max(np.float32(1) - (far * thin) * (far * thin), np.float32(0))
    return light * w * w * np.float32(0.9375) * thin


@njit
def shine(lower, upper, far, strayed, grille, coverage, square, depth, glow, shade_off, gain, row):
    """Fill a row: the light of the beam through the grille, plus stray light, darker towards the edges."""
    one = np.float32(1)
    for i in range(row.size):
        light = beam(lower[i], far[i], depth) + beam(upper[i], one - far[i], depth)
        row[i] = light * grille[i] + strayed[i] * glow
    for x in range(coverage.size):
        dim = (one - shade_off * np.float32(0.5) * square[x]) * gain * coverage[x]
        row[4 * x] *= dim
        row[4 * x + 1] *= dim
        row[4 * x + 2] *= dim
        row[4 * x + 3] = one


@njit
def tube(lines, stray, top, height, curvature, depth, mask, pitch, glow, shade_off, gain, rounding, out):
    """Fill rows of the image on the glass. lines: the image as lines of the beam; stray: the stray light in the
    glass.

    Each step is done for a complete row, so that all steps except the reads are vectorized.
    """
    width, one = out.shape[1], np.float32(1)
    floats, wide = np.empty((6, width), np.float32), np.empty((5, 4 * width), np.float32)
    u, v, coverage, square, part, away = floats[0], floats[1], floats[2], floats[3], floats[4], floats[5]
    lower, upper, far, strayed, grille = wide[0], wide[1], wide[2], wide[3], wide[4]
    low, high = np.empty(width, np.int32), np.empty(width, np.int32)
    knots = np.zeros(4 * (width // 4 + 2), np.float32)
    for i in range(4 * width):
        column = np.int64((np.float32(i // 4) + np.float32(0.5)) / pitch) % 3
        grille[i] = one - mask + (np.float32(3) * mask if column == i % 4 else np.float32(0))
    for y in range(out.shape[0]):
        bend(top + y, height, curvature, rounding, u, v, coverage, square)
        read_lines(lines, u, v, low, high, part, away, lower, upper, far)
        read_stray(stray, u, v, knots, strayed)
        shine(lower, upper, far, strayed, grille, coverage, square, depth, glow, shade_off, gain, out[y].reshape(-1))


def _fallback(block: Block) -> None:
    names = ("curvature", "depth", "mask", "pitch", "glow", "shade_off", "gain", "rounding")
    arguments: Any = (*block.floats(*names), block.out)
    tube(block.pictures["picture"], block.pictures["stray"], block.row, block.size[1], *arguments)


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
        Stage(_GLSL, _fallback, True, source="scan", reads=(("stray", "stray"),), values=constants),
    ]


@effect(stages=_stages)
class Crt:
    """The image on a cathode ray tube."""

    lines: int = field(240, low=1, high=4096, doc="that the beam draws from top to bottom")
    scanlines: float = field(0.8, low=0, high=1, doc="how dark it is between them")
    curvature: float = field(0.045, low=0, high=1, doc="how much the glass is bent")
    mask: float = field(0.22, low=0, high=1, doc="how much the columns of the grille keep to one color")
    glow: float = field(0.28, low=0, high=4, doc="light that strays in the glass")
    softness: float = field(1.0, unit="px", low=0, high=20, doc="of the beam along a line")
    shading: float = field(0.35, low=0, high=1, doc="how dark the glass is towards its corners")
    corner: float = field(0.045, low=0, high=0.5, doc="radius of its corners, of the shorter side")

"""A lookup table of colors (LUT), stored as an image.

The image has n squares of n by n texels side by side: red grows to the right, green downwards, blue from square to
square. To make one, apply the same grading to a screenshot and to the neutral table in any image editor.
"""

from __future__ import annotations

import numpy as np

from rish_assets import LogOnce
from rish_core import Asset, AssetError, AssetNames, Assets, field
from rish_frame.pictures import FORMATS
from rish_jit import njit

from ..effect import Array, Block, Size, Stage, Values, effect
from ..formulas import encoding, fine_decoding

_GLSL = """
vec4 shade(vec4 pixel, vec2 at) {
    float n = image_size().y;
    vec3 c = encode(pixel.rgb) * (n - 1.0);
    float slice = min(floor(c.b), n - 2.0);
    vec2 place = vec2(c.r + 0.5 + slice * n, n - 0.5 - c.g) / vec2(n * n, n);
    vec3 graded = mix(image(place).rgb, image(place + vec2(1.0 / n, 0.0)).rgb, c.b - slice);
    return vec4(mix(pixel.rgb, decode(graded), strength), pixel.a);
}
"""
_log = LogOnce("rish.lighting")


@njit
def look_up(image, encoding, decoding, strength, out):
    """Replace colors by those of a table, with trilinear interpolation.

    encoding: levels at even steps of the square root of light. decoding: light at even steps of levels.
    """
    n = image.shape[0]
    steps, fine = np.float32(len(encoding) - 1), np.float32(len(decoding) - 1)
    scale = np.float32(n - 1) / np.float32(255)
    place = np.zeros(3, np.float32)
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            for c in range(3):
                light = out[y, x, c] if out[y, x, c] > np.float32(0) else np.float32(0)
                light = light if light < np.float32(1) else np.float32(1)
                place[c] = encoding[np.int64(np.sqrt(light) * steps + np.float32(0.5))] * scale
            r0, g0, b0 = min(np.int64(place[0]), n - 2), min(np.int64(place[1]), n - 2), min(np.int64(place[2]), n - 2)
            fr, fg, fb = place[0] - np.float32(r0), place[1] - np.float32(g0), place[2] - np.float32(b0)
            a, b = r0 + b0 * n, r0 + (b0 + 1) * n
            for c in range(3):  # trilinear: bilinear in red and green on two slices, then linear in blue
                top_a = image[g0, a, c] + (image[g0, a + 1, c] - image[g0, a, c]) * fr
                low_a = image[g0 + 1, a, c] + (image[g0 + 1, a + 1, c] - image[g0 + 1, a, c]) * fr
                top_b = image[g0, b, c] + (image[g0, b + 1, c] - image[g0, b, c]) * fr
                low_b = image[g0 + 1, b, c] + (image[g0 + 1, b + 1, c] - image[g0 + 1, b, c]) * fr
                near, far = top_a + (low_a - top_a) * fg, top_b + (low_b - top_b) * fg
                level = near + (far - near) * fb
                out[y, x, c] += (decoding[np.int64(level * fine + np.float32(0.5))] - out[y, x, c]) * strength


def neutral(n: int = 16) -> Array:
    """Return the identity table, uint8 (n, n·n, 4)."""
    levels = np.round(np.arange(n) / (n - 1) * 255).astype(np.uint8)
    cube = np.full((n, n, n, 4), 255, np.uint8)
    cube[..., 0], cube[..., 1], cube[..., 2] = levels, levels[:, None, None], levels[None, :, None]
    return cube.reshape(n, n * n, 4)


def _fallback(block: Block) -> None:
    look_up(block.pictures["image"], encoding(), fine_decoding(), np.float32(block.values["strength"]), block.out)


def _stages(values: Values, size: Size, unit: float) -> list[Stage]:
    """Return a list with the stage that looks up colors; empty if the image is not a table."""
    image = values["image"]
    if image is None:
        return []
    wrong = _wrong_size(image)
    if wrong:
        _log(wrong, key=id(image))
    return [] if wrong else _LOOK_UP


def _wrong_size(image: Array) -> str:
    """Return an error sentence if an image is not a table, otherwise ""."""
    height, width = image.shape[:2]
    if width == height * height and height >= 2:
        return ""
    return f"a table of colors must be n·n texels wide and n high, such as 256x16, not {width}x{height}"


def _read_table(assets: Assets, path: str) -> Array:
    image = assets.read(path)
    if wrong := _wrong_size(image):
        raise AssetError(f"{path}: {wrong}")
    return image


LOOKUP_TABLES = AssetNames(*FORMATS, read=_read_table)
"""The game's images, for the list `lookup_tables` of names."""


_LOOK_UP = [Stage(_GLSL, _fallback)]


@effect(stages=_stages)
class Lut:
    """Replaces colors by the entries of a lookup table, which is stored as an image."""

    image: Asset = field(
        "", names="lookup_tables", doc="n pictures of n by n texels side by side: red right, green down, blue across"
    )
    strength: float = field(1.0, low=0, high=1, doc="share of the new colors")

"""Draws lights in memory: each is added to the pixels that it may reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass
from rish_jit import Array

from ... import formulas as f
from ...shadows.diamond import WEDGES, direction
from ..matrices import backwards, drawn_box, matrices
from . import light_kernels as kernels

_NO_TEXELS = np.zeros((0, 0, 4), np.float32)
"""An empty image, for targets without normals and lights without a cookie."""
_BORDERS = direction(np.arange(WEDGES) * 4 / WEDGES)


class SoftwareLights:
    """Draws `light.lights`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._cookies: tuple[Any, list[Array]] = (None, [])

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Add the lights of a batch to the target."""
        out: Array = target.colors[0]
        normals = _NO_TEXELS
        if target.inputs:
            (source,) = target.inputs.values()
            normals = np.empty((*out.shape[:2], 4), np.float32)
            kernels.read_normals(source, normals)
        linear, shift = matrices(pass_, target.size, batch.origin)
        back, start = backwards(linear, shift, target.size)
        clip = drawn_box(pass_, batch, target.size)
        flat, maps = back.astype(np.float32).ravel(), batch.arrays["maps"]
        for light, reach in zip(batch.arrays["lights"], batch.arrays["reach"], strict=True):
            kind = int(light[f.KIND])
            offset = (start - light[[f.X, f.Y]]).astype(np.float32)
            box = clip if kind in (f.SUN, f.GRADIENT) else _reached(light, reach, linear, shift, target.size, clip)
            if box[0] >= box[2] or box[1] >= box[3]:
                continue
            common: Any = (out, light, maps, normals, len(normals) > 0, flat, offset, box)
            if kind == f.GRADIENT:
                kernels.add_gradient(out, light, flat, offset, box)
            elif kind == f.SUN:
                kernels.add_sun(*common)
            elif kind == f.AREA:
                kernels.add_area(*common)
            else:
                textured = kind == f.TEXTURE
                cookie = self._cookie(batch.arrays["cookies"], int(light[f.OUTER])) if textured else _NO_TEXELS
                cookies: Any = (f.SEARCH, f.TAPS, cookie, textured)
                kernels.add_points(*common, *cookies)

    def _cookie(self, cookies: Array, number: int) -> Array:
        """Return the image of a textured light: linear color times opacity, float32."""
        if self._cookies[0] is not cookies:
            decoded = f.decode(cookies[..., :3] / 255) * (cookies[..., 3:] / 255)
            opaque = np.ones((*decoded.shape[:3], 1))
            self._cookies = (cookies, list(np.concatenate([decoded, opaque], axis=3).astype(np.float32)))
        return self._cookies[1][number]


def _reached(light: Array, reach: Array, linear: Array, shift: Array, size: tuple[int, int], clip: Array) -> Array:
    """Return the box of pixels that a light may reach, within the clip, int64 (4), row 0 on top."""
    ends = np.concatenate([_BORDERS * reach[:, None], np.roll(_BORDERS, -1, axis=0) * reach[:, None], [(0, 0)]])
    radius = light[f.RADIUS] + (light[f.OUTER] if int(light[f.KIND]) == f.AREA else 0)
    ends = np.clip(ends, -radius, radius) + light[[f.X, f.Y]]
    half = np.array(size) / 2
    pixels = (ends @ linear.T + shift + 1) * half
    low, high = np.floor(pixels.min(axis=0)) - 1, np.ceil(pixels.max(axis=0)) + 1
    x0, y0, x1, y1 = low[0], size[1] - high[1], high[0], size[1] - low[1]
    limits = np.clip([x0, y0, x1, y1], [clip[0], clip[1]] * 2, [clip[2], clip[3]] * 2)
    return limits.astype(np.int64)

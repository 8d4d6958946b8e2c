"""Draws lights in memory: each is added to the pixels that it may reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass
from rish_jit import Array

from ... import formulas as f
from ...bands import bands_of
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
        source = next(iter(target.inputs.values()), None)
        normals = _NO_TEXELS if source is None else np.empty((*out.shape[:2], 4), np.float32)
        linear, shift = matrices(pass_, target.size, batch.origin)
        back, start = backwards(linear, shift, target.size)
        clip = drawn_box(pass_, batch, target.size)
        flat, maps = back.astype(np.float32).ravel(), batch.arrays["maps"]
        calls: list[tuple[Any, Array, tuple[Any, ...], tuple[Any, ...]]] = []
        for light, reach in zip(batch.arrays["lights"], batch.arrays["reach"], strict=True):
            kind = int(light[f.KIND])
            offset = (start - light[[f.X, f.Y]]).astype(np.float32)
            box = clip if kind in (f.SUN, f.GRADIENT) else _reached(light, reach, linear, shift, target.size, clip)
            common = (out, light, maps, normals, source is not None, flat, offset)
            if kind == f.GRADIENT:
                calls.append((kernels.add_gradient, box, (out, light, flat, offset), ()))
            elif kind in (f.SUN, f.AREA):
                calls.append((kernels.add_sun if kind == f.SUN else kernels.add_area, box, common, ()))
            else:
                textured = kind == f.TEXTURE
                cookie = self._cookie(batch.arrays["cookies"], int(light[f.OUTER])) if textured else _NO_TEXELS
                calls.append((kernels.add_points, box, common, (f.SEARCH, f.TAPS, cookie, textured)))

        def draw_band(first: int, last: int) -> None:
            if source is not None:
                kernels.read_normals(source, first, last, normals)
            for kernel, (left, top, right, bottom), before, after in calls:
                box = np.array([left, max(top, first), right, min(bottom, last)], np.int64)
                if left < right and box[1] < box[3]:
                    kernel(*before, box, *after)

        target.run(bands_of(int(clip[1]), int(clip[3]), target.size[0]), draw_band)

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

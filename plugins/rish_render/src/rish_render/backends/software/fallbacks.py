"""Materials without OpenGL: runs the Python fallback of a shader on the pixels of one sprite after another.

For each sprite, the pixels whose centers are inside it are found by the same rule as in `sprites`. Its image is sampled
and tinted there, the fallback changes the colors, and the result is blended. All of this is numpy; most of the time is
spent in the fallback itself.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from rish_core import describe_error
from rish_frame import Batch, DrawStats, Pixels, Shader
from rish_frame.frame import affine_of
from rish_jit import Array

from ..shared import Unable
from .kernels.blend import MODES, blend_arrays
from .scene import PassContext, into_pixels
from .sprites import Source, keeps, sources

KINDS = ("sprites", "sprites_wide")


class Fallbacks:
    """Runs fallbacks, and remembers those that failed."""

    def __init__(self) -> None:
        self._failed: WeakKeyDictionary[Any, str] = WeakKeyDictionary()

    def find(self, scene: PassContext, batch: Batch, stats: DrawStats) -> Shader | None:
        """Return the shader of a batch's material if its fallback can run; otherwise None, with a report in the
        statistics.
        """
        material = batch.material
        if material is None:
            return None
        shader = scene.frame.shaders.get(material.name)
        if shader is None:
            why = "the material does not exist"
        elif batch.kind not in KINDS:
            why = f"the software backend has no materials for '{batch.kind}'"
        elif shader.fallback is None:
            why = "it is written in GLSL and has no Python fallback"
        elif shader.fallback in self._failed:
            why = self._failed[shader.fallback]
        else:
            return shader
        stats.skip(f"material:{material.name}", f"{why}; it is drawn without the material")
        return None

    def draw(self, scene: PassContext, batch: Batch, shader: Shader, stats: DrawStats) -> bool:
        """Draw a batch onto the first attachment with the fallback; False if it failed, and no pixel has changed."""
        color = scene.surface.colors[0]
        before = color.copy()
        try:
            self._run(scene, batch, shader)
        except Unable:
            raise
        except Exception as error:
            color[...] = before
            why = _complaint(shader, error)
            self._failed[shader.fallback] = why
            stats.skip(f"material:{shader.name}", f"{why}; it is drawn without the material")
            return False
        return True

    @staticmethod
    def _run(scene: PassContext, batch: Batch, shader: Shader) -> None:
        assert shader.fallback is not None
        assert batch.material is not None
        values = shader.values(batch.material.parameters)
        flat = scene.surface.colors[0].reshape(-1)
        for at, pixels in _each(scene, batch, sources(scene, batch)[0]):
            shader.fallback(pixels, values)
            colors = np.clip(np.nan_to_num(pixels.color), 0, 1)
            words = np.ascontiguousarray((colors * 255 + 0.5).astype(np.uint8)).view(np.uint32)[:, 0]
            flat[at] = blend_arrays(flat[at], words & keeps(batch), MODES[batch.blend])


def _each(scene: PassContext, batch: Batch, source: Source) -> Iterator[tuple[Array, Pixels]]:
    """For each sprite in order, yield the indices of its pixels in the flat target, and the Pixels for its fallback."""
    if batch.kind == "sprites":
        instances = batch.arrays["instances"]
        matrix = affine_of(instances, batch.origin, batch.unit)
        frames, rgba = instances["frame"], instances["rgba"]
    else:
        matrix, frames, rgba = (batch.arrays[name] for name in ("matrix", "frame", "rgba"))
    x0, y0, x1, y1 = scene.clip(batch).tolist()
    width, height = scene.surface.size
    name = scene.pass_.targets[0]
    read = scene.inputs.get(name)
    screen = None if read is None else read[0].channels(read[1])
    stride = scene.surface.colors[0].shape[1]
    with np.errstate(all="ignore"):
        placed = into_pixels(matrix.astype(np.float64), scene.plane)
    for (a, b, c, d, tx, ty), frame, tint in zip(placed.tolist(), frames.tolist(), rgba, strict=True):
        area = a * d - b * c
        if frame >= len(source.cuts.masks) or not source.cuts.masks[frame] or not 1e-9 < abs(area) < 1e30:
            continue
        half_w, half_h = (abs(a) + abs(c)) / 2, (abs(b) + abs(d)) / 2
        left, right = max(int(max(tx - half_w, -1e9)), x0), min(int(min(tx + half_w, 1e9)) + 1, x1)
        top, bottom = max(int(max(ty - half_h, -1e9)), y0), min(int(min(ty + half_h, 1e9)) + 1, y1)
        if left >= right or top >= bottom:
            continue
        rows, columns = np.mgrid[top:bottom, left:right]
        dx, dy = columns.ravel() + 0.5 - tx, rows.ravel() + 0.5 - ty
        u, v = (d * dx - c * dy) / area + 0.5, (a * dy - b * dx) / area + 0.5
        inside = (u >= 0) & (u < 1) & (v > 0) & (v <= 1)
        if not inside.any():
            continue
        u, v = u[inside], v[inside]
        x, y = columns.ravel()[inside], rows.ravel()[inside]
        picture = _picture(source, frame)
        color = (_sample(picture, u, 1 - v, batch.filter == "linear") / 255).astype(np.float32)
        straight = tint.astype(np.float32) / np.float32(255)
        color *= np.append(straight[:3] * straight[3], straight[3])
        if source.cuts.masks[frame] != 0xFFFFFFFF:
            color[:, 3] = 0
        uv = np.stack([u, v], axis=1).astype(np.float32)
        at = np.stack([(x + 0.5) / width, 1 - (y + 0.5) / height], axis=1).astype(np.float32)
        yield y * stride + x, Pixels(color, uv, at, picture, screen, scene.frame.time, (width, height))


def _picture(source: Source, frame: int) -> Array:
    """Return a copy of a frame's image, upright, as uint8 (h, w, 4)."""
    u0, v0, u1, v1 = (int(edge) for edge in source.cuts.rects[frame])
    start, stride = source.cuts.places[frame].tolist()
    lines = np.arange(v0, v1) if v1 > v0 else np.arange(v0 - 1, v1 - 1, -1)
    columns = np.arange(u0, u1) if u1 > u0 else np.arange(u0 - 1, u1 - 1, -1)
    words = source.texels[start + lines[:, None] * stride + columns[None]]
    return np.ascontiguousarray(words).view(np.uint8).reshape(*words.shape, 4)


def _sample(picture: Array, u: Array, v: Array, linear: bool) -> Array:
    """Return the colors at u, v (0..1 from the top left) as float32 (n, 4), 0..255."""
    high, wide = picture.shape[:2]
    x, y = u * wide, v * high
    if not linear:
        return picture[np.clip(y.astype(int), 0, high - 1), np.clip(x.astype(int), 0, wide - 1)].astype(np.float32)
    x, y = x - 0.5, y - 0.5
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    across, down = (x - left)[:, None].astype(np.float32), (y - top)[:, None].astype(np.float32)
    columns = [np.clip(left + k, 0, wide - 1) for k in (0, 1)]
    lines = [np.clip(top + k, 0, high - 1) for k in (0, 1)]
    rows = [picture[line, columns[0]] * (1 - across) + picture[line, columns[1]] * across for line in lines]
    return (rows[0] * (1 - down) + rows[1] * down).astype(np.float32)


def _complaint(shader: Shader, error: Exception) -> str:
    """Return the message for an error in a fallback, with the file and line that raised it."""
    place = traceback.extract_tb(error.__traceback__)
    last = place[-1] if place else None
    where = f"{Path(last.filename).name}:{last.lineno}" if last is not None else shader.place
    return f"its fallback raised {describe_error(error)} ({where})"

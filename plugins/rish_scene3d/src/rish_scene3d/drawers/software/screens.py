"""Draws the sky, lines, and developed pictures onto images in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass
from rish_jit import Array

from .geometry import Camera, camera_of
from .kernels import slots
from .kernels.screen import develop_rows, draw_lines, encode_table
from .kernels.sky import sky_rows
from .material_rows import DECODE
from .meshes import writable
from .surfaces import view_of

DIMMED = np.float32(0.25)
"""The opacity of hidden parts of lines that nearer surfaces dim."""
FARTHEST = np.float32(1)
_ENCODE = encode_table()


class SoftwareSky:
    """Draws `scene3d.sky`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Fill the viewport with the sky, and its depth with the farthest."""
        camera, pixels = camera_of(target, batch, pass_), batch.arrays["picture"]
        picture = np.pad(pixels, [(0, 0), (0, 0), (0, 1)]).reshape(-1)
        suns, scene = (writable(batch.arrays[name]) for name in ("suns", "scene"))
        size, view = np.array(pixels.shape[:2], np.int64), view_of(pass_, camera)

        def draw_band(first: int, last: int) -> None:
            s, q = np.zeros(slots.NUMBERS, np.float32), np.empty(slots.INTEGERS, np.int32)
            sky_rows(camera.box(first, last), picture, size, suns, scene, view, target.colors[0], s, q)

        target.run(camera.bands(), draw_band)
        if target.depth is not None:
            left, top, right, bottom = camera.clip
            target.depth[top:bottom, left:right] = FARTHEST


class SoftwareLines:
    """Draws `scene3d.lines`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw lines: first those that are dimmed where they are hidden, everywhere, then all where they are seen."""
        camera, hidden = camera_of(target, batch, pass_), batch.arrays["hidden"]
        depth = target.depth if target.depth is not None else np.ones(target.colors[0].shape[:2], np.float32)
        lines, visible = _placed(batch, camera)
        colors = np.concatenate(
            [DECODE[batch.arrays["rgba"][:, :3]], batch.arrays["rgba"][:, 3:] / np.float32(255)], axis=1
        )
        colors[:, 3] *= np.minimum(batch.arrays["width"], 1)
        dimmed = colors * np.array([1, 1, 1, DIMMED], np.float32)
        for tested, rows, tints in ((False, visible & (hidden == 0), dimmed), (True, visible, colors)):
            if rows.any():
                selected = np.ascontiguousarray(lines[rows]), np.ascontiguousarray(tints[rows].astype(np.float32))
                draw_lines(camera.clip, *selected, tested, depth, target.colors[0])


def _placed(batch: Batch, camera: Camera) -> tuple[Array, Array]:
    """Return the rows for `draw_lines`, and which lines are in front of the near plane at all."""
    ends, width = batch.arrays["ends"].astype(np.float64), np.maximum(batch.arrays["width"], 1)
    matrix = camera.matrix.astype(np.float64)
    clip = ends @ matrix[:, :3].T + matrix[:, 3]
    before = clip[..., 2] + clip[..., 3]
    visible: Array = np.any(before > 0, axis=1)
    across = before[:, 0] - before[:, 1]
    part = np.where((before > 0).all(axis=1) | (across == 0), 0, before[:, 0] / np.where(across == 0, 1, across))
    middle = clip[:, 0] + part[:, None] * (clip[:, 1] - clip[:, 0])
    clip = np.where((before > 0)[..., None], clip, middle[:, None])
    w = np.where(visible[:, None], np.maximum(clip[..., 3], 1e-9), 1)
    x = camera.viewport[0] + (clip[..., 0] / w + 1) * 0.5 * camera.viewport[2]
    y = camera.viewport[1] + (1 - clip[..., 1] / w) * 0.5 * camera.viewport[3]
    points = np.stack([x, y, clip[..., 2] / w], axis=-1).reshape(-1, 6)
    return np.concatenate([points, (width * 0.5 + 0.5)[:, None]], axis=1).astype(np.float32), visible


class SoftwareDevelop:
    """Draws `scene3d.develop`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the first input of the pass over the viewport, tone mapped and encoded."""
        camera, source = camera_of(target, batch, pass_), target.inputs[next(iter(pass_.inputs))]
        left, top, _, high = (int(number) for number in camera.viewport)
        shift = np.array([left, top + high - source.shape[0], source.shape[1]], np.int64)
        box = camera.clip.copy()
        box[:2] = np.maximum(box[:2], shift[:2])
        box[2:] = np.minimum(box[2:], shift[:2] + np.array(source.shape[1::-1]))
        shades = Camera(camera.matrix, camera.viewport, box)
        flat = writable(source, np.float32).reshape(-1)
        exposure, tone = np.float32(batch.arrays["exposure"][0]), int(batch.arrays["tone"][0])

        def draw_band(first: int, last: int) -> None:
            s, q = np.empty(slots.NUMBERS, np.float32), np.empty(slots.INTEGERS, np.int32)
            box = shades.box(first, last)
            develop_rows(box, shift, flat, exposure, tone, _ENCODE, target.colors[0], s, q)

        target.run(shades.bands(), draw_band)

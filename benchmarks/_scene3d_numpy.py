"""numpy by hand in the benchmark `scene3d`: one ray against all boxes, the palettes of all characters at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_scene3d import ModelData

from ._scene3d_boxes import scene
from ._scene3d_characters import CHARACTERS, JOINTS, model, moments
from ._task import Task


def brute() -> Task:
    """One ray against all boxes, which is a ten-thousandth of the work."""
    boxes, origins, ways = scene()
    low, high = np.ascontiguousarray(boxes[:, :3]), np.ascontiguousarray(boxes[:, 3:])
    start, turn = origins[0], 1 / ways[0]

    def run() -> Any:
        one, two = (low - start) * turn, (high - start) * turn
        near = np.maximum(np.minimum(one, two).max(axis=1), 0)
        return np.where(near <= np.maximum(one, two).min(axis=1), near, np.inf).argmin()

    return Task(run)


def tracks(of: ModelData) -> list[Any]:
    """Return the unit quaternions of each clip by row and joint, float32 (ROWS, JOINTS, 4)."""
    return [
        np.stack([channel.values / np.linalg.norm(channel.values, axis=1)[:, None] for channel in clip.channels], 1)
        for clip in of.clips
    ]


def turns(clips: list[Any], rows: Any, share: Any) -> Any:
    """Return the quaternions (n, JOINTS, 4) of n blends of two clips. rows: (2, n), broken. share: (n, 1, 1)."""
    sampled = []
    for track, when in zip(clips, rows, strict=True):
        row = when.astype(np.int64)
        part = (when - row).astype(np.float32)[:, None, None]
        sampled.append(track[row] + part * (track[row + 1] - track[row]))
    first, second = sampled
    second = np.where((first * second).sum(-1, keepdims=True) < 0, -second, second)
    q = first + share * (second - first)
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def joints(of: ModelData, q: Any) -> Any:
    """Return the matrices (n, JOINTS, 4, 4) from joints that are turned by quaternions to the model."""
    x, y, z, w = (q[..., k] for k in range(4))
    made = np.zeros((*q.shape[:2], 4, 4), np.float32)
    made[..., 0, 0], made[..., 0, 1], made[..., 0, 2] = (
        1 - 2 * (y * y + z * z),
        2 * (x * y - z * w),
        2 * (x * z + y * w),
    )
    made[..., 1, 0], made[..., 1, 1], made[..., 1, 2] = (
        2 * (x * y + z * w),
        1 - 2 * (x * x + z * z),
        2 * (y * z - x * w),
    )
    made[..., 2, 0], made[..., 2, 1], made[..., 2, 2] = (
        2 * (x * z - y * w),
        2 * (y * z + x * w),
        1 - 2 * (x * x + y * y),
    )
    made[..., :3, 3], made[..., 3, 3] = of.translations, 1
    for k, parent in enumerate(of.parents.tolist()):
        if parent >= 0:
            made[:, k] = made[:, parent] @ made[:, k]
    return made


def characters() -> Task:
    """The palettes of a thousand characters in float32, joint by joint for all of them."""
    of, (rows, share) = model(), moments(CHARACTERS)
    clips, share = tracks(of), share.astype(np.float32)[:, None, None]
    last = np.tile(np.array([[[0, 0, 0, 1]]], np.float32), (JOINTS, 1, 1))
    binds = np.concatenate([of.skins[0].inverse_binds, last], axis=1)

    def run() -> None:
        palettes = joints(of, turns(clips, rows, share)) @ binds
        assert palettes.shape == (CHARACTERS, JOINTS, 4, 4)

    return Task(run)

"""Draws what casts shadows onto images in memory. Of a map that was drawn before, only the part where things moved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass
from rish_jit import Array

from ... import layout as at
from ...passes.kinds import Surfaces
from .geometry import Camera, camera_of, prepare
from .kernels import place
from .kernels.cover import cover, resolve_depths, scratch_of, targets_of
from .material_rows import Looks
from .meshes import VERTICES, mesh_table, writable
from .surfaces import BandDrawer, depth_of

_MOST = 64
"""The number of passes whose casters are stored."""
_LARGE = 0.5
"""Above this share of the instances, the whole map is drawn again without looking at their places."""
_PIXELS = 10_000
"""The number of pixels that are drawn in the time in which another part is prepared."""
_EVERYWHERE = np.array([-1e9, -1e9, 1e9, 1e9], np.float32)
"""The box of an instance that reaches behind the camera."""
_PALETTE, _MORPH = 14, 15
"""The words of an instance that are below 0 if it has no joints, or no weights of morph targets."""


@dataclass(eq=False)
class _Casters:
    """Copies of what a pass draws. key: what changes the whole map if it changes."""

    batch: Surfaces
    camera: Camera
    key: tuple[Any, ...]
    words: Array
    runs: Array
    palettes: Array
    morphs: Array

    def moved(self, later: _Casters) -> Array:
        """Return bool (n): the instances that look different later."""
        moved: Array = (self.words != later.words).any(axis=1)
        if not np.array_equal(self.palettes, later.palettes):
            moved |= later.words[:, _PALETTE] >= 0
        if not np.array_equal(self.morphs, later.morphs):
            moved |= later.words[:, _MORPH] >= 0
        return moved

    @cached_property
    def single_runs(self) -> tuple[Array, Array]:
        """A run for each drawn instance, int32 (m, 4), in the order of drawing; and the instances, int64 (m)."""
        counts = self.runs[:, at.RUN_COUNT].astype(np.int64)
        owner = np.repeat(np.arange(len(self.runs)), counts)
        instance = np.arange(len(owner)) + (self.runs[:, at.RUN_FIRST] - (np.cumsum(counts) - counts))[owner]
        single = self.runs[owner].astype(np.int32)
        single[:, at.RUN_FIRST], single[:, at.RUN_COUNT] = instance, 1
        return single, instance

    @cached_property
    def boxes(self) -> Array:
        """The box of each single run on the target, float32 (m, 4): left, top, right, bottom."""
        return self.boxes_of(self.single_runs[0])

    def boxes_of(self, runs: Array) -> Array:
        """Return the boxes of some single runs."""
        meshes, count = mesh_table(self.batch.library), len(runs)
        if not count:
            return np.zeros((0, 4), np.float32)
        sizes = meshes.rows[runs[:, at.RUN_MESH], VERTICES]
        size, begins = int(sizes.sum()), np.cumsum(sizes) - sizes
        tables = np.empty((size, 4), np.float32), np.empty((size, 8), np.float32), np.empty((0, 12), np.float32)
        poses = writable(self.palettes), writable(self.morphs)
        place.place_corners(
            meshes.rows, runs, self.words.view(np.float32), self.words, *poses, tables, self.camera.matrix,
            self.camera.viewport, np.empty(48, np.float32),
        )  # fmt: skip
        low, high = (end.reduceat(tables[0], begins) for end in (np.minimum, np.maximum))
        boxes = np.concatenate([np.floor(low[:, :2]), np.ceil(high[:, :2]) + 1], axis=1)
        boxes[low[:, 3] <= 0] = _EVERYWHERE
        return boxes


class SoftwareDepths(BandDrawer):
    """Draws `scene3d.depths`."""

    clears = True

    def __init__(self) -> None:
        super().__init__()
        self._drawn: dict[str, _Casters] = {}

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the depths of shadow casters, or their distances from a lamp."""
        assert isinstance(batch, Surfaces)
        camera, looks = camera_of(target, batch, pass_), self.looks(target, batch, pass_)
        before, now = self._drawn.pop(pass_.name, None), _casters(batch, camera)
        parts = [(camera, now.runs)]
        if before is not None and not target.cleared and not looks.of_inputs:
            parts = _changed(before, now)
        for part in parts:
            self._draw(target, batch, pass_, (*part, looks))
        if len(self._drawn) >= _MOST:
            self._drawn.clear()
        self._drawn[pass_.name] = now

    def _draw(self, target: DrawTarget, batch: Surfaces, pass_: Pass, how: tuple[Camera, Array, Looks]) -> None:
        """Draw some runs in the camera's `clip`."""
        camera, runs, looks = how
        geometry = prepare(batch, camera, self.pool, textured=looks.textured, runs=runs)
        depth, total = depth_of(target), int(geometry.counts[1])
        picture = target.colors[0].reshape(-1)
        eye = np.concatenate([batch.arrays["eye"], batch.arrays["reach"]]).astype(np.float32)
        far = 1.0 if target.frame is None else target.frame.targets[pass_.targets[0]].clear_color()[0]
        across = slice(int(camera.clip[0]), int(camera.clip[2]))

        def draw_band(first: int, last: int) -> None:
            if not target.cleared:
                depth[first:last, across] = 1
                target.colors[0][first:last, across] = far
            box, scratch = camera.box(first, last), scratch_of()
            with self.numbers(target.size[0]) as ids:
                targets = targets_of(depth, ids)
                cover(False, box, 0, total, geometry.rows, targets, geometry.tables, looks.tables, scratch)
                resolve_depths(box, targets, geometry.tables, eye, scratch, picture)

        target.run(camera.bands(), draw_band)


def _casters(batch: Surfaces, camera: Camera) -> _Casters:
    """Return copies of what a pass draws."""
    arrays = batch.arrays
    places = (camera.matrix, camera.viewport, camera.clip)
    key = (
        batch.library.version, *(array.tobytes() for array in places),
        *(arrays[name].tobytes() for name in ("runs", "materials", "eye", "reach")),
    )  # fmt: skip
    words = writable(arrays["instances"]).view(np.int32).reshape(len(arrays["instances"]), 16)
    copies = (array.copy() for array in (words, arrays["runs"], arrays["palettes"], arrays["morphs"]))
    return _Casters(batch, camera, key, *copies)


def _changed(before: _Casters, now: _Casters) -> list[tuple[Camera, Array]]:
    """Return the parts in which casters have changed: the camera with the pixels as `clip`, and the runs there."""
    camera = now.camera
    shapes = [(each.words.shape, each.palettes.shape, each.morphs.shape) for each in (before, now)]
    if before.key != now.key or shapes[0] != shapes[1]:
        return [(camera, now.runs)]
    moved = before.moved(now)
    if moved.mean() > _LARGE:
        return [(camera, now.runs)]
    runs, instances = now.single_runs
    chosen = moved[instances]
    now.boxes = before.boxes
    if not chosen.any():
        return []
    now.boxes = before.boxes.copy()
    now.boxes[chosen] = now.boxes_of(runs[chosen])
    parts: list[tuple[Camera, Array]] = []
    for clip in _clips(before.boxes[chosen], now.boxes[chosen], camera.clip):
        near = (now.boxes[:, :2] < clip[2:]).all(axis=1) & (now.boxes[:, 2:] > clip[:2]).all(axis=1)
        parts.append((replace(camera, clip=clip), runs[near]))
    return parts


def _clips(before: Array, now: Array, clip: Array) -> Array:
    """Return the parts of `clip` in the boxes of moved instances, int64 (k, 4): for each one, or for all together."""
    boxes = np.concatenate([np.minimum(before[:, :2], now[:, :2]), np.maximum(before[:, 2:], now[:, 2:])], axis=1)
    together = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])[None]
    each, one = (
        np.concatenate([np.maximum(b[:, :2], clip[:2]), np.minimum(b[:, 2:], clip[2:])], axis=1).astype(np.int64)
        for b in (boxes, together)
    )
    each, one = (part[(part[:, :2] < part[:, 2:]).all(axis=1)] for part in (each, one))
    pixels = [int((part[:, 2:] - part[:, :2]).prod(axis=1).sum()) for part in (each, one)]
    return each if pixels[0] + _PIXELS * len(each) < pixels[1] else one

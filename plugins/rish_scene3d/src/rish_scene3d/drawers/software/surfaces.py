"""Draws surfaces onto images in memory: lit at once, or described for deferred light, or lit from such descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass
from rish_jit import Array

from ... import layout as at
from ...light.albedo import albedo_rows
from ...passes.kinds import Surfaces
from .geometry import BAND, NO_GEOMETRY, Camera, Geometry, Pool, camera_of, prepare
from .kernels import maps, slots
from .kernels.cover import cover, scratch_of, targets_of
from .kernels.shade import FORWARD, GBUFFER, SHADE, shade_rows
from .material_rows import DECODE, HALVES, Looks, Shades, lights_of
from .meshes import writable

_ALBEDO = writable(albedo_rows()).reshape(-1)
_MOST_LOOKS = 8
"""The number of batches whose materials are stored; in beacon a frame has 12 batches and three tables."""
_PADDING = 16
"""Spare columns of `ids`: rows whose size is a multiple of 4 KB would share few lines of the processor's cache."""
_NO_IMAGE, _NO_METERS = np.zeros((0, 0, 4), np.float32), np.zeros((0, 0, 1), np.float32)
_NO_LOOKS = (
    np.zeros((0, at.MATERIAL), np.float32), np.zeros((0, len(at.MAP_NAMES), 8), np.int64),
    np.zeros((0, maps.LEVELS), np.int64), DECODE, HALVES,
)  # fmt: skip
_NO_LIGHTS = (
    np.zeros((0, at.SUN), np.float32), np.zeros((0, at.LAMP), np.float32), np.zeros((0, 2), np.int32),
    np.zeros(0, np.int32), np.zeros((9, 3), np.float32), np.zeros(0, np.float32), np.zeros(at.SCENE, np.float32),
    np.zeros((0, 3), np.int64), _ALBEDO,
)  # fmt: skip


def view_of(pass_: Pass, camera: Camera) -> tuple[Array, ...]:
    """Return the tuple `view` of the kernels; see `shade`."""
    view = pass_.view.astype(np.float64)
    lens, inverse = pass_.projection.astype(np.float32), np.linalg.inv(view).astype(np.float32)
    axis = view[2, :3].astype(np.float32)
    return (-view[2]).astype(np.float32), axis, camera.viewport, lens.reshape(-1), inverse.reshape(-1)


def _scratch_of(lamps: int) -> tuple[Array, ...]:
    """Return the scratch arrays of one call; see `shade`."""
    numbers, wholes = np.empty(slots.NUMBERS, np.float32), np.zeros(slots.INTEGERS, np.int32)
    wholes[slots.EACH : slots.EACH + slots.BLOCK] = np.arange(slots.BLOCK)
    return (
        numbers, numbers.view(np.int32), wholes,
        np.empty(2 * slots.BLOCK, np.int32), np.zeros((2, lamps), np.int32), np.empty(4, np.int64),
    )  # fmt: skip


class BandDrawer:
    """The base of the drawers of surfaces: it draws a batch in bands, and keeps arrays from batch to batch."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self.pool = Pool()
        self._scratches: list[tuple[Array, ...]] = []
        self._looks: dict[tuple[int, int], Looks] = {}
        self._ids: list[Array] = []

    def prepared(self, target: DrawTarget, batch: Batch, pass_: Pass) -> tuple[Camera, Geometry, Looks]:
        """Return the camera, the triangles, and their materials."""
        assert isinstance(batch, Surfaces)
        camera, looks = camera_of(target, batch, pass_), self.looks(target, batch, pass_)
        return camera, prepare(batch, camera, self.pool, textured=looks.textured), looks

    def looks(self, target: DrawTarget, batch: Surfaces, pass_: Pass) -> Looks:
        """Return the materials of a batch; the same object for the same tables without pictures of the pass."""
        key = (batch.library.version, batch.tables)
        looks = self._looks.get(key)
        if looks is None:
            looks = Looks(batch, target, pass_)
            if batch.tables and not looks.of_inputs:
                if len(self._looks) >= _MOST_LOOKS:
                    self._looks.clear()
                self._looks[key] = looks
        return looks

    @contextmanager
    def numbers(self, width: int) -> Iterator[Array]:
        """Give the array `ids` of `cover` for a band, filled with -1, which must be in it again afterwards."""
        try:  # another thread may take the last one at any time
            ids = self._ids.pop()
        except IndexError:
            ids = np.empty((0, 0), np.int32)
        if ids.shape[1] < width:
            ids = np.full((BAND, width + _PADDING), -1, np.int32)
        yield ids
        self._ids.append(ids)

    @contextmanager
    def _scratch(self, lamps: int) -> Iterator[tuple[Array, ...]]:
        """Give the scratch arrays of a band; see `shade`."""
        try:
            scratch = self._scratches.pop()
        except IndexError:
            scratch = _scratch_of(lamps)
        if scratch[4].shape[1] != lamps:
            scratch = _scratch_of(lamps)
        yield scratch
        self._scratches.append(scratch)

    def _shade(
        self, mode: int, target: DrawTarget, camera: Camera, pass_: Pass, geometry: Geometry, tables: tuple[Any, Any],
        images: tuple[Array, ...],
    ) -> None:  # fmt: skip
        """Draw a batch in bands, on all threads of the backend. tables: looks and lights, see `shade`."""
        looks, lights = tables
        depth, view = depth_of(target), view_of(pass_, camera)
        opaque, total = (int(count) for count in geometry.counts)
        blended = geometry.box(opaque, total)

        def draw_band(first: int, last: int) -> None:
            box = camera.box(first, last)
            with self.numbers(target.size[0]) as ids, self._scratch(len(lights[1])) as scratch:
                cover_arguments = (geometry.rows, targets_of(depth, ids), geometry.tables, looks, scratch_of())
                shade_arguments = (ids, geometry.tables, looks, lights, view, images, scratch)
                cover(False, box, 0, opaque, *cover_arguments)
                shade_rows(mode, box, *shade_arguments)
                at_triangle = opaque
                if total > opaque:
                    box[:2], box[2:] = np.maximum(box[:2], blended[:2]), np.minimum(box[2:], blended[2:])
                    at_triangle = opaque if (box[:2] < box[2:]).all() else total
                while at_triangle < total:
                    at_triangle = cover(True, box, at_triangle, total, *cover_arguments)
                    shade_rows(mode, box, *shade_arguments)

        target.run(camera.bands(), draw_band)


class SoftwareSurfaces(BandDrawer):
    """Draws `scene3d.surfaces`."""

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw lit surfaces onto the first attachment."""
        camera, geometry, looks = self.prepared(target, batch, pass_)
        shades, images = Shades(target, pass_), (target.colors[0], *[_NO_IMAGE] * 4, _NO_METERS)
        tables = looks.tables, lights_of(batch, shades, _ALBEDO)
        self._shade(FORWARD, target, camera, pass_, geometry, tables, images)


class SoftwareGbuffer(BandDrawer):
    """Draws `scene3d.gbuffer`."""

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Describe opaque surfaces on the five attachments."""
        camera, geometry, looks = self.prepared(target, batch, pass_)
        opaque = Geometry(geometry.tables, geometry.rows, geometry.counts[[0, 0]])
        images = (_NO_IMAGE, *target.colors[:5])
        self._shade(GBUFFER, target, camera, pass_, opaque, (looks.tables, _NO_LIGHTS), images)


class SoftwareShade(BandDrawer):
    """Draws `scene3d.shade`."""

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Light the surfaces that the first five inputs describe, and write their depth."""
        camera, shades = camera_of(target, batch, pass_), Shades(target, pass_)
        described = [target.inputs[name] for name in list(pass_.inputs)[:5]]
        images, tables = (target.colors[0], *described), (_NO_LOOKS, lights_of(batch, shades, _ALBEDO))
        self._shade(SHADE, target, camera, pass_, NO_GEOMETRY, tables, images)
        if target.depth is not None:
            _write_depth(target.depth, described[4][..., 0], camera.clip, pass_.projection)


def depth_of(target: DrawTarget) -> Array:
    """Return the depth of a target, (h, w). A target without depth gets one."""
    return target.depth if target.depth is not None else np.ones(target.size[::-1], np.float32)


def _write_depth(depth: Array, meters: Array, clip: Array, lens: Array) -> None:
    """Write the depth of clip space of pixels that are `meters` away along the view; 0 is nothing."""
    left, top, right, bottom = clip
    far = meters[top:bottom, left:right]
    w = np.where(far > 0, lens[3, 3] - lens[3, 2] * far, 1)
    z = ((lens[2, 3] - lens[2, 2] * far) / w).astype(np.float32)
    part = depth[top:bottom, left:right]
    np.copyto(part, z, where=far > 0)

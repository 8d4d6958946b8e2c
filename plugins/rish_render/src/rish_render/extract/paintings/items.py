"""Converts the boxes, images and lines of a part to arrays in the space of the painting, and moves these arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_frame import Batch, BoxItem, ImageItem, LineItem
from rish_frame.frame import Filter

from ...materials.pictures import CAMERA
from ...packing.nine_parts import frame_of_part, parts_of
from .cameras import camera_frame

if TYPE_CHECKING:
    from ...scene.extraction import Extraction

Array = npt.NDArray[Any]
Bounds = tuple[float, float, float, float]

_COLORS = ("rgba", "rgba2", "edge")
_LENGTHS = ("half", "corner", "line", "width")
SOURCE = "render"


class Pose(NamedTuple):
    """Where a painting is in the space of its layer: its scale, the place of its origin, and its opacity."""

    scale: float
    x: float
    y: float
    opacity: float


@dataclass
class Flat:
    """The arrays of one batch in the space of a painting. bounds: x0 y0 x1 y1 of all of them."""

    kind: str
    arrays: dict[str, Array]
    bounds: Bounds
    filter: Filter = "linear"
    texture: str | None = None

    def placed(self, pose: Pose) -> Batch:
        """Return the batch with everything at its place."""
        arrays = moved(self.arrays, pose)
        return Batch(self.kind, arrays, filter=self.filter, texture=self.texture, source=SOURCE)


def moved(arrays: dict[str, Array], pose: Pose) -> dict[str, Array]:
    """Return arrays of a batch moved to a pose; arrays that do not change are not copied."""
    scale, x, y, opacity = pose
    made = dict(arrays)
    for name, array in arrays.items():
        if name == "matrix" or name == "points":
            if scale != 1.0 or x or y:
                shifts = (0, 0, 0, 0, x, y) if name == "matrix" else (x, y, x, y)
                made[name] = array * np.float32(scale) + np.array(shifts, np.float32)
        elif name in _LENGTHS and scale != 1.0:
            made[name] = array * np.float32(scale)
        elif name in _COLORS and opacity < 1.0:
            made[name] = faded(array, opacity)
    return made


def faded(rgba: Array, opacity: float) -> Array:
    """Return colours, uint8 (n, 4), with their opacity multiplied."""
    made = rgba.copy()
    made[:, 3] = np.floor(rgba[:, 3] * min(max(opacity, 0.0), 1.0) + 0.5)
    return made


def flat_boxes(boxes: Sequence[BoxItem]) -> Flat:
    """Return boxes and ellipses as `shapes`."""
    numbers = np.array([(b.x, b.y, b.w, b.h, b.line, b.corner) for b in boxes], np.float32)
    x, y, w, h, line, corner = numbers.T
    w, h = np.maximum(w, 0), np.maximum(h, 0)
    colours = np.array([(b.fill, b.fill_end if b.fill_end[3] else b.fill, b.edge) for b in boxes])
    colours = np.clip(colours, 0, 255).astype(np.uint8)
    arrays = {
        "matrix": _upright(x + w / 2, y + h / 2, w, h),
        "half": np.stack([w / 2, h / 2], axis=1),
        "corner": np.minimum(np.maximum(corner, 0), np.minimum(w, h) / 2),
        "line": np.ascontiguousarray(line),
        "kind": np.array([b.round for b in boxes], np.uint8),
        "rgba": np.ascontiguousarray(colours[:, 0]),
        "rgba2": np.ascontiguousarray(colours[:, 1]),
        "edge": np.ascontiguousarray(colours[:, 2]),
    }
    return Flat("shapes", arrays, _bounds(x, y, x + w, y + h))


def flat_lines(lines: Sequence[LineItem]) -> Flat:
    """Return lines as `lines`."""
    points = np.array([line[:4] for line in lines], np.float32)
    width = np.array([line.width for line in lines], np.float32)
    rgba = np.clip(np.array([line.color for line in lines]), 0, 255).astype(np.uint8)
    far = width / 2
    low, high = np.minimum(points[:, :2], points[:, 2:]), np.maximum(points[:, :2], points[:, 2:])
    bounds = _bounds(low[:, 0] - far, low[:, 1] - far, high[:, 0] + far, high[:, 1] + far)
    return Flat("lines", {"points": points, "width": width, "rgba": rgba}, bounds)


def flat_images(scene: Extraction, images: Sequence[ImageItem]) -> list[Flat]:
    """Return images as `sprites_wide`: a batch for each run of images of one source and filter."""
    found = [_source(scene, image) for image in images]
    flats: list[Flat] = []
    for (texture, smooth), run in groupby(range(len(images)), lambda k: (found[k][0], images[k].smooth)):
        numbers = list(run)
        flats.append(_flat(scene, [images[k] for k in numbers], [found[k][1:] for k in numbers], texture, smooth))
    return flats


def _source(scene: Extraction, image: ImageItem) -> tuple[str | None, int, int, int]:
    """Return the texture of an image, its frame, and its width and height in texels."""
    if image.image.startswith(CAMERA):
        return camera_frame(scene, image.image)
    return None, *scene.pictures.frame_of(scene.world, image.image, image.region)


def _flat(
    scene: Extraction, images: list[ImageItem], frames: list[tuple[int, int, int]], texture: str | None, smooth: bool
) -> Flat:
    place = np.array([image[1:5] for image in images], np.float64)
    rgba = np.clip(np.array([image.tint for image in images]), 0, 255).astype(np.uint8)
    frame = np.array([each[0] for each in frames], np.int64)
    owner = np.arange(len(images))
    patched = np.array([any(image.slices) and texture is None for image in images])
    bounds = _bounds(*place[:, :2].T, *(place[:, :2] + place[:, 2:]).T)
    if patched.any():
        some = np.flatnonzero(patched)
        border, scale = (np.array([getattr(images[k], name) for k in some.tolist()]) for name in ("slices", "scale"))
        border = border[:, [0, 2, 1, 3]]  # left, top, right, bottom
        texels = np.array([frames[k][1:] for k in some.tolist()], np.float32)
        mine, cut, boxes = _patches(scene, place[some], border, texels, scale, frame[some])
        kept = np.flatnonzero(~patched)
        owner = np.concatenate([kept, some[mine]])
        order = np.argsort(owner, kind="stable")
        place, frame = np.concatenate([place[kept], boxes])[order], np.concatenate([frame[kept], cut])[order]
        owner = owner[order]
    x, y, w, h = place.T
    arrays = {
        "matrix": _upright(x + w / 2, y + h / 2, w, h),
        "frame": frame.astype(np.uint16),
        "rgba": np.ascontiguousarray(rgba[owner]),
    }
    return Flat("sprites_wide", arrays, bounds, "linear" if smooth else "nearest", texture)


def _patches(
    scene: Extraction, place: Array, border: Array, texels: Array, scale: Array, whole: Array
) -> tuple[Array, Array, Array]:
    """Return the parts of nine-patches: which one each belongs to, its frame, and its box x y w h."""
    parts = parts_of(place[:, 2:], border, texels, scale)
    drawn = (parts.w > 0) & (parts.h > 0) & (parts.uw > 0) & (parts.vh > 0)
    owner, _ = np.nonzero(drawn)
    parts = type(parts)(*(column[drawn] for column in parts))
    frames = [frame_of_part(scene, int(whole[k]), parts, i) for i, k in enumerate(owner.tolist())]
    x, y = place[owner, 0] + parts.x, place[owner, 1] + place[owner, 3] - parts.y - parts.h
    return owner, np.array(frames, np.int64), np.stack([x, y, parts.w, parts.h], axis=1)


def _upright(x: Array, y: Array, w: Array, h: Array) -> Array:
    """Return the matrices of upright boxes, given by centre and size; float32 (n, 6)."""
    zero = np.zeros(len(x))
    return np.stack([w, zero, zero, h, x, y], axis=1).astype(np.float32)


def _bounds(x0: Array, y0: Array, x1: Array, y1: Array) -> Bounds:
    return float(x0.min()), float(y0.min()), float(x1.max()), float(y1.max())

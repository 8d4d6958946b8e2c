"""Converts the boxes, images and lines of parts to arrays in the space of their paintings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby
from typing import TYPE_CHECKING

import numpy as np

from rish_frame import BoxItem, ImageItem, LineItem, Part
from rish_frame.frame import Filter
from rish_jit import Array

from ...materials.material_images import CAMERA
from ..panels.nine_parts import frame_of_part, parts_of
from .cameras import camera_frame

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction

Bounds = tuple[float, float, float, float]


@dataclass(eq=False, slots=True)
class Flat:
    """Neighbors in the drawing order that can be one batch, in the space of a painting.

    They are the rows from `start` to `stop` of the arrays, which other Flats may share. bounds: x0 y0 x1 y1 of all of
    them.
    """

    kind: str
    arrays: dict[str, Array]
    start: int
    stop: int
    bounds: Bounds
    filter: Filter = "linear"
    texture: str | None = None


def flats_of(scene: Extraction, parts: Collection[Part]) -> list[list[Flat]]:
    """Return the backs, boxes, images and lines of each part, in drawing order."""
    boxes, lines = flat_boxes([part.boxes for part in parts]), flat_lines([part.lines for part in parts])
    flats: list[list[Flat]] = []
    for part, box, line in zip(parts, boxes, lines, strict=True):
        backs = flat_images(scene, part.backs) if part.backs else []
        images = flat_images(scene, part.images) if part.images else []
        flats.append([*backs, *box, *images, *line])
    return flats


def flat_boxes(parts: Sequence[Sequence[BoxItem]]) -> list[list[Flat]]:
    """Return the boxes and ellipses of each part as `shapes`; nothing for a part without any."""
    boxes = [box for part in parts for box in part]
    if not boxes:
        return [[] for _ in parts]
    x, y, w, h, fill, end, edge, line, corner, kind = zip(*boxes, strict=True)
    numbers = np.array((x, y, w, h, line, corner), np.float32)
    x, y, w, h, line, corner = numbers
    w, h = np.maximum(w, 0), np.maximum(h, 0)
    ends = [last if last[3] else first for first, last in zip(fill, end, strict=True)]
    arrays = {
        "matrix": _upright(x + w / 2, y + h / 2, w, h),
        "half": np.stack([w / 2, h / 2], axis=1),
        "corner": np.minimum(np.maximum(corner, 0), np.minimum(w, h) / 2),
        "line": line,
        "kind": np.array(kind, np.uint8),
        "rgba": colors_of(fill),
        "rgba2": colors_of(ends),
        "edge": colors_of(edge),
    }
    return _dealt("shapes", arrays, [len(part) for part in parts], (x, y, x + w, y + h))


def flat_lines(parts: Sequence[Sequence[LineItem]]) -> list[list[Flat]]:
    """Return the lines of each part as `lines`; nothing for a part without any."""
    lines = [line for part in parts for line in part]
    if not lines:
        return [[] for _ in parts]
    points = np.array([line[:4] for line in lines], np.float32)
    width = np.array([line.width for line in lines], np.float32)
    far = width / 2
    low, high = np.minimum(points[:, :2], points[:, 2:]).T, np.maximum(points[:, :2], points[:, 2:]).T
    arrays = {"points": points, "width": width, "rgba": colors_of([line.color for line in lines])}
    edges = (low[0] - far, low[1] - far, high[0] + far, high[1] + far)
    return _dealt("lines", arrays, [len(part) for part in parts], edges)


def _dealt(
    kind: str, arrays: dict[str, Array], counts: Sequence[int], edges: tuple[Array, Array, Array, Array]
) -> list[list[Flat]]:
    """Return a Flat for the rows of each part. counts: the number of rows of each. edges: x0 y0 x1 y1 of each row."""
    starts = [stop - count for stop, count in zip(accumulate(counts), counts, strict=True)]
    some = [start for start, count in zip(starts, counts, strict=True) if count]
    reduced = (np.minimum, np.minimum, np.maximum, np.maximum)
    sides = [each.reduceat(edge, some).tolist() for each, edge in zip(reduced, edges, strict=True)]
    bounds = iter(zip(*sides, strict=True))
    return [
        [Flat(kind, arrays, start, start + count, next(bounds))] if count else []
        for start, count in zip(starts, counts, strict=True)
    ]


def colors_of(colors: Sequence[Sequence[int]]) -> Array:
    """Return colors as uint8 (n, 4)."""
    try:
        return np.frombuffer(bytes(chain.from_iterable(colors)), np.uint8).reshape(-1, 4)
    except (ValueError, TypeError):  # numbers that are no bytes
        return np.clip(np.array(colors), 0, 255).astype(np.uint8)


def flat_images(scene: Extraction, images: Sequence[ImageItem]) -> list[Flat]:
    """Return images as `sprites_wide`: a batch for each run of images of one source and filter."""
    sources = [_source(scene, image) for image in images]
    flats: list[Flat] = []
    for (texture, smooth), run in groupby(range(len(images)), lambda k: (sources[k][0], images[k].smooth)):
        numbers = list(run)
        flats.append(_flat(scene, [images[k] for k in numbers], [sources[k][1:] for k in numbers], texture, smooth))
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
    rgba = colors_of([image.tint for image in images])
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
        plain = np.flatnonzero(~patched)
        owner = np.concatenate([plain, some[mine]])
        order = np.argsort(owner, kind="stable")
        place, frame = np.concatenate([place[plain], boxes])[order], np.concatenate([frame[plain], cut])[order]
        owner = owner[order]
    x, y, w, h = place.T
    arrays = {
        "matrix": _upright(x + w / 2, y + h / 2, w, h),
        "frame": frame.astype(np.uint16),
        "rgba": np.ascontiguousarray(rgba[owner]),
    }
    return Flat("sprites_wide", arrays, 0, len(frame), bounds, "linear" if smooth else "nearest", texture)


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
    """Return the matrices of upright boxes, given by center and size; float32 (n, 6)."""
    zero = np.zeros(len(x))
    return np.stack([w, zero, zero, h, x, y], axis=1).astype(np.float32)


def _bounds(x0: Array, y0: Array, x1: Array, y1: Array) -> Bounds:
    return float(x0.min()), float(y0.min()), float(x1.max()), float(y1.max())

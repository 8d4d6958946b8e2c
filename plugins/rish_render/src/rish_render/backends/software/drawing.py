"""Converts the batches of a pass into kernel calls.

Each kind of batch has a function here or in `sprites`. It transforms positions from the pass's space to pixels (row 0
on top), premultiplies colors, leaves out entries with NaN or infinity, and returns kernel calls: kernels with their
arguments. `painting` caches the kernel calls of batches that stay the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_frame import Batch
from rish_jit import Array

from ..shared import LEAVES_CHANNELS, Unable, line_boxes, triangles_of
from .kernels import mesh, polygons, shapes
from .kernels.blend import MODES, pack_colors
from .pages import Place
from .scene import KernelCall, PassContext, into_pixels
from .sprites import (
    band_rows,
    channels_of,
    draw_sprites,
    draw_sprites_wide,
    draw_tiles,
    input_picture,
    keeps,
    picture_of,
)
from .surfaces import FARTHEST

_ALL, _BLACK = np.uint32(0xFFFFFFFF), np.uint32(0xFF000000)
_NO_DEPTH = np.full((1, 1), FARTHEST, np.float32)
_FARTHEST_POINT = 1e8
_NS_SHAPE = 2000.0


def _sane(rows: Array, *arrays: Array) -> tuple[Array, ...]:
    """Return the arrays without the entries whose row contains NaN or infinity."""
    fine = np.isfinite(rows).all(axis=1)
    return arrays if fine.all() else tuple(np.ascontiguousarray(array[fine]) for array in arrays)


def draw_shapes(scene: PassContext, batch: Batch) -> list[KernelCall]:
    """Return the kernel calls of a `shapes` batch."""
    arrays = batch.arrays
    sizes = np.column_stack([arrays["half"], arrays["corner"], arrays["line"]])
    return _draw_shapes(
        scene, batch, arrays["matrix"], sizes, arrays["kind"], *(arrays[k] for k in ("rgba", "rgba2", "edge"))
    )


def draw_lines(scene: PassContext, batch: Batch) -> list[KernelCall]:
    """Return the kernel calls of a `lines` batch. Lines are drawn as boxes whose corners are rounded by half their
    width.
    """
    points, width, rgba = (batch.arrays[name] for name in ("points", "width", "rgba"))
    columns = points.astype(np.float64), width.astype(np.float64), rgba
    points, width, rgba = _sane(np.column_stack([points, width]), *columns)
    sides, center, sizes = line_boxes(points, width)
    kinds = np.zeros(len(width), np.uint8)
    matrix = np.column_stack([sides, center])
    return _draw_shapes(scene, batch, matrix, sizes.astype(np.float32), kinds, rgba, rgba, np.zeros_like(rgba))


def _draw_shapes(
    scene: PassContext, batch: Batch, matrix: Array, sizes: Array, kinds: Array, rgba: Array, rgba2: Array, edge: Array
) -> list[KernelCall]:
    rows = np.concatenate([matrix, sizes], axis=1)
    matrix, sizes, kinds, rgba, rgba2, edge = _sane(rows, matrix, sizes, kinds, rgba, rgba2, edge)
    matrix = into_pixels(matrix, scene.plane).astype(np.float32)
    additive = batch.blend == "add"
    colors = [pack_colors(color, additive) for color in (rgba, rgba2, edge)]

    def order(attachment: int, bits: Any) -> KernelCall:
        shown = (color & bits for color in colors)
        arguments = (scene.clip(batch), matrix, sizes, kinds, *shown, MODES[batch.blend])
        return KernelCall(shapes.draw_shapes, attachment, arguments, len(kinds) * _NS_SHAPE)

    return _onto_all(scene, batch, order)


def _onto_all(scene: PassContext, batch: Batch, order: Callable[[int, Any], KernelCall]) -> list[KernelCall]:
    """Return the kernel calls of a kind that has no images for channels.

    It is drawn in black onto each channel, if its blend mode covers what is below, then in color onto the main
    attachment. order: returns the kernel call for an attachment; the second argument is the mask of the color bits
    that count.
    """
    picture = order(picture_of(scene), _ALL)
    if batch.blend in LEAVES_CHANNELS:
        return [picture]
    return [*(order(number, _BLACK) for number, _ in channels_of(scene)), picture]


def draw_polygons(scene: PassContext, batch: Batch) -> list[KernelCall]:
    """Return the kernel calls of a `polygons` batch: filled by coverage, or textured triangles if the batch has uv."""
    arrays = batch.arrays
    if "uv" in arrays:
        return draw_triangles(scene, batch)
    points = arrays["points"].astype(np.float64)
    starts = arrays["starts"]
    colors = pack_colors(arrays["rgba"], batch.blend == "add")
    broken = ~np.isfinite(points).all(axis=1)
    if broken.any():
        lost = np.add.reduceat(broken, starts[:-1]) > 0
        colors[lost] = 0
        points[broken] = 0
    pixels = points @ scene.plane[:, :2].T + scene.plane[:, 2]
    pixels = np.clip(np.nan_to_num(pixels), -_FARTHEST_POINT, _FARTHEST_POINT).astype(np.float32)

    def order(attachment: int, bits: Any) -> KernelCall:
        arguments = (scene.clip(batch), pixels, starts, colors & bits, MODES[batch.blend])
        return KernelCall(polygons.draw_polygons, attachment, arguments, len(colors) * _NS_SHAPE)

    return _onto_all(scene, batch, order)


def draw_triangles(scene: PassContext, batch: Batch) -> list[KernelCall]:
    """Return the kernel calls of a `mesh` batch, or of polygons with uv."""
    positions, rgba, indices = triangles_of(batch)
    clip_space = (np.column_stack([positions, np.ones(len(positions))]) @ scene.camera.T).astype(np.float32)
    values = np.zeros((len(positions), 6), np.float32)
    alpha = rgba[:, 3:].astype(np.float32)
    values[:, :3], values[:, 3:4] = rgba[:, :3] * (alpha / np.float32(255)), alpha
    texels, picture = scene.pages.texels, Place(0, 0, 0, 0)
    if "uv" in batch.arrays:
        values[:, 4:] = batch.arrays["uv"]
        if isinstance(batch.texture, str):
            picture, texels, _ = input_picture(scene, batch.texture)
        else:
            picture = scene.pages.places.get(batch.texture if batch.texture is not None else -1)
            if picture is None:
                raise Unable(f"the page {batch.texture} does not exist")
    buffer = scene.surface.depth if batch.kind == "mesh" and scene.pass_.depth_test else None
    clip = scene.clip(batch)
    placed = _place_triangles(scene, clip, clip_space, values, indices)

    def order(attachment: int, bits: Any) -> KernelCall:
        test = mesh.NO_TEST if buffer is None else mesh.TEST_ONLY if attachment else mesh.TEST
        arguments = (
            clip, _NO_DEPTH if buffer is None else buffer, test, *placed, texels, np.array(picture, np.int64),
            MODES[batch.blend], keeps(batch) & bits,
        )  # fmt: skip
        return KernelCall(mesh.draw_mesh, attachment, arguments, len(indices) * _NS_SHAPE)

    return _onto_all(scene, batch, order)


def _place_triangles(
    scene: PassContext, clip: Array, positions: Array, values: Array, indices: Array
) -> tuple[Array, Array, tuple[Any, Array, Array]]:
    """Return the corners, the triangles that may cover a pixel, and their lists by bands; see `mesh.draw_mesh`."""
    count, (width, height) = 2 * len(indices), scene.surface.size
    corners = np.empty((len(positions) + count, 10), np.float32)
    triangles, rows = np.empty((count, 3), np.int32), np.empty((count, 2), np.int32)
    viewport = np.array(scene.viewport, np.float32)
    shown = mesh.place_triangles(positions, values, indices, viewport, clip, corners, triangles, rows)
    shift = band_rows(width).bit_length() - 1
    starts, listed = np.empty(((height - 1) >> shift) + 2, np.int64), np.empty(2 * shown, np.int32)
    needed = mesh.list_triangles(rows, shown, shift, starts, listed)
    if needed > len(listed):
        listed = np.empty(needed, np.int32)
        mesh.list_triangles(rows, shown, shift, starts, listed)
    return corners, triangles[:shown], (shift, starts, listed)


ORDERS: dict[str, Callable[[PassContext, Batch], list[KernelCall]]] = {
    "sprites": draw_sprites,
    "sprites_wide": draw_sprites_wide,
    "tiles": draw_tiles,
    "shapes": draw_shapes,
    "lines": draw_lines,
    "polygons": draw_polygons,
    "mesh": draw_triangles,
}
"""The function that returns the kernel calls, for each kind that the backend draws without a drawer."""

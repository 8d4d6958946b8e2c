"""Draws meshes and textured polygons: triangles with one color at each corner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_frame import Batch

from ...shared import Unable, triangles_of
from ..programs import PAGES, Variant
from ..scene import PassContext
from .painter import Painter


def draw_mesh(painter: Painter, scene: PassContext, batches: Sequence[Batch]) -> None:
    """Draw batches of `mesh` one after another."""
    for batch in batches:
        draw_triangles(painter, scene, batch, depth=scene.pass_.depth_test)


def draw_triangles(painter: Painter, scene: PassContext, batch: Batch, *, depth: bool = False) -> None:
    """Draw a mesh, or polygons that have uv coordinates, as triangles."""
    painter.plain_only(batch)
    rect, layer, from_target = _picture(painter, scene, batch)
    geometry, corners = painter.cached(batch, None, lambda: _upload(painter, batch))
    if not corners:
        return
    channels = painter.channels(scene)
    program = painter.programs.picture(Variant("mesh", from_target=from_target, channels=len(channels)))
    camera = tuple(scene.space.T.ravel().tolist())
    program.set(**painter.values(scene, batch, camera=camera, rect=rect, layer=layer))
    tested = depth and scene.canvas.depth is not None
    painter.onto(painter.framebuffer(scene, channels), scene.clip(batch), batch.blend, depth=tested)
    geometry.render(program.native, vertices=corners)
    painter.stats.draw_calls += 1


def _picture(
    painter: Painter, scene: PassContext, batch: Batch
) -> tuple[tuple[float, float, float, float], float, bool]:
    """Bind the texture of the triangles; return its rectangle, its layer (-1: none), and whether it is a target."""
    if "uv" not in batch.arrays:
        painter.device.texture(PAGES, scene.pages.texture)
        return (0.0, 0.0, 0.0, 0.0), -1.0, False
    if isinstance(batch.texture, str):
        picture = scene.input(batch.texture)
        painter.device.texture(PAGES, picture.texture)
        return (0.0, 0.0, float(picture.size[0]), float(picture.size[1])), 0.0, True
    place = scene.pages.places.get(batch.texture if batch.texture is not None else -1)
    if place is None:
        raise Unable(f"the page {batch.texture} does not exist")
    painter.device.texture(PAGES, scene.pages.texture)
    x, y = float(place.x), float(place.y)
    return (x, y, x + place.width, y + place.height), float(place.layer), False


def _upload(painter: Painter, batch: Batch) -> tuple[Any, int]:
    """Upload the triangles into buffers of their own; returns the geometry, and how many indices are drawn."""
    positions, colors, indices = triangles_of(batch)
    if not len(indices):
        return None, 0
    device = painter.device
    uv = batch.arrays.get("uv")
    flat = np.zeros((len(positions), 2), np.float32) if uv is None else np.nan_to_num(uv, posinf=0, neginf=0)
    parts = [
        (positions, np.float32, "3f", "position"),
        (colors, np.uint8, "4f1", "color"),
        (flat, np.float32, "2f", "uv"),
    ]
    content: list[Any] = []
    for array, dtype, form, name in parts:
        buffer = device.buffer(array.size * np.dtype(dtype).itemsize, stream=False)
        painter.stats.bytes_uploaded += device.fill(buffer, [np.ascontiguousarray(array, dtype)])
        content.append(device.describe(buffer, form, [name], instanced=False))
    order = device.buffer(4 * indices.size, stream=False)
    painter.stats.bytes_uploaded += device.fill(order, [np.ascontiguousarray(indices, np.uint32)])
    return device.geometry(content, order), indices.size

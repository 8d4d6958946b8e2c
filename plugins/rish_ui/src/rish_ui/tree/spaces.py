"""Screens in the world: their places, and conversion of the pointer's position into their units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Layers, LayerStack, Transform
from rish_frame import Region, WorldMatrices, layer_look

if TYPE_CHECKING:
    from .context import Context
    from .node import Root


def layer_of(ui: Context, root: Root) -> str:
    """Return the name of the layer that a screen is drawn on: its own, or the default of its space."""
    if root.layer:
        return root.layer
    order = ui.world[Layers].order
    return ui.settings.layer if not root.world or not order else order[0]


def corner(root: Root) -> tuple[float, float]:
    """Return the lower left corner of a screen in the world relative to its entity, world units."""
    left = root.lift[0] - root.pivot[0] * root.width * root.unit
    return left, root.lift[1] - (1 - root.pivot[1]) * root.height * root.unit


def local(ui: Context, root: Root, x: float, y: float) -> tuple[float, float] | None:
    """Return a point of the picture (units, y up) as a point of a screen (units of it from the top left, y down).

    None if the camera at that point does not show the screen's layer.
    """
    if not root.world:
        return x, root.height - y
    bottom_left = _bottom_left(ui, root)
    point = in_picture(ui, root, x, y) or _on_screen(ui, root, x, y)
    if bottom_left is None or point is None:
        return None
    return (point[0] - bottom_left[0]) / root.unit, root.height - (point[1] - bottom_left[1]) / root.unit


def in_picture(ui: Context, root: Root, x: float, y: float) -> tuple[float, float] | None:
    """Return the place in the world that is seen at a point of the picture (units, y up) in the picture of a camera
    that a surface in space shows; None if there is no such surface, or if the screen does not lie in that picture.
    """
    surface = ui.surface_at(x, y) if root.world else None
    area = ui.frame.area_of(ui.world, surface.camera) if surface is not None and ui.frame.area_of is not None else None
    bottom_left, layer = _bottom_left(ui, root), layer_of(ui, root)
    if surface is None or area is None or bottom_left is None or not _shows(area, layer):
        return None
    first, right, _, up = area.world - _parallax(ui, layer, area)
    sides = np.stack([right - first, up - first])
    if not np.linalg.det(sides):
        return None
    middle = np.add(bottom_left, (root.width * root.unit / 2, root.height * root.unit / 2))
    share = (middle - first) @ np.linalg.inv(sides)
    if not ((share >= 0) & (share <= 1)).all():
        return None
    wx, wy = (first + surface.place @ sides).tolist()
    return wx, wy


def _on_screen(ui: Context, root: Root, x: float, y: float) -> tuple[float, float] | None:
    """Return the place in the world that the camera at a point of the picture shows on the layer of a screen."""
    region, layer = ui.region_at(x, y), layer_of(ui, root)
    if region is None or not _shows(region, layer):
        return None
    wx, wy = (region.world[0] - _parallax(ui, layer, region)).tolist()
    return wx, wy


def _bottom_left(ui: Context, root: Root) -> tuple[float, float] | None:
    """Return the place in the world of the lower left corner of a screen; None without a Transform."""
    row = ui.world.table(Transform).row_of(root.follow or root.entity)
    pose = ui.world[WorldMatrices].one(row) if row >= 0 else None
    left, bottom = corner(root)
    return None if pose is None else (pose[4] + left, pose[5] + bottom)


def _shows(region: Region, layer: str) -> bool:
    return region.layers is None or layer in region.layers


def _parallax(ui: Context, layer: str, region: Region) -> tuple[float, float]:
    """Return the shift of a layer by its parallax, world units."""
    declared = ui.world[LayerStack].declared.get(layer)
    if declared is None:
        return 0.0, 0.0
    parallax = layer_look(declared).parallax
    return (1 - parallax[0]) * region.center[0], (1 - parallax[1]) * region.center[1]

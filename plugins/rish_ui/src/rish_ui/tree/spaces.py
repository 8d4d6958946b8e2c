"""Screens in the world: their places, and conversion of the pointer's position into their units."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    region, world = ui.region_at(x, y), ui.world
    row = world.table(Transform).row_of(root.follow or root.entity)
    pose = world[WorldMatrices].one(row) if region is not None and row >= 0 else None
    if region is None or pose is None:
        return None
    layer = layer_of(ui, root)
    if region.layers is not None and layer not in region.layers:
        return None
    (left, bottom), (far_x, far_y) = corner(root), _parallax(ui, layer, region)
    wx, wy = region.world[0].tolist()
    return (
        (wx - pose[4] - left - far_x) / root.unit,
        root.height - (wy - pose[5] - bottom - far_y) / root.unit,
    )


def _parallax(ui: Context, layer: str, region: Region) -> tuple[float, float]:
    """Return the shift of a layer by its parallax, world units."""
    declared = ui.world[LayerStack].declared.get(layer)
    if declared is None:
        return 0.0, 0.0
    parallax = layer_look(declared).parallax
    return (1 - parallax[0]) * region.center[0], (1 - parallax[1]) * region.center[1]

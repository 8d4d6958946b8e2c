"""Screens in the world: where they are, and which point of them the pointer is on."""

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
    """Return where the lower left corner of a screen in the world is, seen from its entity, world units."""
    left = root.lift[0] - root.pivot[0] * root.width * root.unit
    return left, root.lift[1] - (1 - root.pivot[1]) * root.height * root.unit


def local(ui: Context, root: Root, x: float, y: float) -> tuple[float, float] | None:
    """Return a point of the picture (units, y up) as a point of a screen (units of it from the top left, y down).

    None if the screen is not to be seen at that point: the camera does not show its layer.
    """
    if not root.world:
        return x, root.height - y
    region, world = ui.region_at(x, y), ui.world
    row = world.table(Transform).row_of(root.follow or root.entity)
    place = world[WorldMatrices].one(row) if region is not None and row >= 0 else None
    if region is None or place is None:
        return None
    layer = layer_of(ui, root)
    if region.layers is not None and layer not in region.layers:
        return None
    (left, bottom), (far_x, far_y) = corner(root), _parallax(ui, layer, region)
    wx, wy = region.world[0].tolist()
    return (
        (wx - place[4] - left - far_x) / root.unit,
        root.height - (wy - place[5] - bottom - far_y) / root.unit,
    )


def _parallax(ui: Context, layer: str, region: Region) -> tuple[float, float]:
    """Return how far the camera's place moves what is on a layer, world units."""
    declared = ui.world[LayerStack].declared.get(layer)
    if declared is None:
        return 0.0, 0.0
    share = layer_look(declared).parallax
    return (1 - share[0]) * region.center[0], (1 - share[1]) * region.center[1]

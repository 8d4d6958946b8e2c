"""Picks widgets for tools, at their rectangles; containers and bases of screens are invisible and not found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Layers, Transform
from rish_frame import Hits, WorldMatrices

from ..components.screen import Widget
from ..tree.context import Context
from ..tree.spaces import corner, layer_of

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_frame import Region

    from ..tree.node import Root


def pick_widgets(world: World, region: Region) -> list[Hits]:
    """Return the widgets that a region touches, in the order in which they are drawn; see the hook `rish_pickers`."""
    ui = Context(world)
    order = list(world[Layers].order)
    touched: list[tuple[int, int, float]] = []
    for root in ui.state.ready(world).roots:
        layer = layer_of(ui, root)
        if not root.visible or root.layout is None or layer not in order or not (root.world or region.flat):
            continue
        box = _box(ui, root, region)
        if box is None or (root.world and region.layers is not None and layer not in region.layers):
            continue
        left, top, right, bottom = box
        for part in root.members:
            for node, _ in part:
                inside = node.x <= right and left <= node.x + node.w and node.y <= bottom and top <= node.y + node.h
                if inside and node.shown and node.kind.component is not None:
                    touched.append((node.entity, order.index(layer), root.z))
    if not touched:
        return []
    entities, layers, z = zip(*touched, strict=True)
    zeros = np.zeros(len(touched))
    return [Hits(Widget, np.array(entities, np.int64), np.array(layers), np.array(z, np.float64), zeros,
                 zeros.astype(np.int64))]  # fmt: skip


def _box(ui: Context, root: Root, region: Region) -> tuple[float, float, float, float] | None:
    """Return the extent of a region in units of a screen, y down: left, top, right and bottom; None if it is hidden."""
    points, unit, x, y = region.screen, ui.unit, 0.0, 0.0
    if root.world:
        row = ui.world.table(Transform).row_of(root.follow or root.entity)
        pose = ui.world[WorldMatrices].one(row) if row >= 0 else None
        if pose is None:
            return None
        left, bottom = corner(root)
        points, unit, x, y = region.world, root.unit, pose[4] + left, pose[5] + bottom
    (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return (x0 - x) / unit, root.height - (y1 - y) / unit, (x1 - x) / unit, root.height - (y0 - y) / unit

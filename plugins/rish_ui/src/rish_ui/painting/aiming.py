"""Moves the painting of a screen to the screen's place: over the picture, or in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tree.spaces import corner, layer_of

if TYPE_CHECKING:
    from rish_frame import Painting

    from ..tree.context import Context
    from ..tree.node import Root

_EDGE_STEPS = 8
"""The number of steps in a unit to which edges of screens in the world are rounded; their pixels depend on the
camera."""


def aim(painting: Painting, root: Root, ui: Context) -> None:
    """Set the layer and the place of a painting, and the entity that it follows."""
    painting.layer, painting.z = layer_of(ui, root), root.z
    if not root.world:
        painting.scale = ui.unit
        return
    painting.scale, painting.entity, painting.offset = root.unit, root.follow or root.entity, corner(root)


def density_of(root: Root, ui: Context) -> float:
    """Return the number of pixels in a unit of a screen."""
    return ui.density if not root.world else root.unit * _EDGE_STEPS

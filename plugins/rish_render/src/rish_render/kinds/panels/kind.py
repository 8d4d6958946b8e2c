"""The kind of panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ...drawables.kind import DrawableKind
from ...drawables.quads import anchored_boxes, quads
from ...drawables.touching import touch_unit
from .nine_patch import NinePatch, extract_nine_patches

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_frame import Hits

    from ...drawables.drawables import Things
    from ...drawables.extraction import Extraction
    from ...drawables.pick_scene import PickScene


class Panels(DrawableKind):
    """Images of any size in nine parts."""

    component, steady = NinePatch, True

    def extract(self, scene: Extraction) -> Sequence[Things]:
        """Return the parts of the panels that a view shows."""
        return scene.remembered("panels", NinePatch, scene.visible(NinePatch), extract_nine_patches)

    def pick(self, scene: PickScene) -> list[Hits]:
        """Return the panels whose rectangle a region touches."""
        seen = scene.visible(NinePatch)
        table = scene.world.table(NinePatch)
        quad = quads(seen.matrix, table.column("size")[seen.rows], table.column("anchor")[seen.rows])
        touched = touch_unit(scene.into(quad, seen.numbers)) & (table.column("opacity")[seen.rows] > 0)
        seen = seen.some(touched)
        return scene.hits(NinePatch, seen.rows, seen.numbers, seen.matrix[:, 5])

    def boxes(self, world: World, rows: Array) -> Array:
        """Return the rectangles of panels."""
        table = world.table(NinePatch)
        return anchored_boxes(table.column("size")[rows].astype(np.float64), table.column("anchor")[rows])

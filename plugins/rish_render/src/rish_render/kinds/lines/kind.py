"""The kind of lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ...drawables.kind import DrawableKind
from .line import Line

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_frame import Hits

    from ...drawables.drawables import Things
    from ...drawables.extraction import Extraction
    from ...drawables.pick_scene import PickScene


class Lines(DrawableKind):
    """Paths with a width, joints, caps and dashes."""

    component, steady = Line, True

    def extract(self, scene: Extraction) -> Sequence[Things]:
        """Return the lines that a view shows."""
        from .extract import extract_lines

        return extract_lines(scene, scene.visible(Line))

    def pick(self, scene: PickScene) -> list[Hits]:
        """Return the lines that a region touches; gaps between dashes count as well."""
        from .picking import pick_lines

        return pick_lines(scene)

    def boxes(self, world: World, rows: Array) -> Array:
        """Return the boxes around the points of lines, with their width."""
        from ..strokes.mesh import boxes_of_points

        table = world.table(Line)
        width = np.maximum(table.column("width")[rows], table.column("width_end")[rows])
        return boxes_of_points(table, rows, width)

"""The kind of shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rish_jit import Array

from ...components.visible import Shape
from ...drawables.kind import DrawableKind

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_frame import Hits

    from ...drawables.drawables import Things
    from ...drawables.extraction import Extraction
    from ...drawables.pick_scene import PickScene


class Shapes(DrawableKind):
    """Boxes, ellipses, polygons and simple lines."""

    component, steady = Shape, True

    def extract(self, scene: Extraction) -> Sequence[Things]:
        """Return the shapes that a view shows: boxes and ellipses, then those that are given by points."""
        from .extract import extract_shapes

        return extract_shapes(scene)

    def pick(self, scene: PickScene) -> list[Hits]:
        """Return the shapes that a region touches where they are drawn."""
        from .picking import pick_shapes

        return pick_shapes(scene)

    def boxes(self, world: World, rows: Array) -> Array:
        """Return the boxes around shapes with their outlines."""
        from .boxes import boxes_of_shapes

        return boxes_of_shapes(world, rows)

"""What is computed from single rows of `Shape`: it stays until the row is written, or seen at another size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rish_ecs import Inputs
from rish_jit import Array

from ...components.visible import Shape
from ...materials.material_images import Pictures
from ..strokes.mesh import Mesh

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction, Seen


@dataclass(frozen=True)
class Outline:
    """A shape in its own space: its rings float32 (n, 2), or the points of a line. key: equal for equal outlines."""

    rings: list[Array]
    key: tuple[Any, ...]


@dataclass(slots=True)
class RowParts:
    """The parts of one shape that were computed so far, None for the others.

    level: of the size of a pixel, see `pixel_levels`. polygon: the contour, and its triangles. picture: the mesh with
    an image, and the page of the image. stroke: the mesh of the outline, or of a line.
    """

    level: int
    outline: Outline | None = None
    polygon: tuple[Array, Array] | None = None
    picture: tuple[Mesh, int] | None = None
    stroke: Mesh | None = None


class ShapeParts:
    """The parts of the shapes that a view shows, by row.

    Without it, a frame of games/orchard, in which one of 60 polygons moves, takes 13 % longer.
    """

    def __init__(self) -> None:
        self._inputs = Inputs((Shape, Pictures))
        self._rows: dict[int, RowParts] = {}

    def of(self, scene: Extraction, seen: Seen, levels: Array) -> list[RowParts]:
        """Return the parts of visible rows. levels: int64 n, of `pixel_levels`."""
        changes = self._inputs.take(scene.world)
        if changes is not None:
            written = changes.of_table(Shape)
            if written is None or written.all:
                self._rows.clear()
            else:
                for row in written.rows.tolist():
                    self._rows.pop(row, None)
        parts = self._rows
        result: list[RowParts] = []
        for row, level in zip(seen.rows.tolist(), levels.tolist(), strict=True):
            each = parts.get(row)
            if each is None or each.level != level:
                each = parts[row] = RowParts(level)
            result.append(each)
        return result

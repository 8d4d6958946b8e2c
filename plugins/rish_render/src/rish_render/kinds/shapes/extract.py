"""Converts shapes to batches: rectangles and circles here; shapes that are given by points in `points`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Batch
from rish_jit import Array

from ...components.visible import Shape, ShapeForm
from ...drawables.drawables import BLENDS, Drawables, Things
from .kernels import write_boxes

if TYPE_CHECKING:
    from rish_ecs import World

    from ...drawables.extraction import Extraction, Seen


_KINDS = list(ShapeForm)
_LINE = _KINDS.index(ShapeForm.LINE)
_COLUMNS = (
    "shape", "radius", "size", "anchor", "corner_radius", "outline_width", "color", "color_end", "outline", "opacity",
    "z", "blend",
)  # fmt: skip


def is_pointed(scene: Extraction, seen: Seen) -> Array:
    """Return bool n: which shapes are given by points: polygons and lines, and all shapes with an image."""
    table = scene.world[Shape]
    return (table.shape[seen.rows] >= _LINE) | (table.image[seen.rows] > 0)


def extract_shapes(scene: Extraction) -> Sequence[Things]:
    """Return the drawables of rectangles and circles, then those of shapes that are given by points."""
    shapes = scene.visible(Shape)
    pointed = is_pointed(scene, shapes)
    if not np.count_nonzero(pointed):
        return scene.remembered("boxes", Shape, shapes, extract_boxes)
    from .points import extract_pointed

    boxes = scene.remembered("boxes", Shape, shapes.some(~pointed), extract_boxes)
    return [*boxes, *scene.remembered("pointed", Shape, shapes.some(pointed), extract_pointed)]


def extract_boxes(scene: Extraction, seen: Seen) -> list[Drawables]:
    """Return the drawables of rectangles and circles."""
    layer, z, height, state, arrays = _arrays_of(scene, seen)

    def make(some: Array | slice, state: int) -> Batch:
        cut = {name: array[some] for name, array in arrays.items()}
        return Batch("shapes", cut, blend=BLENDS[state], count=len(cut["kind"]), source="render")

    return [Drawables(layer, z, height, state, make)]


def _arrays_of(scene: Extraction, seen: Seen) -> tuple[Array, Array, Array, Array, dict[str, Array]]:
    """Return layer, z, height and blend mode of the boxes that touch the visible area, and the arrays of a batch."""
    table, count = scene.world.table(Shape), len(seen.rows)
    matrix, half = np.empty((count, 6), np.float32), np.empty((count, 2), np.float32)
    corner, line, z, height = (np.empty(count, np.float32) for _ in range(4))
    rgba, rgba2, edge = (np.empty(count, np.uint32) for _ in range(3))
    kind, layer, state = np.empty(count, np.uint8), np.empty(count, np.int64), np.empty(count, np.int64)
    bounds: Array = np.array([*scene.view.bounds, *scene.flat.bounds], np.float32)
    shown = write_boxes(
        seen.rows, (seen.matrix.reshape(-1), seen.numbers), tuple(map(table.flat, _COLUMNS)),
        (bounds, scene.stack.screen),
        (matrix.reshape(-1), half.reshape(-1), corner, line, kind, rgba, rgba2, edge, layer, z, height, state),
    )  # fmt: skip
    colors = {"rgba": rgba, "rgba2": rgba2, "edge": edge}
    arrays = {"matrix": matrix, "half": half, "corner": corner, "line": line, "kind": kind}
    arrays |= {name: words.view(np.uint8).reshape(-1, 4) for name, words in colors.items()}
    if shown < count:
        arrays = {name: array[:shown] for name, array in arrays.items()}
        layer, z, height, state = layer[:shown], z[:shown], height[:shown], state[:shown]
    return layer, z, height, state, arrays


def warm_up(world: World) -> None:
    """Call the kernel without boxes."""
    columns, none = tuple(map(world.table(Shape).flat, _COLUMNS)), np.zeros(0, np.float32)
    words, layers, flags = np.zeros(0, np.uint32), np.zeros(0, np.int64), np.zeros(0, np.bool_)
    out = none, none, none, none, np.zeros(0, np.uint8), words, words, words, layers, none, none, layers
    write_boxes(np.zeros(0, np.int32), (none, layers), columns, (none, flags), out)

"""Converts shapes to batches: rectangles and circles here; shapes that are given by points in `points`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rish_frame import Batch
from rish_jit import Array

from ...components.visible import Shape, ShapeForm
from ...drawables.drawables import BLENDS, Drawables, Things
from .box_arrays import BoxArrays

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction, Seen


_KINDS = list(ShapeForm)
_LINE = _KINDS.index(ShapeForm.LINE)


def is_pointed(scene: Extraction, seen: Seen) -> Array:
    """Return bool n: which shapes are given by points: polygons and lines, and all shapes with an image."""
    table = scene.world[Shape]
    return (table.shape[seen.rows] >= _LINE) | (table.image[seen.rows] > 0)


def extract_shapes(scene: Extraction) -> Sequence[Things]:
    """Return the drawables of rectangles and circles, then those of shapes that are given by points."""
    shapes = scene.visible(Shape)
    pointed = is_pointed(scene, shapes)
    things = scene.remembered("boxes", Shape, shapes.some(~pointed), extract_boxes)
    if pointed.any():
        from .points import extract_pointed

        return [*things, *scene.remembered("pointed", Shape, shapes.some(pointed), extract_pointed)]
    return things


def extract_boxes(scene: Extraction, seen: Seen) -> list[Drawables]:
    """Return the drawables of rectangles and circles."""
    boxes: BoxArrays = scene.cache.parts.setdefault(f"{scene.view.name} boxes", BoxArrays())
    arrays = boxes.of(scene, seen)
    arrays["height"], arrays["layer"] = seen.matrix[:, 5], seen.numbers
    shown = arrays.pop("shown")
    if not shown.all():
        arrays = {name: array[shown] for name, array in arrays.items()}
    layer, z, height, state = (arrays.pop(name) for name in ("layer", "z", "height", "state"))

    def make(some: Array | slice, state: int) -> Batch:
        cut = {name: array[some] for name, array in arrays.items()}
        return Batch("shapes", cut, blend=BLENDS[state], count=len(cut["kind"]), source="render")

    return [Drawables(layer, z, height, state, make)]

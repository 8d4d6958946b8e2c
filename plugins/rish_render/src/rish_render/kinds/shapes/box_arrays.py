"""The arrays of visible rectangles and circles: only those that were written or moved are computed again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Inputs
from rish_jit import Array

from ...components.visible import Shape, ShapeForm
from ...drawables.drawables import rgba_bytes
from ...drawables.quads import quads, reach_of

if TYPE_CHECKING:
    from rish_ecs import World

    from ...drawables.extraction import Extraction, Seen

Arrays = dict[str, Array]
_CIRCLE = list(ShapeForm).index(ShapeForm.CIRCLE)
_FEW = 500
"""Up to this number, all are computed again, which takes as long as finding those that changed."""


class BoxArrays:
    """The arrays of the boxes that a view shows, in the order of their rows.

    A frame in which one of 10,000 boxes changes takes twice as long if all are computed again (`box_changes_10000`).
    """

    def __init__(self) -> None:
        self._inputs = Inputs((Shape,))
        self._seen: Seen | None = None
        self._area: Any = None
        self._arrays: Arrays = {}

    def of(self, scene: Extraction, seen: Seen) -> Arrays:
        """Return the arrays of visible rows; `shown`, bool n, says which of them touch the visible area."""
        area = scene.stack, scene.view.bounds, scene.flat.bounds
        known = self._known(scene.world, seen) if area == self._area else np.full(len(seen.rows), -1)
        stale = known < 0
        if stale.all():
            arrays = box_arrays(scene, seen)
        else:
            arrays = {name: array.take(known, axis=0) for name, array in self._arrays.items()}
            for name, array in box_arrays(scene, seen.some(stale)).items() if stale.any() else ():
                arrays[name][stale] = array
        self._seen, self._area, self._arrays = seen, area, arrays
        return arrays.copy()

    def _known(self, world: World, seen: Seen) -> Array:
        """Return int64 n: the position in the former arrays of each row that is the same, -1 for the others."""
        changes, last, known = self._inputs.take(world), self._seen, np.full(len(seen.rows), -1)
        if last is None or len(known) <= _FEW or (changes is not None and changes[Shape].all):
            return known
        position = np.full(max(len(world[Shape]), int(last.rows.max(initial=0)) + 1), -1)
        position[last.rows] = np.arange(len(last.rows))
        if changes is not None:
            position[changes[Shape].rows] = -1
        known = position[seen.rows]
        moved = (last.matrix[known] != seen.matrix).any(axis=1) | (last.numbers[known] != seen.numbers)
        known[moved] = -1
        return known


def box_arrays(scene: Extraction, seen: Seen) -> Arrays:
    """Return the arrays of a batch of the kind `shapes` for visible rows, and `shown`."""
    rows, matrix, numbers = seen
    table = scene.world[Shape]
    circle = table.shape[rows] == _CIRCLE
    radius = table.radius[rows]
    size = np.where((circle & (radius > 0))[:, None], 2 * radius[:, None], table.size[rows])
    quad = quads(matrix, size, table.anchor[rows])
    across, up = np.hypot(matrix[:, 0], matrix[:, 1]), np.hypot(matrix[:, 2], matrix[:, 3])
    half = np.stack([np.hypot(quad[:, 0], quad[:, 1]), np.hypot(quad[:, 2], quad[:, 3])], axis=1)
    scale = np.minimum(across, up)
    opacity = table.opacity[rows]
    fill = table.color[rows].copy()
    fade = table.color_end[rows].copy()
    fade = np.where(fade[:, 3:] > 0, fade, fill)
    return {
        "shown": scene.seen(quad[:, 4:], reach_of(quad), numbers),
        "matrix": quad,
        "half": half * np.float32(0.5),
        "corner": table.corner_radius[rows] * scale,
        "line": table.outline_width[rows] * scale,
        "kind": circle.astype(np.uint8),
        "rgba": rgba_bytes(fill, opacity),
        "rgba2": rgba_bytes(fade, opacity),
        "edge": rgba_bytes(table.outline[rows].copy(), opacity),
    }

"""The arrays of visible rectangles and circles: what did not change is not computed again.

If all of them only move, their positions are computed. Otherwise those that were written or moved are computed again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_ecs import Inputs
from rish_jit import Array

from ...components.visible import Shape, ShapeForm
from ...drawables.colors import rgba_bytes
from ...drawables.drawables import same

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_ecs.derivations import InputChanges

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
        self._turned: TurnedBoxes | None = None

    def of(self, scene: Extraction, seen: Seen) -> Arrays:
        """Return the arrays of visible rows: those of a batch, `z` and `state`; `shown`, bool n, says which of them
        touch the visible area.
        """
        changes, turned, area = self._inputs.take(scene.world), self._turned, (scene.stack, scene.view, scene.flat)
        if changes is not None or turned is None or not turned.holds(seen):
            known = self._known(scene.world, seen, changes) if area == self._area else np.full(len(seen.rows), -1)
            stale = known < 0
            turned = turned_boxes(scene.world, seen.rows, seen.matrix) if stale.all() else None
            if turned is None:
                arrays = {name: array.take(known, axis=0) for name, array in self._arrays.items()}
                if stale.any():
                    some = seen.some(stale)
                    fresh = _arrays_of(scene, some, turned_boxes(scene.world, some.rows, some.matrix))
                    for name, array in fresh.items():
                        arrays[name][stale] = array
                self._seen, self._area, self._arrays, self._turned = seen, area, arrays, None
                return arrays.copy()
        arrays = _arrays_of(scene, seen, turned)
        self._seen, self._area, self._arrays, self._turned = seen, area, arrays, turned
        return arrays.copy()

    def _known(self, world: World, seen: Seen, changes: InputChanges | None) -> Array:
        """Return int64 n: the position in the former arrays of each row that is the same, -1 for the others."""
        last, known = self._seen, np.full(len(seen.rows), -1)
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


class TurnedBoxes(NamedTuple):
    """The values of n boxes that stay the same while they only move.

    rows, turn: what they were computed from: rows of the Shape table, and the first four numbers of the matrices.
    across, up: float32 (n, 2), the sides. to_center: what is added to the origins of the matrices, one after the other.
    reach: float32 (n, 2), how far they extend from their centers. z, state: of `Drawables`. arrays: those of a batch of
    the kind `shapes` without the matrices.
    """

    rows: Array
    turn: Array
    across: Array
    up: Array
    to_center: tuple[Array, Array]
    reach: Array
    z: Array
    state: Array
    arrays: Arrays

    def holds(self, seen: Seen) -> bool:
        """Return whether the same boxes have at most moved."""
        return same(self.rows, seen.rows) and same(self.turn, seen.matrix[:, :4])


def turned_boxes(world: World, rows: Array, matrix: Array) -> TurnedBoxes:
    """Return the values of boxes that do not depend on their positions. matrix: float32 (n, 6)."""
    table = world[Shape]
    circle = table.shape[rows] == _CIRCLE
    radius = table.radius[rows]
    size = np.where((circle & (radius > 0))[:, None], 2 * radius[:, None], table.size[rows])
    shift = np.float32(0.5) - table.anchor[rows]
    with np.errstate(over="ignore", invalid="ignore"):  # an infinite box is not drawn
        across, up = matrix[:, 0:2] * size[:, :1], matrix[:, 2:4] * size[:, 1:]
        to_center = across * shift[:, :1], up * shift[:, 1:]
    sides = np.hypot(across[:, 0], across[:, 1]), np.hypot(up[:, 0], up[:, 1])
    scale = np.minimum(np.hypot(matrix[:, 0], matrix[:, 1]), np.hypot(matrix[:, 2], matrix[:, 3]))
    opacity, fill, fade = table.opacity[rows], table.color[rows], table.color_end[rows]
    arrays = {
        "half": np.stack(sides, axis=1) * np.float32(0.5),
        "corner": table.corner_radius[rows] * scale,
        "line": table.outline_width[rows] * scale,
        "kind": circle.astype(np.uint8),
        "rgba": rgba_bytes(fill, opacity),
        "rgba2": rgba_bytes(np.where(fade[:, 3:] > 0, fade, fill), opacity),
        "edge": rgba_bytes(table.outline[rows], opacity),
    }
    reach = (np.abs(across) + np.abs(up)) * np.float32(0.5)
    state = table.blend[rows].astype(np.int64)
    return TurnedBoxes(rows, matrix[:, :4], across, up, to_center, reach, table.z[rows], state, arrays)


def _arrays_of(scene: Extraction, seen: Seen, boxes: TurnedBoxes) -> Arrays:
    """Return all arrays of visible boxes."""
    placed = np.empty_like(seen.matrix)
    placed[:, 0:2], placed[:, 2:4] = boxes.across, boxes.up
    with np.errstate(over="ignore", invalid="ignore"):
        placed[:, 4:] = seen.matrix[:, 4:] + boxes.to_center[0] + boxes.to_center[1]
    shown = scene.seen(placed[:, 4:], boxes.reach, seen.numbers)
    return {"shown": shown, "matrix": placed, "z": boxes.z, "state": boxes.state, **boxes.arrays}

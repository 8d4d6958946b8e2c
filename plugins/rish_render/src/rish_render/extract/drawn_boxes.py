"""Drawn boxes: the box around what each of some entities draws, for tools that outline, frame or stretch entities."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import Transform, world_matrices
from rish_frame import WorldMatrices
from rish_jit import Array

from ..components.visible import ShapeForm
from ..drawables.kind import DrawableKinds
from ..scene.stack import Stack

if TYPE_CHECKING:
    from rish_ecs import World

    from ..scene.view import View

_FORMS = list(ShapeForm)
_CIRCLE, _LINE = _FORMS.index(ShapeForm.CIRCLE), _FORMS.index(ShapeForm.LINE)


class DrawnBoxes(NamedTuple):
    """The boxes of n entities.

    local: float64 (n, 4), least x, least y, greatest x, greatest y in the space of each entity; NaN where it draws
    nothing. matrix: float64 (n, 6), from that space to the world, as it is drawn: between two ticks, and with the
    parallax of the entity's layer. screen: bool n, whether it is on a layer in screen space; its matrix then gives
    logical pixels of the screen, y up.
    """

    local: Array
    matrix: Array
    screen: Array

    @property
    def drawn(self) -> Array:
        """bool n: which entities draw something."""
        return np.isfinite(self.local[:, 0])

    @property
    def corners(self) -> Array:
        """float64 (n, 4, 2): the corners of the boxes, counter-clockwise from the lower left one."""
        x, y = self.local[:, [0, 2, 2, 0]], self.local[:, [1, 1, 3, 3]]
        a, b, c, d, tx, ty = (self.matrix[:, k, None] for k in range(6))
        return np.stack([a * x + c * y + tx, b * x + d * y + ty], axis=-1)


def drawn_boxes(world: World, entities: npt.ArrayLike, view: View | None = None) -> DrawnBoxes:
    """Return the boxes around what entities draw with sprites, shapes, lines, panels, texts and tile maps.

    entities: int n; those without a Transform have the matrix of the world. view: where the camera is that sees them;
    it matters to layers with parallax. Invisible components count as well. The result must not become state.
    """
    handles = np.asarray(entities, np.int64).reshape(-1)
    local = np.full((len(handles), 4), np.nan)
    screen, parallax = np.zeros(len(handles), np.bool_), np.ones((len(handles), 2))
    matrix = _matrices(world, handles)
    stack: Stack = world[Stack]
    layered = np.zeros(len(handles), np.bool_)
    for kind in world[DrawableKinds].used(world):
        table = world.tables.get(kind.component)
        if table is None:
            continue
        rows = table.rows_of(handles)
        which = np.flatnonzero(rows >= 0)
        box = kind.boxes(world, rows[which]) if len(which) else None
        if box is None:
            continue
        local[which, :2] = np.fmin(local[which, :2], box[:, :2])
        local[which, 2:] = np.fmax(local[which, 2:], box[:, 2:])
        first = which[~layered[which]]
        numbers = stack.numbers(world, table.column("layer")[rows[first]], handles[first])
        screen[first], parallax[first] = stack.screen[numbers], stack.parallax[numbers]
        layered[first] = True
    if view is not None:
        matrix[:, 4:] += np.where(screen[:, None], 0.0, (1 - parallax) * np.array(view.center))
    return DrawnBoxes(local, matrix, screen)


def _matrices(world: World, handles: Array) -> Array:
    """Return the matrices of entities as they are drawn; those that were added since the last frame as they are."""
    places = world.table(Transform).rows_of(handles)
    matrix = np.tile(np.array([1.0, 0, 0, 1, 0, 0]), (len(handles), 1))
    there = places >= 0
    if there.any():
        poses: WorldMatrices = world[WorldMatrices]
        rows = places[there]
        matrix[there] = poses.rows(rows) if poses.knows(rows) else world_matrices(world)[rows]
    return matrix

"""Group: the entities that a gizmo of a tool changes together, their poses, and the pivot that they turn around."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform
from rish_jit import Array

from ...ui.widgets.base import Failure
from ..entity_group import EntityGroup
from ..failures import fail
from .entity_poses import into, out_of, roots, world_poses

if TYPE_CHECKING:
    from rish_render import DrawnBoxes

    from .draw import SceneDraw

Point = tuple[float, float]
_POSE = ("position", "rotation", "scale")


@dataclass
class Group(EntityGroup):
    """Selected entities without those whose parents are selected too, as they were when a drag began.

    handles: int64 n. position, rotation, scale: of their Transforms, float64. parent: matrices of their parents,
    float64 (n, 6). matrix: their own in the world. boxes: around what they draw. pivot: drawn position of the gizmo,
    units. angle: of its axes, radians.
    """

    kind = Transform
    handles: Array
    position: Array
    rotation: Array
    scale: Array
    parent: Array
    matrix: Array
    boxes: DrawnBoxes
    pivot: Point
    angle: float

    @property
    def shift(self) -> Array:
        """The offset between the drawn and the real position of each entity, because of the parallax of its layer,
        float64 (n, 2)."""
        return self.boxes.matrix[:, 4:] - self.matrix[:, 4:]

    @property
    def axes(self) -> tuple[Point, Point]:
        """The directions of the gizmo's axes."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return (cos, sin), (-sin, cos)

    def moved(self, ways: Array | Point) -> Array:
        """Return the positions of the Transforms after displacements in the world, (2,) or (n, 2)."""
        return self.position + into(self.parent, np.broadcast_to(np.asarray(ways, np.float64), (len(self), 2)))

    def moved_within(self, ways: Array) -> Array:
        """Return the positions of the Transforms after displacements (n, 2) in the entities' own spaces."""
        return self.moved(out_of(self.matrix, ways))

    def step(self, fine: float) -> float:
        """Convert a length in the world to the space of the parent in which it is shortest."""
        return fine / max(float(np.hypot(self.parent[:, [0, 2]], self.parent[:, [1, 3]]).max()), 1e-9)

    def around(self, linear: Array) -> Array:
        """Return the displacements (n, 2) in the world of the positions when a matrix (2, 2) is applied around the
        pivot."""
        arm = self.boxes.matrix[:, 4:] - self.pivot
        return arm @ linear.T - arm

    def stretched(self, linear: Array) -> Array:
        """Return the factors (n, 2) by which a matrix (2, 2) of the world lengthens the entities' own axes."""
        before = self.matrix[:, :4].reshape(-1, 2, 2)
        after = before @ linear.T
        length = np.linalg.norm(before, axis=2)
        return np.where(length > 0, np.linalg.norm(after, axis=2) / np.where(length > 0, length, 1.0), 1.0)


def group_of(scene: SceneDraw) -> Group | None:
    """Return the group of the selection in this view; None if nothing is selected that can be moved here.

    It is computed again only if the selection, the World or the view has changed.
    """
    view = scene.editor.view
    return scene.cached("group", (view.local, view.pivot), lambda: _group(scene, *scene.selected()))


def _group(scene: SceneDraw, handles: Array, boxes: DrawnBoxes) -> Group | None:
    world, view = scene.world, scene.editor.view
    game = scene.editor.game
    assert game is not None
    here = (boxes.screen == scene.flat) & np.isin(handles, roots(world, handles)) & ~game.spawned.fixed(handles)
    for cls, drawer in scene.editor.gizmos:
        placed = getattr(drawer, "places", None)
        if placed is not None and drawer not in scene.editor.failed_drawers:
            try:
                here &= ~placed(world, handles)
            except Failure as error:
                fail(scene.editor, cls, drawer, error)
    if not here.any():
        return None
    handles = handles[here]
    boxes = type(boxes)(*(part[here] for part in boxes))
    table = world.table(Transform)
    rows = table.rows_of(handles)
    position, rotation, scale = (table.column(name)[rows].astype(np.float64) for name in _POSE)
    matrix = world_poses(world, handles)
    parent = world_poses(world, table.column("parent")[rows])
    places = boxes.matrix[:, 4:]
    pivot = places[-1] if view.pivot == "primary" else places.mean(axis=0)
    angle = math.atan2(matrix[-1, 1], matrix[-1, 0]) if view.local else 0.0
    return Group(
        handles, position, rotation, scale, parent, matrix, boxes, (float(pivot[0]), float(pivot[1])), angle
    )  # fmt: skip

"""Occluders: the outlines of entities that cast shadows, as edges.

The outlines are computed once in the local space of each entity and then transformed. In the tick they are published
as `Edges` of the source `lighting`, for particles, line of sight and physics. For shadows they are transformed with
the interpolated poses between two ticks, as the frame shows them.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Edges, Stage, Transform, publish_edges, resource, system, world_matrices
from rish_ecs import RishError
from rish_frame import ImageMask, WorldMatrices
from rish_jit import Array, maths

from ..components.light import Occluder, OccluderShape
from .outlines import outlines_of

if TYPE_CHECKING:
    from rish_core import World
    from rish_ecs import Table

SOURCE = "lighting"
_log = logging.getLogger("rish.lighting")
_NO_POSES = b""
_ROUND = 32
"""The number of sides of a circle."""


@dataclass
class Outlines:
    """Edges in the local space of their occluders.

    entities: int64 k, the occluders. which: int64 n, the index of each edge's occluder in `entities`. edges: float64
    (n, 4). mask: int32 n. two_sided: bool n, whether an edge blocks from both sides.
    """

    entities: Array
    which: Array
    edges: Array
    mask: Array
    two_sided: Array

    @property
    def owner(self) -> Array:
        """The occluder of each edge, int64 n."""
        return self.entities[self.which]

    def placed(self, matrices: Array) -> Array:
        """Return the edges in the world, float32 (n, 4). matrices: of the occluders, float32 (k, 6).

        The edges of a mirrored occluder are reversed, so that the solid side stays on the left.
        """
        a, b, c, d, x, y = matrices.astype(np.float64)[self.which].T
        x0, y0, x1, y1 = self.edges.T
        begin = np.stack([a * x0 + c * y0 + x, b * x0 + d * y0 + y], axis=1)
        end = np.stack([a * x1 + c * y1 + x, b * x1 + d * y1 + y], axis=1)
        mirrored = (a * d - b * c < 0)[:, None]
        edges_in_world = np.concatenate([np.where(mirrored, end, begin), np.where(mirrored, begin, end)], axis=1)
        return edges_in_world.astype(np.float32)


@resource(derived=True)
class Occluders:
    """The outlines of all occluders, and the values that they were computed from.

    poses: the poses of occluders without parents when `Edges` was last written. shown: the matrices and the edges of
    the last frame.
    """

    outlines: Any = None
    stamp: tuple[Any, ...] = ()
    images: dict[Any, Any] = dataclass_field(default_factory=dict[Any, Any])
    poses: Any = None
    shown: Any = None
    warned: set[str] = dataclass_field(default_factory=set[str])

    def rebuild(self, world: World) -> None:
        """Discard everything after a restore, so that it is computed again."""
        self.outlines = self.poses = self.shown = None
        self.stamp = ()

    def of(self, world: World) -> Outlines:
        """Return the current outlines; they are computed again if an occluder changed."""
        query = world.query(Occluder, Transform)
        table = world.table(Occluder)
        stamp = (table.version, world.table(Transform).membership, len(query))
        if self.outlines is None or stamp != self.stamp:
            self.stamp, self.poses, self.shown = stamp, None, None
            self.outlines = _outlines(world, self, table, query.rows(Occluder), query.entities)
        return self.outlines


@system(Stage.UPDATE, reads=(Occluder, Transform), writes=(Edges, Occluders), after="*.*", name="publish", derive=True)
def publish_occluders(world: World, dt: float) -> None:
    """Publish the edges of occluders if they have moved (system `lighting.publish`)."""
    memory = world[Occluders]
    if not len(world.table(Occluder)) and memory.poses == _NO_POSES:
        return
    outlines: Outlines = memory.of(world)
    rows, poses = _poses(world, outlines)
    if poses is not None and poses == memory.poses:
        return
    memory.poses = poses
    edges = outlines.placed(world_matrices(world)[rows])
    if _is_published(world, edges, outlines):
        return
    columns = {name: np.ascontiguousarray(edges[:, k]) for k, name in enumerate(("x0", "y0", "x1", "y1"))}
    publish_edges(world, SOURCE, **columns, owner=outlines.owner, mask=outlines.mask)


def _is_published(world: World, edges: Array, outlines: Outlines) -> bool:
    """Return True if `Edges` already has these edges. The table is compared, because a restore may have changed it."""
    table = world[Edges]
    ours = table.source == world.intern(SOURCE)
    published = np.stack([getattr(table, name)[ours] for name in ("x0", "y0", "x1", "y1")], axis=1)
    return (
        np.array_equal(published, edges)
        and np.array_equal(table.owner[ours], outlines.owner)
        and np.array_equal(table.mask[ours], outlines.mask)
    )


def _poses(world: World, outlines: Outlines) -> tuple[Array, bytes | None]:
    """Return the rows of the occluders in the table of Transforms, and the bytes of their poses; None if any occluder
    has a parent.
    """
    table = world.table(Transform)
    rows = table.rows_of(outlines.entities)
    if table.column("parent")[rows].any():
        return rows, None
    return rows, b"".join(table.column(name)[rows].tobytes() for name in ("position", "rotation", "scale"))


def shown_edges(world: World) -> tuple[Outlines, Array]:
    """Return the outlines and their edges in this frame, float32 (n, 4); the same array while no occluder moves."""
    memory = world[Occluders]
    outlines: Outlines = memory.of(world)
    matrices = world[WorldMatrices].rows(world.table(Transform).rows_of(outlines.entities))
    if memory.shown is None or not np.array_equal(memory.shown[0], matrices):
        memory.shown = (matrices.copy(), outlines.placed(matrices))
    return outlines, memory.shown[1]


def _outlines(world: World, memory: Occluders, table: Table, rows: Array, entities: Array) -> Outlines:
    parts: list[Array] = []
    counts: list[int] = []
    for row, entity in zip(rows.tolist(), entities.tolist(), strict=True):
        edges = _edges_of(world, memory, table, row, entity)
        parts.append(edges)
        counts.append(len(edges))
    which = np.repeat(np.arange(len(counts)), counts)
    row_of = np.asarray(rows, np.int64)[which]
    edges = np.concatenate(parts) if parts else np.zeros((0, 4))
    line = table.column("shape")[row_of] == list(OccluderShape).index(OccluderShape.LINE)
    two_sided = (line & ~table.column("one_sided")[row_of]) | table.column("self_shadow")[row_of]
    return Outlines(
        np.array(entities, np.int64), which, edges, table.column("mask")[row_of].astype(np.int32), two_sided
    )


def _edges_of(world: World, memory: Occluders, table: Table, row: int, entity: int) -> Array:
    """Return the edges of one occluder in its local space, float64 (k, 4)."""
    shape = table.read_row("shape", row)
    offset = np.asarray(table.column("offset")[row], np.float64)
    width, height = (float(side) for side in table.column("size")[row])
    if shape is OccluderShape.BOX:
        loops = [np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)]
    elif shape is OccluderShape.CIRCLE:
        turn = np.arange(_ROUND) * (2 * np.pi / _ROUND)
        radius = float(table.column("radius")[row])
        width, height = (2 * radius, 2 * radius) if radius > 0 else (width, height)
        loops = [np.stack([maths.cos(turn) * width / 2, maths.sin(turn) * height / 2], axis=1)]
    elif shape is OccluderShape.IMAGE:
        loops = _of_image(world, memory, table, row, entity, (width, height))
    else:
        points = np.asarray(table.read_row("points", row), np.float64).reshape(-1, 2)
        if not np.isfinite(points).all() or len(points) < 2:
            return np.zeros((0, 4))
        if shape is OccluderShape.LINE:
            return np.concatenate([points[:-1], points[1:]], axis=1) + np.tile(offset, 2)
        loops = [points if _area(points) >= 0 else points[::-1]]
    edges = [np.concatenate([loop, np.roll(loop, -1, axis=0)], axis=1) for loop in loops]
    return np.concatenate(edges) + np.tile(offset, 2) if edges else np.zeros((0, 4))


def _area(points: Array) -> float:
    """Return twice the area inside a closed line (shoelace formula); negative if it runs clockwise."""
    x, y = points.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def _of_image(
    world: World, memory: Occluders, table: Table, row: int, entity: int, size: tuple[float, float]
) -> list[Array]:
    """Return the outlines of an image, relative to its center; an empty list if the image cannot be loaded, which is
    logged once.
    """
    image = table.read_row("image", row)
    threshold = int(table.column("threshold")[row])
    try:
        mask = world[ImageMask].of(image)
    except RishError as error:
        if image not in memory.warned:
            memory.warned.add(image)
            _log.warning("entity %d: its Occluder takes its outline from an image: %s", entity, error)
        return []
    key = (image, threshold)
    cached = memory.images.get(key)
    if cached is None or cached[0] is not mask:
        cached = memory.images[key] = (mask, outlines_of(mask, threshold))
    high, wide = mask.shape
    scale = np.array([size[0] / wide if size[0] > 0 else 1.0, size[1] / high if size[1] > 0 else 1.0])
    return [(loop - (wide / 2, high / 2)) * scale for loop in cached[1]]

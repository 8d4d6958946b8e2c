"""Occluders: the outlines of entities that cast shadows, as edges.

The outlines are computed once in the local space of each entity and then transformed. In the tick they are published
as `Edges` of the source `lighting`, for particles, line of sight and physics. For shadows they are transformed with
the interpolated poses between two ticks, as the frame shows them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field as dataclass_field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_assets import LogOnce
from rish_core import Disabled, Edges, Stage, Transform, derived, publish_edges, resource, system, world_matrices
from rish_ecs import Inputs, RishError, Rows
from rish_frame import ImageMask, WorldMatrices
from rish_jit import Array, maths

from ..components.light import Occluder, OccluderShape
from .outlines import outlines_of

if TYPE_CHECKING:
    from rish_core import World
    from rish_ecs import Table

SOURCE = "lighting"
_ROUND = 32
"""The number of sides of a circle."""
_NO_EDGES: Array = np.zeros((0, 4))
_MAX_IMAGES = 256
"""The number of images whose outlines are kept."""


@derived(reads=(Occluder, ImageMask))
class OutlinesByRow:
    """The edges of each row of Occluder in the local space of its entity, float64 (k, 4). unreadable: the message for
    each image that has no outline.
    """

    edges: list[Array] = []
    unreadable: dict[str, str] = {}

    def compute(self, world: World) -> None:
        """Compute the edges of all rows."""
        self._fill(world, range(len(world.table(Occluder))))

    def patch(self, world: World, changes: Any) -> bool:
        """Compute the edges of the rows that changed."""
        if self.unreadable:
            return False
        del self.edges[len(world.table(Occluder)) :]
        self._fill(world, changes[Occluder].rows.tolist())
        return True

    def _fill(self, world: World, rows: Iterable[int]) -> None:
        table = world.table(Occluder)
        self.edges += [_NO_EDGES] * (len(table) - len(self.edges))
        for row in rows:
            try:
                self.edges[row] = _edges_of(world, table, row)
            except RishError as error:
                self.edges[row] = _NO_EDGES
                message = f"entity {table.entities[row]}: its Occluder takes its outline from an image: {error}"
                self.unreadable.setdefault(table.read_row("image", row), message)


@derived(reads=(OutlinesByRow, Occluder, Rows(Transform), Disabled))
class Outlines:
    """Edges in the local space of their occluders.

    entities: int64 k, the occluders. which: int64 n, the index of each edge's occluder in `entities`. edges: float64
    (n, 4). mask: int32 n. two_sided: bool n, whether an edge blocks from both sides.
    """

    entities: Array = np.zeros(0, np.int64)
    which: Array = np.zeros(0, np.int64)
    edges: Array = np.zeros((0, 4))
    mask: Array = np.zeros(0, np.int32)
    two_sided: Array = np.zeros(0, np.bool_)

    def compute(self, world: World) -> None:
        """Join the outlines of all occluders with a Transform."""
        query, table, outlines = world.query(Occluder, Transform), world.table(Occluder), world[OutlinesByRow].edges
        rows, self.entities = query.rows(Occluder), query.entities.copy()
        parts = [outlines[row] for row in rows.tolist()]
        self.which = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        self.edges = np.concatenate(parts) if parts else self.edges
        row_of = np.asarray(rows, np.int64)[self.which]
        line = table.column("shape")[row_of] == list(OccluderShape).index(OccluderShape.LINE)
        self.two_sided = (line & ~table.column("one_sided")[row_of]) | table.column("self_shadow")[row_of]
        self.mask = table.column("mask")[row_of].astype(np.int32)

    def rows(self, world: World) -> Array:
        """Return the rows of the occluders in the table of Transforms, int32 k."""
        return world.table(Transform).rows_of(self.entities)

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


@derived(reads=(Outlines, Transform))
class OccluderPoses:
    """The poses of all occluders in the tick: the columns of Transform, or the matrices if any has a parent."""

    columns: tuple[Array, ...] = ()

    def compute(self, world: World) -> None:
        """Select the poses."""
        rows, table = world[Outlines].rows(world), world.table(Transform)
        if table.column("parent")[rows].any():
            self.columns = (world_matrices(world, rows),)
        else:
            self.columns = tuple([table.column(name)[rows] for name in ("position", "rotation", "scale")])


@derived(reads=(Outlines, WorldMatrices, Rows(Transform)))
class ShownMatrices:
    """The matrices of all occluders in the frame, between two ticks, float32 (k, 6)."""

    matrices: Array = np.zeros((0, 6), np.float32)

    def compute(self, world: World) -> None:
        """Select the matrices."""
        self.matrices = world[WorldMatrices].rows(world[Outlines].rows(world))


_SOURCES = (OutlinesByRow, Outlines, OccluderPoses, Edges)


@resource(derived=True)
class Publishing:
    """What the edges were last published from. log: reports unreadable images once."""

    inputs: Inputs = dataclass_field(default_factory=lambda: Inputs(_SOURCES))
    log: LogOnce = dataclass_field(default_factory=lambda: LogOnce("rish.lighting"))


def _any_edge(world: World) -> bool:
    return len(world.table(Occluder)) > 0 or len(world[Edges]) > 0


@system(
    Stage.UPDATE, reads=(Occluder, Transform), writes=(Edges, Publishing), after="*.*", name="publish", derive=True,
    marks=True, run_if=_any_edge,
)  # fmt: skip
def publish_occluders(world: World, dt: float) -> None:
    """Publish the edges of occluders if they have moved (system `lighting.publish`)."""
    publishing = world[Publishing]
    if not publishing.inputs.changed(world):
        return
    outlines = world[Outlines]
    for image, line in world[OutlinesByRow].unreadable.items():
        publishing.log(line, key=image)
    edges = outlines.placed(world_matrices(world, outlines.rows(world)))
    owner = outlines.entities[outlines.which]
    if _is_published(world, edges, owner, outlines.mask):
        return
    columns = {name: np.ascontiguousarray(edges[:, k]) for k, name in enumerate(("x0", "y0", "x1", "y1"))}
    publish_edges(world, SOURCE, **columns, owner=owner, mask=outlines.mask)


def _is_published(world: World, edges: Array, owner: Array, mask: Array) -> bool:
    """Return True if `Edges` already has these edges; publishing them again would change the order of its rows."""
    table = world[Edges]
    ours = table.source == world.intern(SOURCE)
    published = np.stack([getattr(table, name)[ours] for name in ("x0", "y0", "x1", "y1")], axis=1)
    return (
        np.array_equal(published, edges)
        and np.array_equal(table.owner[ours], owner)
        and np.array_equal(table.mask[ours], mask)
    )


def _edges_of(world: World, table: Table, row: int) -> Array:
    """Return the edges of one occluder in its local space, float64 (k, 4). Raises RishError for an unreadable image."""
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
        loops = _of_image(world, table, row, (width, height))
    else:
        points = np.asarray(table.read_row("points", row), np.float64).reshape(-1, 2)
        if not np.isfinite(points).all() or len(points) < 2:
            return _NO_EDGES
        if shape is OccluderShape.LINE:
            return np.concatenate([points[:-1], points[1:]], axis=1) + np.tile(offset, 2)
        loops = [points if _area(points) >= 0 else points[::-1]]
    edges = [np.concatenate([loop, np.roll(loop, -1, axis=0)], axis=1) for loop in loops]
    return np.concatenate(edges) + np.tile(offset, 2) if edges else _NO_EDGES


def _area(points: Array) -> float:
    """Return twice the area inside a closed line (shoelace formula); negative if it runs clockwise."""
    x, y = points.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def _of_image(world: World, table: Table, row: int, size: tuple[float, float]) -> list[Array]:
    """Return the outlines of an image, relative to its center."""
    mask = world[ImageMask].of(table.read_row("image", row))
    high, wide = mask.shape
    scale = np.array([size[0] / wide if size[0] > 0 else 1.0, size[1] / high if size[1] > 0 else 1.0])
    loops = _loops(mask.tobytes(), wide, int(table.column("threshold")[row]))
    return [(loop - (wide / 2, high / 2)) * scale for loop in loops]


@lru_cache(_MAX_IMAGES)
def _loops(opacity: bytes, wide: int, threshold: int) -> list[Array]:
    return outlines_of(np.frombuffer(opacity, np.uint8).reshape(-1, wide), threshold)

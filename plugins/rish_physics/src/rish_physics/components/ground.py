"""The edges that other plugins publish, as the chains of static ground.

A crate whose Occluder casts a shadow has that outline beside its collider, and would collide with itself. So edges
whose owner has a Body are left out.
"""

from __future__ import annotations

import numpy as np

from rish_core import Edges, World, derived
from rish_ecs import Rows
from rish_jit import Array

from .bodies import Body

SOURCE = "physics"
"""The source of the edges that this plugin publishes."""
GROUND_FRICTION = 0.6
"""The friction of edges of other plugins."""
_COLUMNS = ("x0", "y0", "x1", "y1", "owner", "mask")


@derived(reads=Edges)
class ForeignEdges:
    """The columns of the edges of other sources; an empty tuple if there are none."""

    columns: tuple[Array, ...] = ()

    def compute(self, world: World) -> None:
        """Select the rows."""
        edges = world[Edges]
        rows = np.flatnonzero(edges.column("source") != world.intern(SOURCE))
        self.columns = tuple([edges.column(name)[rows] for name in _COLUMNS]) if len(rows) else ()


@derived(reads=(ForeignEdges, Rows(Body)))
class GroundEdges:
    """The columns of the edges of other sources whose owner has no Body; an empty tuple if there are none."""

    columns: tuple[Array, ...] = ()

    def compute(self, world: World) -> None:
        """Select the rows."""
        foreign = world[ForeignEdges].columns
        rows = np.flatnonzero(world.table(Body).rows_of(foreign[4]) < 0) if foreign else ()
        self.columns = tuple([column[rows] for column in foreign]) if len(rows) else ()


@derived(reads=GroundEdges)
class GroundChains:
    """The edges of other plugins that are ground, as n segments of chains.

    points: float64 (n, 4, 2), units: the far end of the edge before, both ends, the far end of the edge after; the
    solid side is on the left. owners: int64 n, 0 for none. categories: int32 n. They have the friction
    `GROUND_FRICTION` and do not bounce. Edges that are not finite or have no length are left out.
    """

    points: Array = np.zeros((0, 4, 2))
    owners: Array = np.zeros(0, np.int64)
    categories: Array = np.zeros(0, np.int32)

    def compute(self, world: World) -> None:
        """Link the edges to chains."""
        columns = world[GroundEdges].columns
        if not columns:
            return
        *ends, owners, categories = columns
        points = chains_of(np.column_stack(ends))
        sound = np.isfinite(points).all(axis=(1, 2)) & (points[:, 1] != points[:, 2]).any(axis=1)
        self.points, self.owners, self.categories = points[sound], owners[sound], categories[sound]


def chains_of(edges: Array) -> Array:
    """Return ghost, first, second, ghost of each edge (n, 4), float64 (n, 4, 2); the solid side is on its left.

    An edge's neighbor is the first one that begins where it ends. At an open end the ghost is the other end of the
    edge itself.
    """
    edge_rows = np.asarray(edges, np.float32).reshape(-1, 4)
    start, end = edge_rows[:, :2], edge_rows[:, 2:]
    points = np.stack([end, start, end, start], axis=1).astype(np.float64)
    if not len(edge_rows):
        return points
    starts, ends = _keys(start), _keys(end)
    order = np.argsort(starts, kind="stable")
    place = np.searchsorted(starts[order], ends)
    index = np.minimum(place, len(order) - 1)
    joined = starts[order][index] == ends
    following = order[index]
    points[joined, 3] = end[following[joined]]
    points[following[joined], 0] = start[joined]
    return points


def _keys(points: Array) -> Array:
    """Return a number for each position, uint64 (n,): equal positions have equal numbers, and -0 equals 0."""
    bits = (np.ascontiguousarray(points, np.float32) + np.float32(0)).view(np.uint32).astype(np.uint64)
    return (bits[:, 0] << np.uint64(32)) | bits[:, 1]

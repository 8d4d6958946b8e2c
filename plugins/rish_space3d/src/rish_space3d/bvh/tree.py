"""`Bvh`: the tree of boxes and its queries."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import UsageError
from rish_jit import Array, Ready

from .building import BINS, SIZE, STACK, WIDE, build_nodes, fit_boxes
from .casting import cast_all, cast_nearest
from .reference import plain_distances, plain_touching
from .regions import find_touching

F32 = np.float32
LITTLE = 20_000
"""Up to this number of pairs of queries and boxes, numpy compares all of them."""
MUCH = 2_000_000
"""Up to this number of pairs numpy takes over while the kernels are compiled; more work waits for them."""
_LARGEST = np.finfo(F32).max
_EMPTY = np.array([np.inf, np.inf, np.inf, -np.inf, -np.inf, -np.inf], F32)


class Hits(NamedTuple):
    """The hits of rays, sorted by ray, distance and box. rays, boxes: int32 (k,), numbers. distances: float32 (k,)."""

    rays: Array
    boxes: Array
    distances: Array


class Bvh:
    """A tree over axis-aligned boxes, for many rays and regions.

    boxes: float32 (n, 6), the lowest x y z and the highest. A box with NaN, or whose lowest exceeds its highest, is
    empty: nothing finds it. Boxes are closed, so touching counts, and may be infinite. The tree itself is built at the
    first query that needs it. Results depend only on the boxes, not on the tree. Raises UsageError for another
    shape.
    """

    def __init__(self, boxes: npt.ArrayLike) -> None:
        self._boxes = _checked(boxes)
        self._built = self._fitted = False
        self._links: Array = np.zeros(0, np.int32)
        self._nodes = 0
        self._node_boxes = np.zeros(0, F32)
        self._stack, self._waiting = np.zeros(STACK, np.int32), np.zeros(STACK, F32)
        self._entries = np.zeros(WIDE, F32)

    def __len__(self) -> int:
        return len(self._boxes)

    def refit(self, boxes: npt.ArrayLike) -> None:
        """Replace the boxes by as many others, float32 (n, 6). The tree keeps its structure and only its boxes change.

        Queries stay correct; they are fast as long as boxes near each other stay so. Raises UsageError for another
        number of boxes.
        """
        new_boxes = _checked(boxes)
        if len(new_boxes) != len(self._boxes):
            message = f"a tree of {len(self._boxes)} boxes can't be refitted to {len(new_boxes)}"
            raise UsageError(message, hint="Make a new Bvh if boxes were added or removed")
        self._boxes, self._fitted = new_boxes, False

    def nearest(self, origins: npt.ArrayLike, directions: npt.ArrayLike, reach: Any = np.inf) -> tuple[Array, Array]:
        """Return the first box that each ray hits, int32 (n,), -1 for none, and its distance, float32, inf for none.

        origins, directions: (n, 3). Distances are multiples of the direction's length; 0 if the ray starts inside.
        reach: the largest distance, one or (n,). A ray with NaN, an infinite number, a direction of 0 or a negative
        reach hits nothing. Of boxes at the same distance the one with the lowest number is returned.
        """
        rays, limits = _rays(origins, directions, reach)
        if self._little(len(rays)):
            distances = plain_distances(rays, limits, self._boxes)
            if not distances.size:
                return np.full(len(rays), -1, np.int32), np.full(len(rays), np.inf, F32)
            items = np.argmin(distances, axis=1).astype(np.int32)
            distances_found = distances[np.arange(len(rays)), items]
            return np.where(distances_found < np.inf, items, np.int32(-1)).astype(np.int32), distances_found
        items, distances_found = np.empty(len(rays), np.int32), np.empty(len(rays), F32)
        work = (self._stack, self._waiting, self._entries)
        cast_nearest(rays.reshape(-1), limits, *self.nodes(), *work, items, distances_found)
        return items, distances_found

    def all_hits(self, origins: npt.ArrayLike, directions: npt.ArrayLike, reach: Any = np.inf) -> Hits:
        """Return all boxes that rays hit. The arguments are those of `nearest`."""
        rays, limits = _rays(origins, directions, reach)
        if self._little(len(rays)):
            distances = plain_distances(rays, limits, self._boxes)
            pairs = np.argwhere(distances < np.inf).astype(np.int32)
            lengths = distances[pairs[:, 0], pairs[:, 1]]
        else:
            tree, room = self.nodes(), 4 * len(rays)
            while True:
                flat, lengths = np.empty(2 * room, np.int32), np.empty(room, F32)
                total = int(cast_all(rays.reshape(-1), limits, *tree, self._stack, self._entries, flat, lengths))
                if total <= room:
                    break
                room = total
            pairs, lengths = flat.reshape(-1, 2)[:total], lengths[:total]
        order = np.lexsort((pairs[:, 1], lengths, pairs[:, 0]))
        return Hits(pairs[order, 0], pairs[order, 1], lengths[order])

    def touching(self, regions: npt.ArrayLike) -> tuple[Array, Array]:
        """Return the pairs of a region and a box that touches it, int32 (k,) each, sorted.

        regions: float32 (n, 6), boxes as those of the tree.
        """
        corners = _checked(regions)
        if self._little(len(corners)):
            meet = (corners[:, None, :3] <= self._boxes[:, 3:]) & (self._boxes[:, :3] <= corners[:, None, 3:])
            region, box = np.nonzero(meet.all(axis=2))
            return region.astype(np.int32), box.astype(np.int32)
        planes = np.zeros((len(corners), 6, 4), F32)
        for c in range(3):
            planes[:, c, c], planes[:, c, 3] = 1, -corners[:, c]
            planes[:, c + 3, c], planes[:, c + 3, 3] = -1, corners[:, c + 3]
        planes[corners[:, 0] > corners[:, 3]] = [0, 0, 0, -1]
        pairs = self._find(planes)
        return pairs[:, 0], pairs[:, 1]

    def inside(self, planes: npt.ArrayLike) -> Array:
        """Return the boxes that no plane has completely on its outer side, int32 (k,), sorted.

        planes: float32 (p, 4), as `frustum_planes` returns them: a point is inside if `n · p + d >= 0` for all. A few
        boxes near an edge of the region may be found although they are outside. A plane with NaN finds nothing.
        """
        rows = np.asarray(planes, F32).reshape(1, -1, 4)
        if np.isnan(rows).any():
            return np.zeros(0, np.int32)
        return self._find(rows)[:, 1]

    def nodes(self) -> tuple[Array, Array]:
        """Return the nodes for kernels of other packages: int32 links, 8 a node, and float32 boxes, 48 a node.

        A link from 0 up is a node, one from -1 down a box: -1 is box 0; the smallest int32 is an empty slot. The floats
        of a node are eight lowest x, y, z, then eight highest x, y, z; the boxes of empty slots are empty. Node 0 is
        the root. A traversal from there needs at most 192 entries of a stack. Valid until the next `refit`.
        """
        if not self._built:
            count = len(self)
            self._links = np.zeros(WIDE * (count + 1), np.int32)
            items, stack = np.arange(count, dtype=np.int32), np.zeros(4 * STACK, np.int64)
            finite = np.clip(self._boxes, -_LARGEST, _LARGEST).astype(np.float64).reshape(-1)
            parts, sizes = np.zeros(2 * WIDE, np.int64), np.zeros(WIDE)
            bins, counts = np.zeros(12 * BINS), np.zeros(BINS, np.int64)
            work = (parts, sizes, stack, bins, counts)
            self._nodes = int(build_nodes(items, _centers(self._boxes), finite, self._links, *work))
            self._links = self._links[: WIDE * self._nodes].copy()
            self._node_boxes = np.zeros(SIZE * self._nodes, F32)
            self._built = True
        if not self._fitted:
            fit_boxes(self._boxes.reshape(-1), self._links, self._nodes, self._node_boxes)
            self._fitted = True
        return self._links, self._node_boxes

    def _little(self, queries: int) -> bool:
        """Return True if numpy compares all pairs: for little work, and for more while the kernels are being
        compiled."""
        pairs = queries * len(self)
        return pairs <= LITTLE or (pairs <= MUCH and not READY())

    def _find(self, planes: Array) -> Array:
        """Return int32 (k, 2): the pairs of a region, bounded by planes (n, p, 4), and a box that touches it."""
        if self._little(len(planes)):
            return np.argwhere(plain_touching(planes, self._boxes)).astype(np.int32)
        tree, room = self.nodes(), max(4 * len(planes), len(self))
        while True:
            pairs = np.empty(2 * room, np.int32)
            flat = planes.reshape(-1)
            total = int(find_touching(flat, planes.shape[1], len(planes), *tree, self._stack, pairs))
            if total <= room:
                break
            room = total
        pairs_found = pairs.reshape(-1, 2)[:total]
        # one key for both numbers is sorted about ten times as fast as two
        keys = np.sort(pairs_found[:, 0].astype(np.int64) << 32 | pairs_found[:, 1])
        return np.stack([keys >> 32, keys & 0xFFFFFFFF], axis=1).astype(np.int32)


def _checked(boxes: npt.ArrayLike) -> Array:
    """Return a copy of boxes, float32 (n, 6), in which those that can't be found are empty."""
    rows = np.array(boxes, F32)
    if rows.ndim != 2 or rows.shape[1] != 6:
        message = f"boxes are an array (n, 6), the lowest x y z and the highest, not one of shape {rows.shape}"
        raise UsageError(message, hint="Join the corners with np.concatenate([low, high], axis=1)")
    full = (rows[:, 0] <= rows[:, 3]) & (rows[:, 1] <= rows[:, 4]) & (rows[:, 2] <= rows[:, 5])
    if not full.all():
        rows[~full] = _EMPTY
    return rows


def _centers(boxes: Array) -> Array:
    """Return float32 (3 n,), flat: finite points by which boxes are sorted into the tree."""
    with np.errstate(all="ignore"):
        middle = F32(0.5) * boxes[:, :3] + F32(0.5) * boxes[:, 3:]
    return np.clip(np.nan_to_num(middle), -_LARGEST / 4, _LARGEST / 4).astype(F32).reshape(-1)


def _rays(origins: npt.ArrayLike, directions: npt.ArrayLike, reach: Any) -> tuple[Array, Array]:
    """Return rays, float32 (n, 6), origins and inverse directions, and finite reaches, float32 (n,)."""
    starts, vectors = np.asarray(origins, F32).reshape(-1, 3), np.asarray(directions, F32).reshape(-1, 3)
    if len(starts) != len(vectors):
        message = f"{len(starts)} origins and {len(vectors)} directions don't go together"
        raise UsageError(message, hint="Give one direction for each origin")
    limits = np.minimum(np.broadcast_to(np.asarray(reach, F32), len(starts)), _LARGEST).astype(F32)
    rays = np.empty((len(starts), 6), F32)
    rays[:, :3] = starts
    is_zero = vectors == 0
    with np.errstate(all="ignore"):
        np.divide(F32(1), vectors, out=rays[:, 3:])
    rays[:, 3:][is_zero] = np.inf
    # most rays are sound, and whole arrays are checked much faster than rows
    if is_zero.any() or not (np.isfinite(starts).all() and np.isfinite(vectors).all()):
        sound = np.isfinite(starts).all(axis=1) & np.isfinite(vectors).all(axis=1) & ~is_zero.all(axis=1)
        rays[~sound], limits[~sound] = 0, -1
    limits[~(limits >= 0)] = -1
    return rays, limits


def prepare_bvh() -> bool:
    """Compile the kernels of trees and wait for it; return whether they are ready.

    Call it in the hook `rish_warm_up` of plugins with large trees.
    """
    return READY.now()


def warm_up() -> None:
    """Call the kernels of trees with a few boxes, so that they are compiled."""
    tree = Bvh(np.tile(np.arange(6, dtype=F32), (9, 1)))
    rays, reach = np.ones(6, F32), np.ones(1, F32)
    items, pairs = np.zeros(1, np.int32), np.zeros(2, np.int32)
    parts = tree.nodes()
    work = (tree._stack, tree._waiting, tree._entries)
    cast_nearest(rays, reach, *parts, *work, items, np.zeros(1, F32))
    cast_all(rays, reach, *parts, tree._stack, tree._entries, pairs, np.zeros(1, F32))
    find_touching(np.ones(4, F32), 1, 1, *parts, tree._stack, pairs)


READY = Ready(warm_up)
"""Whether the kernels of trees can be called without waiting."""

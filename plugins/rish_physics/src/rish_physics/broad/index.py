"""The spatial index: finds the shapes near a box or a ray.

Moving shapes are in the grid, shapes of static bodies in the tree. The grid is sorted again in time proportional to its
size, which pays off where much moves. The tree costs more to build but nothing to keep. It handles any mixture of
sizes, floors of a thousand tiles, and mostly empty worlds, and it is rebuilt only when static shapes have changed.

Neither is rebuilt for a few changed shapes. A shape with a new fat box is removed from its structure (its old entry
remains there and is ignored) and is added to the list of `loose` shapes, which every query tests too. When testing this
list has cost more than sorting, everything is sorted. So a ball that rolls through twenty thousand sleeping boxes costs
as much as a few tests, and a pile in free fall is sorted in every step.

The index is derived data. The structure that holds a shape does not affect the results, and pairs are sorted
afterwards. So a restored World may have another index and continues with the same bits. Code that gives a shape a new
fat box, a new filter or its body a new type sets MOVED and lists the shape in `state.moved`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rish_jit import Array, njit

from ..components.tables import ENABLED, QUARANTINED, SHAPE_ENABLED, SHAPE_USED, STATIC, TYPE, USED
from .bvh8 import STACK
from .grid import Grid
from .pair_set import PairSet
from .tree import Tree

if TYPE_CHECKING:
    pass


_Asked: TypeAlias = tuple[Array, Array, Array, Array, Array, Array, Array, Array, Array]

Trees: TypeAlias = list[tuple[Tree, Array, int]]

NOWHERE, LOOSE, SORTED, BRANCHED = 0, 1, 2, 3
"""The structure that contains a shape: none, the list, the grid (or its big shapes), the tree."""
IDLE, STAYS, MOVES = 0, 1, 2
"""The state of a shape: not used, part of a static body, part of another body."""
_MAX_LOOSE = 64
"""The greatest number of loose shapes that are not sorted."""
_1, _2, _3, _4 = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_SORT, _BUILD = 16, 64
"""The cost of sorting a shape into the grid and of building it into the tree, as a number of tests of loose boxes."""
_MAX_REFITS = 4
"""The number of changes after which the tree over moving shapes is rebuilt; before that it is only refitted, so its
boxes grow. With 32, the benchmark `bullets` takes 40 % longer.
"""
_INFINITY = np.float32(np.inf)


@njit(borrows=True, inline="always")
def meets_none(filters: Array, i: Any) -> Any:
    """Return True if the filter of a shape excludes all others, so that no pairs are searched for it."""
    return filters[i * _3 + _1] == 0 and filters[i * _3 + _2] <= 0


@njit(borrows=True)
def sync_added(
    slots: Array, shape_flags: Array, shape_body: Array, filters: Array, body_flags: Array, fat: Array, sorts: Array,
    homes: Array, moving: Array, staying: Array, counts: Array,
) -> bool:  # fmt: skip
    """Add shapes with new boxes to the loose lists; return True if one changed its sort.

    sorts, homes: uint8 by slot. moving, staying: int32, the loose shapes of each sort; counts: int64, 2: their lengths.
    An invalid box (NaN, infinite) makes a shape IDLE. A moving shape that can meet no other is in no list, because only
    rays can find it.
    """
    changed = left = False
    on_shape, on_body = SHAPE_USED | SHAPE_ENABLED, USED | ENABLED
    for k in range(len(slots)):
        s = np.uint64(slots[k])
        flags = body_flags[np.uint64(shape_body[s])]
        o = s * _4
        sort = IDLE
        on = (shape_flags[s] & on_shape) == on_shape and (flags & (on_body | QUARANTINED)) == on_body
        if on and fat[o + _2] - fat[o] < _INFINITY and fat[o + _3] - fat[o + _1] < _INFINITY:
            sort = STAYS if (flags & TYPE) == STATIC else MOVES
        home = LOOSE
        if sort == IDLE or (sort == MOVES and meets_none(filters, s)):
            home = NOWHERE
        if homes[s] == LOOSE and (home == NOWHERE or sorts[s] != sort):
            left = True
        if home == LOOSE and (homes[s] != LOOSE or sorts[s] != sort):
            if sort == MOVES:
                moving[counts[0]] = s
                counts[0] += 1
            else:
                staying[counts[1]] = s
                counts[1] += 1
        changed = changed or sorts[s] != sort
        sorts[s], homes[s] = sort, home
    if left:
        counts[0] = drop_others(moving, counts[0], MOVES, sorts, homes)
        counts[1] = drop_others(staying, counts[1], STAYS, sorts, homes)
    return changed


@njit(borrows=True, inline="always")
def drop_others(slots: Array, count: Any, sort: Any, sorts: Array, homes: Array) -> Any:
    """Keep the loose shapes of a sort, at the beginning of a list; return their number."""
    n = 0
    for k in range(count):
        s = slots[k]
        if homes[s] == LOOSE and sorts[s] == sort:
            slots[n] = s
            n += 1
    return n


class Index:
    """The grid, the tree and the loose lists over all shapes, and the set of contact pairs; see the module.

    bodies, shapes, contacts: the tables.

    sorts, homes: uint8 by shape slot. moving, staying: int32, the loose shapes of each sort; only the first `loose`
    (int64, 2) of them are valid. pairs: the pairs of shapes that are contacts. apart: the pairs of bodies that must not
    collide, None after joints have changed. columns: fat, flags, body and filter of the shapes, flags of the bodies, as
    flat arrays. near, packed: working memory of `pairs`.
    changes: the number of times that boxes have changed. few, riders: trees for rays, over the loose static shapes and
    over all moving shapes; `fitted` is the value of `changes` for which they are up to date.
    """

    def __init__(self, bodies: Any, shapes: Any, contacts: Any) -> None:
        self._bodies, self._shapes = bodies, shapes
        self.grid, self.tree, self.pairs = Grid(), Tree(), PairSet()
        self.apart: PairSet | None = None
        self.sorts: Array = np.zeros(0, np.uint8)
        self.homes: Array = np.zeros(0, np.uint8)
        self.moving: Array = np.zeros(0, np.int32)
        self.staying: Array = np.zeros(0, np.int32)
        self._movers: Array | None = None
        self._stays: Array | None = None
        self.near: Array = np.zeros(0, np.int32)
        self.packed: Array = np.zeros(0, np.float32)
        self.loose: Array = np.zeros(2, np.int64)
        self.columns: tuple[Array, Array, Array, Array, Array] = (self.near, self.near, self.near, self.near, self.near)
        self.few, self.riders = Tree(), Tree()
        self.asked: _Asked = (self.near,) * 9  # pyright: ignore[reportAttributeAccessIssue]
        self.working = np.zeros(2 * STACK, np.int32), np.zeros(STACK), np.zeros(40, np.float32)
        self.changes = 0
        self.fitted = -1
        self._built = 0
        self._listed: Array | None = None
        self._spent = [0, 0]
        self._settled: Array | None = None
        self.pairs.fill(contacts.pair[:, :2])
        self.settle(np.arange(len(shapes), dtype=np.int32))

    @property
    def movers(self) -> Array:
        """int32: the slots of moving shapes, ascending."""
        if self._movers is None:
            self._movers = np.flatnonzero(self.sorts == MOVES).astype(np.int32)
        return self._movers

    @property
    def stays(self) -> Array:
        """int32: the slots of the shapes of static bodies, ascending."""
        if self._stays is None:
            self._stays = np.flatnonzero(self.sorts == STAYS).astype(np.int32)
        return self._stays

    def settle(self, moved: Array) -> None:
        """Record the shapes (int32 slots) with new boxes, and sort all shapes again if that is cheaper. A second call
        with the same array does nothing.
        """
        self._look()
        if moved is self._settled or not len(moved):
            return
        self._settled = moved
        self.changes += 1
        fat, flags, body, filters, body_flags = self.columns
        if sync_added(
            moved, flags, body, filters, body_flags, fat, self.sorts, self.homes, self.moving, self.staying, self.loose
        ):
            self._movers = self._stays = None
        moving, staying = self.loose.tolist()
        self._spent[0] += moving * len(moved)
        self._spent[1] += staying * len(moved)
        if moving > _MAX_LOOSE and self._spent[0] > _SORT * len(self.movers):
            if self.grid.sort(self.movers, flags, fat):
                self._movers = self._alive(self.movers)
            self.homes[self.moving[:moving]] = SORTED
            self.loose[0] = self._spent[0] = 0
        if staying > _MAX_LOOSE and self._spent[1] > _BUILD * len(self.stays):
            self._stays = self._alive(self.stays)
            self.tree.build(self.stays, fat)
            self.homes[self.staying[:staying]] = BRANCHED
            self.loose[1] = self._spent[1] = 0

    def trees(self, moved: Array) -> Trees:
        """Return trees over all shapes at their current positions, for ray and shape queries. moved: int32, slots with
        new boxes.

        Each tree is in a tuple with an array and a number: an item is valid if the array holds the number at its slot.
        """
        self.settle(moved)
        if self.fitted != self.changes:
            fat, loose = self.columns[0], int(self.loose[1])
            if loose > _MAX_LOOSE:
                self._stays = self._alive(self.stays)
                self.tree.build(self.stays, fat)
                self.homes[self.staying[:loose]] = BRANCHED
                self.loose[1] = loose = 0
            self.few.build(self.staying[:loose], fat)
            if self._listed is not self.movers or self.changes - self._built > _MAX_REFITS:
                self.riders.build(self.movers, fat)
                self._listed, self._built = self.movers, self.changes
            else:
                self.riders.fit(fat)
            self.fitted = self.changes
        trees = [(self.tree, self.homes, BRANCHED), (self.few, self.homes, LOOSE), (self.riders, self.sorts, MOVES)]
        return [entry for entry in trees if entry[0].nodes]

    def _look(self) -> None:
        """Fetch the columns again after rows were added or removed, and grow the lists to the number of shapes."""
        shapes, bodies = self._shapes, self._bodies
        if self.columns[0] is not shapes.flat("fat") or self.columns[4] is not bodies.flat("flags"):
            fat, flags, body, filters = (shapes.flat(name) for name in ("fat", "flags", "body", "filter"))
            self.columns = (fat, flags, body, filters, bodies.flat("flags"))
            entity, hull, size = (shapes.flat(name) for name in ("entity", "hull", "size"))
            pose, body_flags, body_entity = (bodies.flat(name) for name in ("pose", "flags", "entity"))
            self.asked = (flags, body, filters, entity, hull, size, pose, body_flags, body_entity)
            have = len(self.sorts)
            if len(shapes) > have:
                room = max(64, 2 * have, len(shapes))
                for name in ("sorts", "homes", "moving", "staying", "near"):
                    array = getattr(self, name)
                    grown = np.zeros(room, array.dtype)
                    grown[:have] = array
                    setattr(self, name, grown)
                self.packed = np.zeros(4 * room, np.float32)

    def _alive(self, slots: Array) -> Array:
        """Return the slots that are still in use; the others become IDLE."""
        alive = (self.columns[1][slots] & SHAPE_USED) != 0
        self.sorts[slots[~alive]] = IDLE
        return slots[alive]

"""Walls: the edges that block light, collected from all plugins that publish edges.

A closed outline casts shadows from its far side, so that the object itself stays lit. An open line has no inside: it
blocks light from both sides, unless its occluder is `one_sided`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Edges, Transform, derived
from rish_ecs.declarations import distinct
from rish_jit import Array

from .occluders import SOURCE, Outlines, ShownMatrices

if TYPE_CHECKING:
    from rish_core import World

_MAPS = "tiles."
"""The prefix of sources whose edges belong to no family, because a torch may be a child of a map."""
_MAX_ANCESTORS = 64
_COLUMNS = ("edges", "family", "mask", "two_sided")


@derived(reads=(Outlines, ShownMatrices, Edges, Transform.parent))
class Walls:
    """n edges that block light, in this frame.

    edges: float32 (n, 4). family: int64 n, the topmost parent of the owner of each edge, or 0. mask: int32 n.
    two_sided: uint8 n, whether it blocks from both sides.
    """

    edges: Array = np.zeros((0, 4), np.float32)
    family: Array = np.zeros(0, np.int64)
    mask: Array = np.zeros(0, np.int32)
    two_sided: Array = np.zeros(0, np.uint8)

    def compute(self, world: World) -> None:
        """Collect the edges of all plugins; those of occluders are placed as the frame shows them."""
        parts = [part for part in (_of_others(world), _of_occluders(world)) if len(part)]
        for name in _COLUMNS if parts else ():
            setattr(self, name, np.concatenate([getattr(part, name) for part in parts]))

    def __len__(self) -> int:
        return len(self.mask)


NO_WALLS = Walls()
"""Without edges."""


def _of_others(world: World) -> Walls:
    """Return the walls that other plugins published."""
    table = world[Edges]
    source = table.column("source")
    rows = np.flatnonzero(source != world.texts.find(SOURCE))
    if not len(rows):
        return NO_WALLS
    edges = np.stack([table.column(name)[rows] for name in ("x0", "y0", "x1", "y1")], axis=1).astype(np.float32)
    fine = np.isfinite(edges).all(axis=1) & ((edges[:, :2] != edges[:, 2:]).any(axis=1))
    rows, edges = rows[fine], np.ascontiguousarray(edges[fine])
    owner = table.column("owner")[rows]
    maps = [number for number in distinct(source).tolist() if world.text(int(number)).startswith(_MAPS)]
    owner = np.where(np.isin(source[rows], maps), 0, owner)
    mask = table.column("mask")[rows].astype(np.int32)
    return Walls(edges, families(world, owner), mask, is_open(edges).astype(np.uint8))


def _of_occluders(world: World) -> Walls:
    outlines = world[Outlines]
    edges = outlines.placed(world[ShownMatrices].matrices)
    fine = np.isfinite(edges).all(axis=1) & ((edges[:, :2] != edges[:, 2:]).any(axis=1))
    family = families(world, outlines.entities)[outlines.which]
    two_sided = outlines.two_sided.astype(np.uint8)
    return Walls(np.ascontiguousarray(edges[fine]), family[fine], outlines.mask[fine], two_sided[fine])


def families(world: World, entities: Array) -> Array:
    """Return the topmost parent of each entity, int64 n; for an entity without a parent it is the entity itself, for 0
    it is 0.
    """
    top = entities.astype(np.int64)
    table = world.table(Transform)
    parents = table.column("parent")
    for _ in range(_MAX_ANCESTORS):
        rows = table.rows_of(top)
        up = np.where(rows >= 0, parents[rows], 0) if len(parents) else np.zeros(len(top), np.int64)
        if not up.any():
            break
        top = np.where(up != 0, up, top)
    return top


def is_open(edges: Array) -> Array:
    """Return for each edge whether it belongs to an open line, bool (n,); other edges belong to closed lines.

    edges: float32 (n, 4). An edge continues with another one that starts exactly at its end point. The edges are
    followed with doubling distance in each iteration (pointer jumping).
    """
    count = len(edges)
    keys = np.ascontiguousarray(edges + np.float32(0)).view(np.uint64)
    begin, end = keys[:, 0], keys[:, 1]
    order = np.argsort(begin, kind="stable")
    index = order[np.minimum(np.searchsorted(begin[order], end), count - 1)]
    after = np.append(np.where(begin[index] == end, index, count), count)
    for _ in range(count.bit_length()):
        after = after[after]
    return after[:count] == count

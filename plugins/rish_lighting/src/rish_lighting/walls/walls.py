"""Walls: the edges that block light, collected from all plugins that publish edges.

A closed outline casts shadows from its far side, so that the object itself stays lit. An open line has no inside: it
blocks light from both sides, unless its occluder is `one_sided`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Edges, Transform
from rish_jit import Array

from .occluders import SOURCE, Outlines, shown_edges

if TYPE_CHECKING:
    from rish_core import World

_MAPS = "tiles."
"""The prefix of sources whose edges belong to no family, because a torch may be a child of a map."""
_MAX_ANCESTORS = 64
_COLUMNS = ("edges", "family", "mask", "two_sided")


@dataclass
class Walls:
    """n edges that block light.

    edges: float32 (n, 4). family: int64 n, the topmost parent of the owner of each edge, or 0. mask: int32 n.
    two_sided: uint8 n, whether it blocks from both sides. version: rises when any of these changes. stamp, shown: the
    versions and the array from which the edges were collected.
    """

    edges: Array
    family: Array
    mask: Array
    two_sided: Array
    version: int = 0
    stamp: tuple[int, ...] = ()
    shown: Array | None = None

    @classmethod
    def none(cls) -> Walls:
        """Return an object without edges."""
        edges = np.zeros((0, 4), np.float32)
        return cls(edges, np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8))

    def __len__(self) -> int:
        return len(self.mask)

    def equals(self, other: Walls) -> bool:
        """Return True if both have the same edges; versions are ignored."""
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _COLUMNS)


def gather_walls(world: World, before: Walls) -> Walls:
    """Return all walls of this frame; if nothing has changed, return `before`."""
    outlines, edges = shown_edges(world)
    hierarchy = world.table(Transform).membership
    stamp = (world[Edges].membership, hierarchy)
    if before.stamp == stamp and before.shown is edges:
        return before
    parts = [part for part in (_of_others(world), _of_occluders(world, outlines, edges)) if len(part)]
    walls = Walls.none()
    if parts:
        joined, family, mask, two_sided = (np.concatenate([getattr(part, name) for part in parts]) for name in _COLUMNS)
        walls = Walls(joined, family, mask, two_sided)
    walls.version = before.version + (not walls.equals(before))
    walls.stamp, walls.shown = stamp, edges
    return walls


def _of_others(world: World) -> Walls:
    """Return the walls that other plugins published."""
    table = world[Edges]
    source = table.column("source")
    rows = np.flatnonzero(source != world.texts.find(SOURCE))
    if not len(rows):
        return Walls.none()
    edges = np.stack([table.column(name)[rows] for name in ("x0", "y0", "x1", "y1")], axis=1).astype(np.float32)
    fine = np.isfinite(edges).all(axis=1) & ((edges[:, :2] != edges[:, 2:]).any(axis=1))
    rows, edges = rows[fine], np.ascontiguousarray(edges[fine])
    owner = table.column("owner")[rows]
    maps = [number for number in np.unique(source).tolist() if world.text(int(number)).startswith(_MAPS)]
    owner = np.where(np.isin(source[rows], maps), 0, owner)
    mask = table.column("mask")[rows].astype(np.int32)
    return Walls(edges, families(world, owner), mask, is_open(edges).astype(np.uint8))


def _of_occluders(world: World, outlines: Outlines, edges: Array) -> Walls:
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

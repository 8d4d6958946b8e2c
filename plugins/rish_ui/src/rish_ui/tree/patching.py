"""Patches the nodes of a root where its rows changed, without looking at its other widgets one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

if TYPE_CHECKING:
    from .node import Node, Root

ENTITY, ABOVE = 0, 4
"""Columns of a row, see `structure_of`."""
NodeOf = Callable[["Root", list[int]], "Node"]
"""A function that returns the node of a row without a parent and children: a new one, or that of a former tree."""


def rows_of(root: Root) -> Array:
    """Return the rows that a root was made from, int64 (n, 6)."""
    return np.frombuffer(root.shape, np.int64).reshape(-1, 6)


def changed_rows(old: Array, new: Array) -> tuple[Array, Array]:
    """Return the rows between the equal ones at the beginning and those at the end: of the old ones, and of the new."""
    both = min(len(old), len(new))
    differing = np.flatnonzero((old[:both] != new[:both]).any(axis=1))
    first = int(differing[0]) if len(differing) else both
    rest = both - first
    differing = np.flatnonzero((old[len(old) - rest :] != new[len(new) - rest :]).any(axis=1))
    after = rest - 1 - int(differing[-1]) if len(differing) else rest
    return old[first : len(old) - after], new[first : len(new) - after]


def place_nodes(
    root: Root, rows: Array, some: Array, gone: Array, nodes: Mapping[int, Node], node_of: NodeOf
) -> dict[int, Node]:  # fmt: skip
    """Bring the nodes of a root up to date; return those of new and changed rows, by entity.

    rows: all of the root; some: those that are new or changed; gone: those that were before. nodes: those of other
    rows, by entity. A widget of the root's own entity is a node below the base, unless it is a mere container.
    """
    below, order = rows[:, ABOVE], np.argsort(rows[:, ABOVE], kind="stable")
    placed = {row[ENTITY]: node_of(root, row) for row in some.tolist()}
    for node in placed.values():
        node.children = []
    root.unstyled.update(placed.values())  # their parents may hide them
    own = placed.get(root.entity)
    if own is not None:
        root.base.children = [] if own is root.base else [own]
        own.parent = None if own is root.base else root.base
    parents = {*gone[:, ABOVE].tolist(), *some[:, ABOVE].tolist(), *placed} - {0}
    sorted_parents = below[order]
    for entity in parents:
        parent = placed.get(entity) or nodes.get(entity)
        if parent is None or parent.root is not root:
            continue
        first, end = np.searchsorted(sorted_parents, (entity, entity + 1)).tolist()
        children = rows[order[first:end], ENTITY].tolist()
        if not (children and parent.children):  # only widgets without children show their texts
            parent.texts.clear()
            root.unmeasured.add(parent)
        if parent.kind.component is not None:  # what it shows and hides may depend on its children
            root.unstyled.add(parent)
            parent.repaint()
        parent.children = [placed.get(child) or nodes[child] for child in children]
        for child in parent.children:
            child.parent = parent
    _number(root)
    return placed


def _number(root: Root) -> None:
    """Number all nodes, parents first."""
    root.nodes = nodes = root.base.walk()
    for number, node in enumerate(nodes):
        node.number = number
        if node.parent is not None:
            node.depth = node.parent.depth + 1
    root.solid = any(node.kind.solid or node.kind.focusable for node in nodes)

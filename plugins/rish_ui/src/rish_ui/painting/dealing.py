"""Deals the nodes of a root to the parts of its painting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .painted_part import PaintedPart

if TYPE_CHECKING:
    from ..tree.node import Node, Root

CHUNK = 24
"""The greatest number of nodes of a part of a painting: when one changes, the others of its part are converted
again."""


def deal(root: Root) -> None:
    """Deal the visible nodes to parts, in drawing order: by z of siblings, then as written; each clip has its parts.

    Parts with the nodes that they had before need not be painted again.
    """
    before, root.members, root.dealt = root.members, [], True
    members: list[tuple[Node, bool]] = []
    clip: Any = ()
    ends_part = False
    for node, over in _drawn(root.base):
        if len(members) >= CHUNK or node.clip != clip or ends_part or (node.kind.own_part and not over):
            clip, members = node.clip, []
            root.members.append(members)
        ends_part = node.kind.own_part
        if not over:
            node.part = len(root.members) - 1
        members.append((node, over))
    count = len(root.members)
    root.stale_parts.update(k for k in range(count) if k >= len(before) or before[k] != root.members[k])
    root.parts = [*root.parts[:count], *(PaintedPart() for _ in range(count - len(root.parts)))]


def _drawn(base: Node) -> list[tuple[Node, bool]]:
    """Return a node and all shown nodes below it, in drawing order, each with True for its painting over its
    children."""
    drawn: list[tuple[Node, bool]] = []
    levels: list[tuple[Node | None, Iterator[Node]]] = [(None, iter((base,)))]
    while levels:
        owner, nodes = levels[-1]
        for node in nodes:
            if node.hidden:
                continue
            drawn.append((node, False))
            if node.children or node.kind.over:
                levels.append((node, iter(_in_order(node.children))))
                break
        else:
            levels.pop()
            if owner is not None and owner.kind.over:
                drawn.append((owner, True))
    return drawn


def _in_order(nodes: list[Node]) -> list[Node]:
    """Return siblings by z."""
    if len({node.z for node in nodes}) <= 1:
        return nodes
    return sorted(nodes, key=lambda node: node.z)

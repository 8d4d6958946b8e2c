"""Builds the tree of widgets from the tables of the World. The order of siblings follows from the state alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Name, Origin, Transform
from rish_ecs import Disabled
from rish_jit import Array

from ..components.layout import Layout
from ..components.screen import Screen, Space, Widget
from .node import Node, Root

if TYPE_CHECKING:
    from rish_ecs import World


_OF_PREFAB = "prefab:"
_MAX_DEPTH = 64
"""The greatest number of parents of a widget, also in a circle of parents."""


@dataclass(eq=False)
class Tree:
    """All widgets. nodes: by entity. stamp: the memberships of the tables that it was built from. entities, parents:
    int64, all widgets and their parents. placed: the version of the table Transform at the last comparison. parts:
    widgets with a Screen, a Layout or a Widget, as entity and component.
    """

    roots: list[Root] = field(default_factory=list[Root])
    nodes: dict[int, Node] = field(default_factory=dict[int, Node])
    stamp: tuple[int, ...] = ()
    entities: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    parents: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    placed: int = -1
    parts: set[tuple[int, type]] = field(default_factory=set[tuple[int, type]])

    def still(self, world: World, kinds: Mapping[type, Any]) -> bool:
        """Return True if no widget of the World was added, removed, renamed or given another parent since."""
        if stamp_of(world, kinds) != self.stamp:
            return False
        table = world.table(Transform)
        if table.version == self.placed:
            return True
        self.placed = table.version
        return np.array_equal(_parents(world, self.entities), self.parents)


def stamp_of(world: World, kinds: Mapping[type, Any]) -> tuple[int, ...]:
    """Return numbers that change when a widget is added or removed, or renamed."""
    tables = world.tables
    memberships = [tables[cls].membership for cls in (*kinds, Layout, Widget, Screen, Disabled) if cls in tables]
    return (*memberships, world.table(Name).writes)


def build(world: World, kinds: Mapping[type, Any], container: Any, base: Any) -> Tree:
    """Return the tree of the World. kinds: by component. container, base: the kinds of nodes without a component."""
    tree = Tree(stamp=stamp_of(world, kinds), placed=world.table(Transform).version)
    of = _kinds_of(world, kinds, container)
    tree.entities = np.array(sorted(of), np.int64)
    tree.parents = _parents(world, tree.entities)
    for cls in (Screen, Layout, Widget):
        tree.parts.update((entity, cls) for entity in world.table(cls).entities.tolist() if entity in of)
    above = _above(world, tree, of)
    below: dict[int, list[int]] = {}
    for entity in _in_order(world, tree.entities):
        below.setdefault(above[entity], []).append(entity)
    screens = world.table(Screen)
    tops = below.get(0, []) + [e for e in of if above[e] and screens.row_of(e) >= 0]
    label_counts: dict[str, int] = {}
    for entity in tops:
        root = Root(entity, number=len(tree.roots))
        root.label = _label(world, root, label_counts)
        tree.roots.append(root)
        _grow(world, tree, root, entity, of, below, base)
    return tree


def _label(world: World, root: Root, label_counts: dict[str, int]) -> str:
    """Return the first part of the paths of a root's widgets: `pause`, `grok.bar` for a child of `grok`, `bar#2`."""
    name, above = _name(world, root.entity), above_of(world, root.entity)
    owner = _name(world, above) if above else ""
    if not name and not owner:
        return f"#{root.number + 1}"
    label = f"{owner}.{name}" if owner and name else name or owner
    label_counts[label] = label_counts.get(label, 0) + 1
    return label if label_counts[label] == 1 else f"{label}#{label_counts[label]}"


def keep_roots(tree: Tree, before: Tree) -> list[Root]:
    """Reuse the roots of the last tree whose widgets are the same in a new tree; return the new tree's other roots.

    The layout and the paintings of kept roots stay valid.
    """
    unchanged = {root.entity: root for root in before.roots}
    if tree.parts != before.parts:
        changed = {key[0] for key in tree.parts ^ before.parts}
        unchanged = {root.entity: root for root in before.roots if not any(n.entity in changed for n in root.nodes)}
    new_roots: list[Root] = []
    for k, root in enumerate(tree.roots):
        old = unchanged.get(root.entity)
        if old is None or old.shape != root.shape:
            new_roots.append(root)
            continue
        old.number, old.label = k, root.label
        tree.roots[k] = old
        tree.nodes.update((node.entity, node) for node in old.nodes)
    return new_roots


def _kinds_of(world: World, kinds: Mapping[type, Any], container: Any) -> dict[int, Any]:
    """Return the kind of each entity that is a widget; the first kind counts for an entity with several."""
    of: dict[int, Any] = {}
    tables = world.tables
    for cls, kind in kinds.items():
        for entity in tables[cls].entities.tolist() if cls in tables else ():
            of.setdefault(entity, kind)
    for cls in (Screen, Layout, Widget):
        for entity in world.table(cls).entities.tolist():
            of.setdefault(entity, container)
    for entity in world.table(Disabled).entities.tolist():
        of.pop(entity, None)
    return of


def _parents(world: World, entities: Array) -> Array:
    """Return the parent of each entity, int64; 0 for none."""
    table = world.table(Transform)
    rows = table.rows_of(entities)
    parents = table.column("parent")
    return np.where(rows >= 0, parents[rows], 0) if len(table) else np.zeros(len(entities), np.int64)


def _above(world: World, tree: Tree, of: Mapping[int, Any]) -> dict[int, int]:
    """Return the nearest widget above each widget, 0 for none; widgets in a circle of parents have none."""
    table, parents_by_entity = world.table(Transform), dict[int, int]()
    column = table.column("parent")
    for entity, parent in zip(tree.entities.tolist(), tree.parents.tolist(), strict=True):
        steps = 0
        while parent and parent not in of and steps < _MAX_DEPTH:
            row = table.row_of(parent)
            parent, steps = int(column[row]) if row >= 0 else 0, steps + 1
        parents_by_entity[entity] = parent if parent in of else 0
    for entity in parents_by_entity:
        _cut_circle(parents_by_entity, entity)
    return parents_by_entity


def _cut_circle(above: dict[int, int], entity: int) -> None:
    visited = {entity}
    at = above[entity]
    while at:
        if at in visited:
            above[at] = 0
            return
        visited.add(at)
        at = above[at]


def _in_order(world: World, entities: Array) -> Iterable[int]:
    """Return the entities so that siblings are in order: by `Widget.order`, then as written, then as created."""
    origins, widgets = world.table(Origin), world.table(Widget)
    order = np.zeros(len(entities), np.int64)
    rows = widgets.rows_of(entities)
    order[rows >= 0] = widgets.column("order")[rows[rows >= 0]]
    late, entry, copy = (np.zeros(len(entities), np.int64) for _ in range(3))
    rows = origins.rows_of(entities)
    has_origin = rows >= 0
    entry[has_origin] = origins.column("entry")[rows[has_origin]]
    copy[has_origin] = origins.column("copy")[rows[has_origin]]
    scenes = {number: world.text(number) for number in set(origins.column("scene").tolist())}
    prefab = np.array(
        [scenes[n].startswith(_OF_PREFAB) for n in origins.column("scene")[rows[has_origin]].tolist()], np.bool_
    )
    late[~has_origin] = 1
    late[np.flatnonzero(has_origin)[prefab & (entry[has_origin] == 0)]] = 1
    entry[late == 1] = copy[late == 1] = 0
    table = world.table(Transform)
    rows = table.rows_of(entities)
    created = np.where(rows >= 0, table.added_at[rows], 0) if len(table) else np.zeros(len(entities), np.int64)
    return entities[np.lexsort((entities, copy, entry, np.where(late == 1, created, 0), late, order))].tolist()


def _grow(
    world: World, tree: Tree, root: Root, entity: int, of: Mapping[int, Any], below: Mapping[int, list[int]],
    base: Any,
) -> None:  # fmt: skip
    """Add the nodes of a root: its base, and all widgets below that are no root of their own."""
    top = Node(entity, base, _name(world, entity), root)
    root.nodes.append(top)
    tree.nodes[entity] = top
    screens = world.table(Screen)
    if of[entity].component is not None or screens.row_of(entity) < 0:
        top = _add(world, tree, root, entity, of[entity], top)
    pending = [(child, top) for child in reversed(below.get(entity, ()))]
    while pending:
        child, parent = pending.pop()
        if screens.row_of(child) >= 0:
            continue
        node = _add(world, tree, root, child, of[child], parent)
        pending += [(each, node) for each in reversed(below.get(child, ()))]
    root.solid = any(node.kind.solid or node.kind.focusable for node in root.nodes)


def _add(world: World, tree: Tree, root: Root, entity: int, kind: Any, parent: Node) -> Node:
    node = Node(entity, kind, _name(world, entity), root, parent, number=len(root.nodes), depth=parent.depth + 1)
    parent.children.append(node)
    root.nodes.append(node)
    tree.nodes[entity] = node
    return node


def _name(world: World, entity: int) -> str:
    row = world.table(Name).row_of(entity)
    return world.get(entity, Name).value if row >= 0 else ""


def above_of(world: World, entity: int) -> int:
    """Return the parent of an entity, 0 for none."""
    table = world.table(Transform)
    row = table.row_of(entity)
    return int(table.column("parent")[row]) if row >= 0 else 0


def is_there(world: World, root: Root) -> bool:
    """Whether the entity that a screen in the world belongs to exists and is not disabled; True for other screens."""
    if not root.world or not root.owner:
        return True
    return world.alive(root.owner) and world.table(Disabled).row_of(root.owner) < 0


def read_screen(world: World, root: Root) -> None:
    """Read the values of a root's Screen; a root without one lets everything through."""
    root.owner = above_of(world, root.entity)
    if world.table(Screen).row_of(root.entity) < 0:
        return
    view = world.get(root.entity, Screen)
    root.layer, root.z, root.world = view.layer, float(view.z), view.space is Space.WORLD
    root.modal, root.takes_keys, root.player = view.modal, view.takes_keys, int(view.player)
    root.pauses, root.cancel, root.first, root.opens_by = view.pauses, view.cancel, view.first, view.opens_by
    root.size, root.follow = (float(view.size[0]), float(view.size[1])), int(view.follow)
    root.lift, root.pivot = (float(view.lift[0]), float(view.lift[1])), (float(view.pivot[0]), float(view.pivot[1]))
    root.unit, root.safe, root.wanted = float(view.scale), view.safe, view.visible
    root.owner = root.follow or root.owner
    root.visible = root.wanted and is_there(world, root)


def read_widget(world: World, node: Node) -> None:
    """Read the fields of `Widget`, which all widgets share."""
    if world.table(Widget).row_of(node.entity) < 0 or (
        node.parent is None and len(node.root.nodes) > 1 and (node.root.nodes[1].entity == node.entity)
    ):
        return
    view = world.get(node.entity, Widget)
    node.visible, node.enabled, node.variant = view.visible, view.enabled, view.style
    node.needs = view.needs
    node.focusable, node.tab, node.z, node.tooltip = view.focusable, int(view.tab), int(view.z), view.tooltip
    node.beside = {side: int(getattr(view, side)) for side in ("left", "right", "up", "down")}

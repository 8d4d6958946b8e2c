"""Prefabs: templates of entities, which may inherit from, override and contain one another.

    prefabs:
      brick:   {Transform: {}, Sprite: {image: brick.png}, Brick: {points: 10}}
      hard:    {prefab: brick, Brick: {hits: 2}}            # the rest comes from brick
      turret:  {prefab: brick, Brick: null, children: [{name: barrel, prefab: hard}]}

Inheritance merges field by field. `Component: null` removes an inherited component. Children are added; a child with
the name of an inherited one changes that child, as `barrel.Brick.hits: 3` does. The result is a `Node`, in which all
inheritance is resolved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rish_ecs import did_you_mean

from ..common.hierarchy import hangs
from ..common.names import Group, Name, Tags
from ..common.transform import Transform
from .entries import Entry, EntryReader
from .nodes import Mark, Spot, YamlMap, marked
from .placing import MAX_COPIES, Placing
from .schema import Ref
from .validate import Report, Steps

MAX_DEPTH = 64
MAX_NODES = 200_000
PLUGIN_PREFABS = Spot("prefabs of the plugins")
"""The mark of all values in prefabs that plugins declare."""


@dataclass(frozen=True, eq=False)
class Node:
    """An entry (one entity, or `count` equal ones) with all inheritance resolved.

    parts: the given values of each component. count: copies for each parent. size: number of nodes in its tree,
    including itself. rows: number of entities in its tree. depth: levels of children and of inheritance below it. lost:
    it inherits from a prefab of an absent plugin, whose children are unknown.
    """

    mark: Mark
    path: Steps
    prefab: str
    name: str
    group: str
    tags: tuple[str, ...]
    count: int
    at: Placing | None
    parent: Ref | None
    parts: dict[type, dict[str, Any]]
    children: tuple[Node, ...]
    size: int
    rows: int
    depth: int
    lost: bool = False

    @cached_property
    def parts_and_links(self) -> tuple[dict[type, dict[str, Any]], list[tuple[type, str, Ref]]]:
        """The values by component, with name, group and tags, and the references as (component, field, target)."""
        links: list[tuple[type, str, Ref]] = []
        parts: dict[type, dict[str, Any]] = {}
        for cls, values in self.parts.items():
            refs = {name: value for name, value in values.items() if isinstance(value, Ref)}
            links.extend((cls, name, ref) for name, ref in refs.items())
            parts[cls] = {name: value for name, value in values.items() if name not in refs} if refs else values
        if self.parent is not None:
            links.extend((cls, "parent", self.parent) for cls in self.parts if hangs(cls))
        if self.name:
            parts.setdefault(Name, {"value": self.name})
        if self.group:
            parts.setdefault(Group, {"value": self.group})
        if self.tags:
            parts.setdefault(Tags, {"values": self.tags})
        return parts, links


class PrefabLibrary:
    """All prefabs of a game by name, resolved at the first use. raw: the mappings as written."""

    def __init__(self, raw: Mapping[str, tuple[Any, Mark, Steps]], reader: EntryReader, report: Report) -> None:
        self.report = report
        plugin_reader = reader.of_plugins()
        self._entries = {
            name: (plugin_reader if mark is PLUGIN_PREFABS else reader).read(node, mark, path, prefab=True)
            for name, (node, mark, path) in raw.items()
        }
        self._nodes: dict[str, Node | None] = {}
        self._resolving: list[str] = []

    def nodes(self) -> dict[str, Node]:
        """Return all prefabs that could be resolved."""
        nodes = {name: self.node(name, entry) for name, entry in self._entries.items()}
        return {name: node for name, node in nodes.items() if node is not None}

    def node(self, name: str, user: Entry) -> Node | None:
        """Return the node of a prefab; if it contains itself, report that at the entry `user` and return None."""
        if name in self._nodes:
            return self._nodes[name]
        if name in self._resolving:
            circle = [*self._resolving[self._resolving.index(name) :], name]
            self._report(user, f"the prefab {name!r} contains itself: {' → '.join(circle)}")
            return None
        if len(self._resolving) >= MAX_DEPTH:
            self._report(user, f"prefabs are nested too deeply; the maximum is {MAX_DEPTH} levels")
            return None
        self._resolving.append(name)
        node = self.resolve(self._entries[name])
        self._resolving.pop()
        self._nodes[name] = node
        return node

    def _report(self, user: Entry, what: str) -> None:
        self.report.add(user.prefab_mark or user.mark, (*user.path, "prefab"), what)

    def resolve(self, entry: Entry, inherited: Node | None = None) -> Node | None:
        """Return the node of an entry merged with its prefab or with the inherited child that it changes."""
        base = inherited
        if entry.prefab:
            base = self.node(entry.prefab, entry)
            if base is None:
                return None
        children = self._children(entry, base)
        parts = _merge(base.parts if base is not None else {}, entry.parts)
        count = entry.count if entry.count is not None else 1 if entry.prefab or base is None else base.count
        own_transform = entry.parts.get(Transform, {})
        moved = own_transform is None or "position" in own_transform
        at = entry.at or (inherited.at if inherited is not None and not moved else None)
        has_other_parent = at is None and any(map(hangs, parts))
        if (children or at is not None or entry.parent is not None) and Transform not in parts and not has_other_parent:
            parts = {Transform: {}, **parts}
        depth = 1 + max((child.depth for child in children), default=0)
        node = Node(
            entry.mark, entry.path, entry.prefab or (base.prefab if base is not None else ""),
            entry.name or (base.name if base is not None else ""),
            entry.group or (base.group if base is not None else ""),
            tuple(dict.fromkeys((*(base.tags if base is not None else ()), *entry.tags))),
            count, at, entry.parent, parts, children,
            size=1 + sum(child.size for child in children),
            rows=count * (1 + sum(child.rows for child in children)),
            depth=max(depth, 1 + base.depth) if entry.prefab and base is not None else depth,
            lost=entry.lost or (base is not None and base.lost),
        )  # fmt: skip
        return node if self._fits(node) else None

    def _children(self, entry: Entry, base: Node | None) -> tuple[Node, ...]:
        """Return the inherited children, changed by entries of the same name, followed by the new ones."""
        inherited = base.children if base is not None else ()
        children = [*inherited]
        for child in entry.children:
            index = next((i for i, old in enumerate(inherited) if child.name and old.name == child.name), None)
            if index is None and child.changes:
                if entry.lost or (base is not None and base.lost):
                    continue
                names = [old.name for old in inherited if old.name]
                listed = f". Names: {', '.join(names[:12])}" if names else ""
                what = f"no child that is inherited is called {child.name!r}{did_you_mean(child.name, names)}{listed}"
                self.report.add(child.mark, child.path, what)
                continue
            node = self.resolve(child, inherited[index] if index is not None else None)
            if node is None:
                continue
            if not any(map(hangs, node.parts)):
                node.parts[Transform] = {}
            if index is None:
                children.append(node)
            else:
                children[index] = node
        return tuple(children)

    def _fits(self, node: Node) -> bool:
        what = ""
        if node.depth > MAX_DEPTH:
            what = f"prefabs and children are nested too deeply; the maximum is {MAX_DEPTH} levels"
        elif node.size > MAX_NODES:
            what = f"this has {node.size:,} entries including children; the maximum is {MAX_NODES:,}"
        elif node.rows > MAX_COPIES:
            what = f"this spawns {node.rows:,} entities including children; the maximum is {MAX_COPIES:,}"
        if what:
            self.report.add(node.mark, node.path, what)
        return not what


def _merge(base: dict[type, dict[str, Any]], own: dict[type, dict[str, Any] | None]) -> dict[type, dict[str, Any]]:
    """Merge components field by field; `own` wins. None removes an inherited component, or adds one with defaults."""
    merged = {cls: values for cls, values in base.items() if own.get(cls, values) is not None}
    for cls, values in own.items():
        if values is not None:
            merged[cls] = {**base.get(cls, {}), **values}
        elif cls not in base:
            merged[cls] = {}
    return merged


def raw_prefabs(own: YamlMap, brought: Mapping[str, Any]) -> dict[str, tuple[Any, Mark, Steps]]:
    """Return the prefabs of the manifest, and those of plugins whose names the manifest does not use."""
    raw: dict[str, tuple[Any, Mark, Steps]] = {
        name: (marked(node, PLUGIN_PREFABS), PLUGIN_PREFABS, ("prefabs", name)) for name, node in brought.items()
    }
    for name, node in own.items():
        if node is None or isinstance(node, YamlMap):
            raw[name] = (node, own.values_at[name], ("prefabs", name))
        else:
            raw.setdefault(name, (None, own.values_at[name], ("prefabs", name)))
    return raw

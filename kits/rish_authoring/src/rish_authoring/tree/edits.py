"""Edits of the tree: deleting, grouping, other parents, names, components."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_core import App, Name, Transform, UsageError, World
from rish_ecs import kind_of
from rish_ecs.storage import hangs, parents_of

from .copies import free_names
from .marks import mark_authored
from .moves import append_to_arranged, is_prefab_child, store_arrangement
from .order import tree_order
from .selection import phrase_for, placed, require_alive, require_place, tops, with_children
from .transforms import hang, middles_of, require_depth

_NAME = re.compile("[^\\s/][^/\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*\\Z")
"""The names that a manifest can contain: in one line, without "/" and without the characters that YAML refuses."""


def delete(app: App, handles: Sequence[int]) -> None:
    """Despawn entities and their descendants. References of other entities to them become empty. Raises StaleEntity."""
    world = app.world
    deleted = with_children(world, tops(world, handles))
    if len(deleted):
        world.despawn(deleted)
        _clear_references(world)


def _clear_references(world: World) -> None:
    """Empty all references to entities that no longer live, and remove such entities from lists."""
    for table in world.tables.values():
        for name, spec in table.schema.fields.items():
            field_type = spec.type
            if field_type.special == "entity":
                column = table.column(name)
                rows = np.flatnonzero((column != 0) & ~world.alive(column))
                if len(rows):
                    column[rows] = 0
                    table.mark(rows)
            elif field_type.pooled and field_type.item is not None and field_type.item.special == "entity":
                _clear_items(world, table, name)


def _clear_items(world: World, table: Any, name: str) -> None:
    """Remove entities that no longer live from the lists of a field."""
    spans = table.column(name)
    items = table.pool_of(name).gather(spans)
    dead = ~world.alive(items)
    if not dead.any():
        return
    owners = np.repeat(np.arange(len(table)), spans[:, 1])
    rows = np.unique(owners[dead])
    table.put_rows(name, rows, [items[(owners == row) & ~dead] for row in rows.tolist()])
    table.mark(rows)


def group(app: App, handles: Sequence[int], name: str) -> int:
    """Give entities a new common parent at the mean of their positions; return it. Their world poses stay.

    The new parent takes the place of the first entity in the tree, and is marked as authored. name: its name; a number
    is added if it is taken. Raises UsageError without entities, for entities without a Transform or another component
    with a parent, and for a name that a manifest can't contain.
    """
    world = app.world
    order = tree_order(app)
    members = tops(world, handles)
    members = members[np.argsort(order.rows_of(members))]
    if not len(members):
        raise UsageError("a group needs at least one entity", hint="Choose entities first")
    require_place(world, members)
    require_name(name)
    parent = int(parents_of(world, members)[0])
    if parent:
        require_depth(world, parent)
    family = order.children(parent)
    at = family.tolist().index(int(members[0]))
    new_parent = world.spawn(Name(value=free_names(world, [name])[0]), *middles_of(world, members))
    mark_authored(world, new_parent)
    hang(world, np.array([new_parent]), parent)
    if is_prefab_child(app, int(members[0])):
        at = len(family)
    hang(world, members, new_parent)
    before, after = (part[~np.isin(part, members)] for part in (family[:at], family[at:]))
    store_arrangement(world, np.concatenate([before, [new_parent], after]))
    store_arrangement(world, members)
    return new_parent


def ungroup(app: App, handles: Sequence[int]) -> list[int]:
    """Replace entities by their children, which keep their world poses; return the children.

    Raises UsageError for an entity without children.
    """
    world, freed = app.world, list[int]()
    for handle in require_alive(world, handles).tolist():
        order = tree_order(app)
        children = order.children(handle)
        if not len(children):
            raise UsageError(f"{phrase_for(world, handle)} has no children", hint="Choose a group")
        parent = int(parents_of(world, np.array([handle]))[0])
        family = order.children(parent)
        at = family.tolist().index(handle)
        hang(world, children, parent)
        store_arrangement(world, np.concatenate([family[:at], children, family[at + 1 :]]))
        delete(app, [handle])
        freed += children.tolist()
    return freed


def reparent(app: App, handles: Sequence[int], parent: int, *, keep_pose: bool = True) -> None:
    """Move entities below another one, after its children. parent: 0 for none.

    keep_pose: change their Transforms so that they stay where they are in the world, except for the shear of a parent
    that is scaled unequally. Raises UsageError if an entity would be its own ancestor, or if one has neither a
    Transform nor another component with a parent.
    """
    world = app.world
    moved = tops(world, handles)
    moved = moved[np.argsort(tree_order(app).rows_of(moved))]
    new_children = moved[parents_of(world, moved) != parent]
    hang(world, moved, parent, keep_pose=keep_pose)
    if len(new_children):
        append_to_arranged(world, new_children, parent)


def rename(app: App, handle: int, name: str) -> None:
    """Set the name of an entity; "" removes it. Raises UsageError for a taken name and for one that is not possible."""
    world = app.world
    require_alive(world, [handle])
    if not name:
        world.remove(handle, Name)
        return
    require_name(name)
    if world.has(handle, Name) and world.get(handle, Name).value == name:
        return
    if free_names(world, [name]) != [name]:
        raise UsageError(
            f"another entity is called {name!r}", hint=f"Choose a name such as {free_names(world, [name])[0]!r}"
        )
    world.add(handle, Name(value=name))


def require_name(name: str) -> None:
    """Raise UsageError for a name of an entity that a manifest can't contain."""
    if not _NAME.match(name):
        raise UsageError(f"{name!r} is no name of an entity", hint="Write it in one line, without '/'")


def add_component(
    app: App, handles: Sequence[int], component: type, pose: Any = Transform, /, **values: Any
) -> None:  # fmt: skip
    """Add a component to the entities that do not have it. values: fields that differ from the defaults.

    Entities without a component that has a parent also get `pose`, a component or its class, unless the new component
    is a name, tags or a group, or has no fields. Raises StaleEntity, and
    UnknownName or DeclarationError for wrong values.
    """
    world = app.world
    entities = require_alive(world, handles)
    without_component = entities[world.table(component).lookup(entities) < 0]
    value: Any = component(**values)
    if len(without_component):
        world.add(without_component, value)
    if _is_placed(component):
        without_pose = entities[~placed(world, entities)]
        if len(without_pose):
            world.add(without_pose, pose)


def _is_placed(component: type) -> bool:
    """Return whether entities with a component need a pose."""
    kind = kind_of(component)
    return kind.owner != "core" and bool(kind.fields)


def remove_component(app: App, handles: Sequence[int], component: type) -> None:
    """Remove a component from entities; entities without it are ignored.

    Raises UsageError for a component that gives an entity its parent or children, such as the Transform.
    """
    world = app.world
    entities = require_alive(world, handles)
    if hangs(component):
        table = world.table(component)
        rows = table.rows_of(entities)
        linked = entities[
            (rows >= 0) & ((table.column("parent")[rows] != 0) | np.isin(entities, table.column("parent")))
        ]
        if len(linked):
            raise UsageError(
                f"{phrase_for(world, int(linked[0]))} has a parent or children, so it needs its {component.__name__}",
                hint="Move it out of the tree first",
            )
    world.remove(entities, component)

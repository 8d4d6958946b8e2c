"""Changes of the structure: deleting, grouping, other parents, names, components."""

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
from .moves import append_to_arranged, is_brought, store_arrangement
from .order import tree_order
from .selection import chosen, placed, require_place, said, tops, with_children
from .transforms import hang, middles_of, require_depth

_NAME = re.compile("[^\\s/][^/\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*\\Z")
"""The names that a manifest can contain: in one line, without "/" and without the characters that YAML refuses."""


def delete(app: App, handles: Sequence[int]) -> None:
    """Despawn entities with all below them. References to them from others become empty. Raises StaleEntity."""
    world = app.world
    gone = with_children(world, tops(world, handles))
    if len(gone):
        world.despawn(gone)
        _clear_references(world)


def _clear_references(world: World) -> None:
    """Empty all references to entities that no longer live; lists lose these items."""
    for table in world.tables.values():
        for name, spec in table.schema.fields.items():
            found = spec.type
            if found.special == "entity":
                column = table.column(name)
                lost = np.flatnonzero((column != 0) & ~world.alive(column))
                if len(lost):
                    column[lost] = 0
                    table.mark(lost)
            elif found.pooled and found.item is not None and found.item.special == "entity":
                _clear_items(world, table, name)


def _clear_items(world: World, table: Any, name: str) -> None:
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

    It is a child of the parent of the first of them, in its place, and is marked as authored. name: a number is added
    if it is taken. Raises UsageError without entities, for entities without a Transform or another component
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
    made = world.spawn(Name(value=free_names(world, [name])[0]), *middles_of(world, members))
    mark_authored(world, made)
    hang(world, np.array([made]), parent)
    if is_brought(app, int(members[0])):
        at = len(family)
    hang(world, members, made)
    before, after = (part[~np.isin(part, members)] for part in (family[:at], family[at:]))
    store_arrangement(world, np.concatenate([before, [made], after]))
    store_arrangement(world, members)
    return made


def ungroup(app: App, handles: Sequence[int]) -> list[int]:
    """Replace entities by their children, which keep their world poses; return these.

    Raises UsageError for an entity without children.
    """
    world, freed = app.world, list[int]()
    for handle in chosen(world, handles).tolist():
        order = tree_order(app)
        children = order.children(handle)
        if not len(children):
            raise UsageError(f"{said(world, handle)} has no children", hint="Choose a group")
        parent = int(parents_of(world, np.array([handle]))[0])
        family = order.children(parent)
        at = family.tolist().index(handle)
        hang(world, children, parent)
        store_arrangement(world, np.concatenate([family[:at], children, family[at + 1 :]]))
        delete(app, [handle])
        freed += children.tolist()
    return freed


def reparent(app: App, handles: Sequence[int], parent: int, *, keep_pose: bool = True) -> None:
    """Move entities below another one, behind its children; parent: 0 for none.

    keep_pose: change their Transforms so that they stay where they are in the world, except for the shear of a parent
    that is scaled unequally. Raises UsageError if an entity would be its own ancestor, or if one has neither a
    Transform nor another component with a parent.
    """
    world = app.world
    moved = tops(world, handles)
    moved = moved[np.argsort(tree_order(app).rows_of(moved))]
    fresh = moved[parents_of(world, moved) != parent]
    hang(world, moved, parent, keep_pose=keep_pose)
    if len(fresh):
        append_to_arranged(world, fresh, parent)


def rename(app: App, handle: int, name: str) -> None:
    """Set the name of an entity; "" removes it. Raises UsageError for a taken name and for one that is not possible."""
    world = app.world
    chosen(world, [handle])
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
    """Add a component to the entities that do not have it. values: its first values; others have their defaults.

    Entities that have no component with a parent get `pose` as well, a component or its class, if the component belongs
    to something with a place: all but names, tags and groups and components without fields. Raises StaleEntity, and
    UnknownName or DeclarationError for wrong values.
    """
    world = app.world
    mine = chosen(world, handles)
    lacking = mine[world.table(component).lookup(mine) < 0]
    parts: Any = component(**values)
    if len(lacking):
        world.add(lacking, parts)
    if _is_placed(component):
        lost = mine[~placed(world, mine)]
        if len(lost):
            world.add(lost, pose)


def _is_placed(component: type) -> bool:
    kind = kind_of(component)
    return kind.owner != "core" and bool(kind.fields)


def remove_component(app: App, handles: Sequence[int], component: type) -> None:
    """Remove a component from entities; absent ones are ignored.

    Raises UsageError for the Transform, or another component with a parent, of an entity that has a parent or children
    by it.
    """
    world = app.world
    mine = chosen(world, handles)
    if hangs(component):
        table = world.table(component)
        own = table.rows_of(mine)
        hung = mine[(own >= 0) & ((table.column("parent")[own] != 0) | np.isin(mine, table.column("parent")))]
        if len(hung):
            raise UsageError(
                f"{said(world, int(hung[0]))} has a parent or children, so it needs its {component.__name__}",
                hint="Move it out of the tree first",
            )
    world.remove(mine, component)

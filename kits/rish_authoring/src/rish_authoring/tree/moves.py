"""Moves entities among their siblings, and to other parents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_core import App, Origin, Scenes, UsageError, World
from rish_core.manifest import Step
from rish_ecs.declarations import Column
from rish_ecs.storage import parents_of

from .order import Arranged, arrangement, compute_order, tree_order
from .selection import phrase_for, tops
from .transforms import hang


def move_before(app: App, handles: Sequence[int], sibling: int) -> None:
    """Put entities directly before another one, below its parent; their world poses stay. Raises UsageError."""
    _move_beside(app, handles, sibling, 0)


def move_after(app: App, handles: Sequence[int], sibling: int) -> None:
    """Put entities directly after another one, below its parent; their world poses stay. Raises UsageError."""
    _move_beside(app, handles, sibling, 1)


def move_into(app: App, handles: Sequence[int], parent: int, at: int | None = None) -> None:
    """Put entities below a parent (0: none) before its child number `at`; None: after the last one.

    World poses stay. Raises UsageError for a parent within the moved entities, and for children of a prefab instance,
    whose order the text can't express.
    """
    moved = _in_order(app, handles)
    family = tree_order(app).children(parent)
    at = len(family) if at is None else min(max(at, 0), len(family))
    _hang_between(app, moved, parent, family[:at], family[at:])


def _move_beside(app: App, handles: Sequence[int], sibling: int, after: int) -> None:
    """Put entities next to a sibling. after: 0 before it, 1 after it."""
    moved = _in_order(app, handles)
    parent = int(parents_of(app.world, tops(app.world, [sibling]))[0])
    family = tree_order(app).children(parent)
    at = int(np.flatnonzero(family == sibling)[0]) + after
    _hang_between(app, moved, parent, family[:at], family[at:])


def _in_order(app: App, handles: Sequence[int]) -> Column:
    """Return the topmost of the handles in the order of the tree."""
    roots = tops(app.world, handles)
    return roots[np.argsort(tree_order(app).rows_of(roots))]


def _hang_between(app: App, moved: Column, parent: int, before: Column, after: Column) -> None:
    """Set the parent of entities, and store the order of all its children. before, after: the children around them."""
    world = app.world
    before, after = (siblings[~np.isin(siblings, moved)] for siblings in (before, after))
    staying = moved[parents_of(world, moved) == parent]
    for siblings, why in (
        (staying, "it comes from a prefab"),
        (after, "it comes from a prefab, before other children"),
    ):
        fixed = [handle for handle in siblings.tolist() if parent and is_prefab_child(app, handle)]
        if fixed:
            raise UsageError(f"{phrase_for(world, fixed[0])} has a fixed place: {why}", hint="Change the prefab")
    hang(world, moved, parent)
    store_arrangement(world, np.concatenate([before, moved, after]))


def store_arrangement(world: World, family: Column) -> None:
    """Store the order of siblings. family: int64 (n,), all children of one parent."""
    arranged = arrangement(world)
    arranged = arranged[world.alive(arranged)] if len(arranged) else arranged
    world.put(Arranged(handles=np.concatenate([arranged[~np.isin(arranged, family)], family])))


def append_to_arranged(world: World, handles: Column, parent: int) -> None:
    """Arrange new children of a parent after its other children.

    handles: int64 (n,), the new children in their order.
    """
    order = compute_order(world, arrangement(world))
    family = order.children(parent)
    store_arrangement(world, np.concatenate([family[~np.isin(family, handles)], handles]))


def is_prefab_child(app: App, handle: int) -> bool:
    """Return whether an entity was spawned as a child of a prefab, so that it has no entry of its own."""
    world = app.world
    if not world.has(handle, Origin) or not parents_of(world, np.array([handle], np.int64))[0]:
        return False
    origin: Any = world.get(handle, Origin)
    if origin.scene != world[Scenes].current or origin.scene not in app.game.scenes:
        return origin.scene.startswith("prefab:") and origin.entry > 0
    steps: list[Step] = app.game.scene(origin.scene).steps
    if origin.entry >= len(steps):
        return False
    path = steps[int(origin.entry)].node.path
    return path[0] != "scenes" or not isinstance(path[-1], int)

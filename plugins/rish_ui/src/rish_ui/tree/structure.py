"""The structure of the interface as arrays: which entities are widgets, of which kind, and what is above them.

It follows from the state alone, also the order of siblings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Name, Origin, Transform
from rish_ecs import Compared, Disabled
from rish_ecs.declarations import distinct
from rish_jit import Array

from ..components.layout import Layout
from ..components.screen import Screen, Widget

if TYPE_CHECKING:
    from rish_ecs import World

COMMON = (Screen, Layout, Widget)
"""Components that make an entity a container if it has no component of a kind."""
_OF_PREFAB = "prefab:"
_MAX_DEPTH = 64
"""The greatest number of parents of a widget that are no widgets, also in a circle of parents."""


FACTS: dict[Any, tuple[type, str]] = {
    Transform: (Transform, "parent"),
    Name: (Name, "value"),
    Compared(Widget): (Widget, "order"),
    Disabled: (Disabled, ""),
}
"""What the structure depends on besides which entities have which components: component and column, by source."""


def fact_of(world: World, source: Any, entities: Array) -> Array:
    """Return a column of `FACTS` for entities, 0 for those without a row; without a column, whether they have a row."""
    cls, name = FACTS[source]
    table = world.table(cls)
    rows = table.rows_of(entities)
    if not name or not len(table):
        return rows >= 0
    return np.where(rows >= 0, table.column(name)[rows], 0)


def parents_of(world: World, entities: Array) -> Array:
    """Return the parents of entities, int64; 0 for none."""
    return fact_of(world, Transform, entities).astype(np.int64)


def names_of(world: World, entities: Array) -> Array:
    """Return the numbers of the names of entities; 0 for none."""
    return fact_of(world, Name, entities).astype(np.int64)


def structure_of(world: World, classes: Sequence[type]) -> tuple[list[tuple[int, Array]], Array]:
    """Return the roots in their order, each with its rows, and all entities that the structure depends on.

    classes: the components of widgets; the first one counts for an entity with several. A row, int64 (6,), is a
    widget: entity, index of its class, number of its name, parent, the nearest widget above it or 0, and bits of the
    components of `COMMON` that it has. Siblings are in order.
    """
    handles = [world.tables[cls].entities if cls in world.tables else np.zeros(0, np.int64) for cls in classes]
    indices = np.repeat(np.arange(len(classes)), [len(each) for each in handles])
    candidates, first = np.unique(np.concatenate(handles), return_index=True)
    enabled = ~fact_of(world, Disabled, candidates)
    entities, first = candidates[enabled], first[enabled]
    above, between = _above(world, entities)
    count = len(entities)
    parts = sum((world.table(cls).rows_of(entities) >= 0) << bit for bit, cls in enumerate(COMMON))
    is_screen = world.table(Screen).rows_of(entities) >= 0
    root = np.where((above == count) | is_screen, np.arange(count), above)
    while not np.array_equal(root, upper := root[root]):
        root = upper
    order = _in_order(world, entities)
    nested = np.flatnonzero(is_screen & (above < count))
    tops = np.concatenate([order[above[order] == count], nested[np.argsort(first[nested])]])
    rank, place = np.empty(count, np.int64), np.empty(count, np.int64)
    rank[order], place[tops] = np.arange(count), np.arange(len(tops))
    sequence = np.lexsort((rank, place[root]))
    above_handles = np.append(entities, 0)[above]
    columns = (entities, indices[first], names_of(world, entities), parents_of(world, entities), above_handles, parts)
    rows = np.column_stack(columns).astype(np.int64)[sequence]
    ends = np.searchsorted(place[root][sequence], np.arange(1, len(tops)))
    blocks = list(zip(entities[tops].tolist(), np.split(rows, ends), strict=True)) if count else []
    return blocks, distinct(np.concatenate([candidates, between]))


def _above(world: World, entities: Array) -> tuple[Array, Array]:
    """Return the index of the nearest widget above each widget, `len(entities)` for none; and the entities between.

    A circle of parents is cut.
    """
    count, parents = len(entities), parents_of(world, entities)
    between: list[Array] = []
    above = np.full(count, count)
    if not count:
        return above, parents
    for _ in range(_MAX_DEPTH + 1):
        found = np.minimum(np.searchsorted(entities, parents), count - 1)
        above = np.where(entities[found] == parents, found, count)
        loose = np.flatnonzero((parents != 0) & (above == count))
        if not len(loose):
            break
        between.append(parents[loose])
        parents[loose] = parents_of(world, parents[loose])
    _cut_circles(above)
    return above, np.concatenate([*between, np.zeros(0, np.int64)])


def _cut_circles(above: Array) -> None:
    count = len(above)
    top = np.append(above, count)
    for _ in range(count.bit_length()):
        top = top[top]
    for k in np.flatnonzero(top[:count] != count).tolist():
        visited, at = {k}, int(above[k])
        while at != count and at not in visited:
            visited.add(at)
            at = int(above[at])
        if at != count:
            above[at] = count


def _in_order(world: World, entities: Array) -> Array:
    """Return the indices of entities so that siblings are in order: by `Widget.order`, then as written, then as
    created."""
    origins = world.table(Origin)
    late, entry, copy = (np.zeros(len(entities), np.int64) for _ in range(3))
    rows = origins.rows_of(entities)
    has_origin = rows >= 0
    entry[has_origin] = origins.column("entry")[rows[has_origin]]
    copy[has_origin] = origins.column("copy")[rows[has_origin]]
    scenes = origins.column("scene")[rows[has_origin]]
    prefabs = [number for number in distinct(scenes).tolist() if world.text(number).startswith(_OF_PREFAB)]
    late[~has_origin] = 1
    late[np.flatnonzero(has_origin)[np.isin(scenes, prefabs) & (entry[has_origin] == 0)]] = 1
    entry[late == 1] = copy[late == 1] = 0
    table = world.table(Transform)
    rows = table.rows_of(entities)
    created = np.where((rows >= 0) & (late == 1), table.added_at[rows], 0)
    return np.lexsort((entities, copy, entry, created, late, fact_of(world, Compared(Widget), entities)))

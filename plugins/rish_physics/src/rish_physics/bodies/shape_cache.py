"""The shape cache: a body with the same columns as an earlier one gets a copy of that body's rows instead of being
computed again.

Hulls, mass and inertia depend only on the columns of Body and Collider and on the scale. Most entities that a game
spawns while it runs are copies: a shot, a crate, a spark. So the rows of the first one are cached, with the values of
those columns as the key, and one kernel copies them for all new bodies of a tick. A copied body has the same bits as an
assembled one, so the state of a game does not depend on the content of the cache, which is empty after a restore.

Only single bodies are copied: those without a parent and with one collider, on the same entity.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from rish_ecs import Columns, kind_of
from rish_ecs.storage import INDEX_MASK
from rish_jit import Array

from ..components.bodies import Body, Collider
from ..components.links import Links
from ..components.settings import PhysicsSettings
from ..components.slots import SHAPE, take_slots
from ..components.tables import AWAKE, PUT_TO_SLEEP
from ..contacts.state import State
from .assembly import box_shapes
from .copy_kernel import body_arrays, copy_bodies, shape_arrays

_MAX_CACHED = 256
"""The number of cached bodies."""
_LEFT_OUT = frozenset({"velocity", "angular_velocity", "force", "torque", "asleep", "enabled", "points"})
"""Columns of Body and Collider that don't affect the shapes, or only by the data to which they point."""
_KEY_OF_BODY, _KEY_OF_COLLIDER = (
    tuple([name for name in kind_of(cls).fields if name not in _LEFT_OUT]) for cls in (Body, Collider)
)
"""The other columns."""
_KEY_OF_PLACE = ("scale",)


Rows: TypeAlias = dict[int, tuple[int, int, int]]
"""By entity, its rows of Transform, Body and Collider."""
Key: TypeAlias = tuple[Any, ...]
"""The values of the columns of a body, for comparisons."""


def keys_of(state: State, links: Links, entities: list[int], rows: Rows) -> list[Key] | None:
    """Return the cache key of each new body; None if one of the bodies is not a single body (see the
    module).

    Requires that `links.holders` is up to date for these entities, and that they have as many colliders as bodies.
    """
    places, bodies, forms, _ = state.columns
    spans, items = forms.flat("points"), forms.pool_of("points").items
    parent, slots = places.flat("parent"), links.body_of
    keys: list[Key] = []
    for entity in entities:
        place, body, form = rows[entity]
        if form < 0 or links.holders[form] != slots[entity & INDEX_MASK] or parent[place]:
            return None
        first, count = spans[2 * form : 2 * form + 2].tolist()
        points = items[first : first + count].tobytes() if count else b""
        own = bodies.row_key(body, _KEY_OF_BODY) if body >= 0 else ()
        keys.append((places.row_key(place, _KEY_OF_PLACE), points, forms.row_key(form, _KEY_OF_COLLIDER), own))
    return keys


def copy_cached(state: State, links: Links, entities: list[int], slots: Array, keys: list[Key], rows: Rows) -> bool:
    """Fill the empty slots of new bodies with rows from the cache; if one is not in the cache, change nothing and
    return False.

    A body that exceeds the maximum speed is not copied, because the normal path logs it. rows: see
    `incremental_update`.
    """
    layers: dict[str, Any] = state.world[PhysicsSettings].layers
    cache = links.cache
    if cache.scaled is not state.scaled or cache.layers != layers:
        cache.clear()
        cache.scaled, cache.layers = state.scaled, dict(layers)
    table, maximum = state.columns[1], float(state.scaled.max_speed) ** 2
    velocity = table.flat("velocity")
    copies: list[tuple[int, ...]] = []
    for entity, slot, key in zip(entities, slots.tolist(), keys, strict=True):
        place, body, form = rows[entity]
        cached = cache.rows.get(key)
        if cached is None:
            return False
        if body >= 0 and not velocity.item(2 * body) ** 2 + velocity.item(2 * body + 1) ** 2 <= maximum:
            return False
        copies.append((form, slot, place, body, *cached))
    copies.sort()  # the shapes take their slots in the order of their colliders
    shape_slots = take_slots(state.free, state.shapes, SHAPE, sum(copy[-1] for copy in copies))
    places = state.columns[0]
    copy_bodies(
        np.array(copies, np.int64).ravel(), state.bodies.flat("entity"), shape_slots,
        state.bodies.cached(body_arrays), state.shapes.cached(shape_arrays),
        cache.bodies.cached(body_arrays), cache.shapes.cached(shape_arrays),
        (places.flat("position"), places.flat("rotation"), places.flat("scale")),
        (velocity, table.flat("angular_velocity"), table.flat("asleep")),
    )  # fmt: skip
    box_shapes(state, shape_slots)
    return True


def remember_shapes(state: State, links: Links, slots: Array, keys: list[Key]) -> None:
    """Store the rows of new bodies in the cache."""
    cache = links.cache
    for slot, key in zip(slots.tolist(), keys, strict=True):
        shapes: list[int] = []
        shape = state.bodies.first_shape.item(slot)
        while shape >= 0:
            shapes.append(shape)
            shape = state.shapes.next.item(shape)
        if not shapes:  # an invalid collider, which is reported elsewhere
            continue
        if len(cache.rows) >= _MAX_CACHED:
            cache.clear()
        row, first = len(cache.bodies), len(cache.shapes)
        _append(cache.bodies, state.bodies, slice(slot, slot + 1))
        _append(cache.shapes, state.shapes, shapes)
        cache.bodies.state[row, :3] = 0
        cache.bodies.flags[row] &= ~(AWAKE | PUT_TO_SLEEP)
        cache.rows[key] = row, first, len(shapes)


def _append(table: Columns, source: Any, rows: Any) -> None:
    """Add copies of rows of another table of the same kind."""
    columns = {name: source.column(name)[rows] for name in table.schema.fields}
    new = table.resize(len(table) + len(columns["entity"]))
    for name, values in columns.items():
        table.column(name)[new] = values

"""The shape cache: a body with the same columns as an earlier one gets a copy of that body's rows instead of being
computed again.

Hulls, mass and inertia depend only on the columns of Body and Collider and on the scale. Most entities that a game
spawns while it runs are copies: a shot, a crate, a spark. So the rows of the first one are cached, with the values of
those columns as the key, and `single_bodies` copies them for all new bodies of a tick. A copied body has the same bits
as an assembled one, so the state of a game does not depend on the content of the cache, which is empty after a restore.

Only single bodies are cached: those without a parent and with one collider, on the same entity.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from rish_ecs import Columns, kind_of
from rish_jit import Array

from ..components.bodies import Body, Collider
from ..components.links import Links, ShapeCache
from ..components.settings import PhysicsSettings
from ..components.tables import AWAKE, PUT_TO_SLEEP
from ..contacts.state import State

_MAX_CACHED = 256
"""The number of cached bodies."""
_LEFT_OUT = frozenset({"velocity", "angular_velocity", "force", "torque", "asleep", "enabled", "points"})
"""Columns of Body and Collider that don't affect the shapes, or only by the data to which they point."""
_KEY_OF_BODY, _KEY_OF_COLLIDER = (
    tuple([name for name in kind_of(cls).fields if name not in _LEFT_OUT]) for cls in (Body, Collider)
)
"""The other columns."""
_KEY_OF_PLACE = ("scale",)


Key: TypeAlias = tuple[Any, ...]
"""The values of the columns of a body, for comparisons."""


def cache_of(state: State, links: Links) -> ShapeCache:
    """Return the cache, which is emptied after a change of the settings."""
    layers: dict[str, Any] = state.world[PhysicsSettings].layers
    cache = links.cache
    if cache.scaled is not state.scaled or cache.layers != layers:
        cache.clear()
        cache.scaled, cache.layers = state.scaled, dict(layers)
    return cache


def key_of(state: State, place: int, body: int, form: int) -> Key:
    """Return the key of a single body: its rows of Transform, Body (-1 for none) and Collider."""
    places, bodies, forms, _ = state.columns
    first, count = forms.flat("points")[2 * form : 2 * form + 2].tolist()
    points = forms.pool_of("points").items[first : first + count].tobytes() if count else b""
    own = bodies.row_key(body, _KEY_OF_BODY) if body >= 0 else ()
    return places.row_key(place, _KEY_OF_PLACE), points, forms.row_key(form, _KEY_OF_COLLIDER), own


def remember_shapes(state: State, links: Links, slots: Array, keys: list[Key]) -> None:
    """Store the rows of new single bodies in the cache."""
    cache = cache_of(state, links)
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

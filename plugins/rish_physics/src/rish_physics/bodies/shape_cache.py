"""The shape cache: a body with the same columns as an earlier one gets a copy of that body's rows instead of being
computed again.

Hulls, mass and inertia depend only on the columns of Body and Collider and on the scale. Most entities that a game
spawns while it runs are copies: a shot, a crate, a spark. So the rows of the first one are cached, with the bytes of
those columns as the key. A copied body has the same bits as an assembled one, so the state of a game does not depend
on the content of the cache, which is empty after a restore.

Only single bodies are copied: those without a parent and with one collider, on the same entity.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from rish_jit import Array, maths

from ..components.links import Links
from ..components.settings import PhysicsSettings
from ..components.slots import SHAPE, take_slots
from ..components.tables import AWAKE, DYNAMIC, FIXED_ROTATION, KINEMATIC, STATIC, TYPE
from ..contacts.state import State
from .assembly import box_shapes

_MAX_CACHED = 256
"""The number of cached bodies."""
_LEFT_OUT = frozenset({"velocity", "angular_velocity", "force", "torque", "asleep", "enabled", "points"})
"""Columns of Body and Collider that don't affect the shapes, or only by the data to which they point."""


Rows: TypeAlias = dict[int, tuple[int, int, int]]
"""By entity, its rows of Transform, Body and Collider."""


class CachedShapes(NamedTuple):
    """A row of `Bodies`, at rest, and rows of `Shapes`: a flat array for each field."""

    body: list[Array]
    shapes: list[list[Array]]


def keys_of(state: State, links: Links, entities: list[int], rows: Rows) -> list[bytes] | None:
    """Return the cache key of each new body, as bytes; None if one of the bodies is not a single body (see the
    module).

    Requires that `links.holders` is up to date for these entities, and that they have as many colliders as bodies.
    """
    places, bodies, forms, _ = state.columns
    keys: list[bytes] = []
    for entity in entities:
        slot = links.slot_of(state.bodies, entity)
        place, body, form = rows[entity]
        if form < 0 or links.holders[form] != slot or places.parent[place]:
            return None
        parts = [places.scale[place].tobytes(), *_bytes(forms, form), *(_bytes(bodies, body) if body >= 0 else ())]
        first, count = forms.points.spans[form].tolist()
        keys.append(b"".join([*parts, forms.points.items[first : first + count].tobytes()]))
    return keys


def _bytes(table: Any, row: int) -> list[bytes]:
    fields = zip(table.schema.fields, table.flat_rows(slice(row, row + 1)), strict=True)
    return [part.tobytes() for name, part in fields if name not in _LEFT_OUT]


def copy_cached(state: State, links: Links, entities: list[int], slots: Array, keys: list[bytes], rows: Rows) -> bool:
    """Fill the empty slots of new bodies with rows from the cache; if one is not in the cache, change nothing and
    return False.

    A body that exceeds the maximum speed is not copied, because the normal path logs it. rows: see
    `incremental_update`.
    """
    layers: dict[str, Any] = state.world[PhysicsSettings].layers
    made_for = vars(state.scaled), dict(layers)
    if links.cache.made_for != made_for:
        links.cache.rows, links.cache.made_for = {}, made_for
    entries: list[CachedShapes] = [links.cache.rows[key] for key in keys if key in links.cache.rows]
    if len(entries) < len(keys):
        return False
    maximum = float(state.scaled.max_speed) ** 2
    moves = [_velocity(state, rows[entity][1]) for entity in entities]
    if not all(x * x + y * y <= maximum for x, y, _ in moves):
        return False
    for entity, slot, cached, velocity in zip(entities, slots.tolist(), entries, moves, strict=True):
        _copy_body(state, slot, cached, rows[entity], velocity)
    order = sorted(range(len(entities)), key=lambda k: rows[entities[k]][2])
    _copy_shapes(state, [entities[k] for k in order], slots[order].tolist(), [entries[k] for k in order])
    return True


def _velocity(state: State, row: int) -> tuple[float, float, float]:
    bodies = state.columns[1]
    return (*bodies.velocity[row].tolist(), float(bodies.angular_velocity[row])) if row >= 0 else (0.0, 0.0, 0.0)


def _copy_body(
    state: State, slot: int, cached: CachedShapes, where: tuple[int, int, int], velocity: tuple[float, float, float]
) -> None:
    places, bodies = state.columns[:2]
    place, body, _ = where
    rows = dict(zip(state.bodies.schema.fields, state.bodies.flat_rows(slice(slot, slot + 1)), strict=True))
    entity = int(rows["entity"][0])
    for row, value in zip(rows.values(), cached.body, strict=True):
        row[:] = value
    (x, y), angle = places.position[place].tolist(), float(places.rotation[place])
    sin, cos = maths.sincos(angle)
    rows["entity"][0] = entity
    rows["seen"][:] = x, y, angle, *velocity, *places.scale[place].tolist()
    pose = rows["pose"]
    pose[2:] = cos, sin
    c, s = pose[2:].tolist()
    mx, my = rows["extent"][:2].tolist()
    pose[:2] = x + (c * mx - s * my), y + (s * mx + c * my)
    flags = int(rows["flags"][0])
    kind, going = flags & TYPE, False
    if kind != STATIC:
        spin = 0.0 if flags & FIXED_ROTATION else velocity[2]
        rows["state"][:3] = *velocity[:2], spin
        going = bool(velocity[0] or velocity[1] or spin)
    if (kind == DYNAMIC and (going or not bodies.asleep[body])) or (kind == KINEMATIC and going):
        rows["flags"][0] = flags | AWAKE


def _copy_shapes(state: State, entities: list[int], slots: list[int], entries: list[CachedShapes]) -> None:
    """Copy the cached shapes of all new bodies, in the order of their colliders."""
    shape_slots = take_slots(state.free, state.shapes, SHAPE, sum(len(cached.shapes) for cached in entries))
    waiting, names = iter(shape_slots.tolist()), list(state.shapes.schema.fields)
    owner, body, following = (names.index(name) for name in ("entity", "body", "next"))
    for entity, holder, cached in zip(entities, slots, entries, strict=True):
        last = None
        for values in cached.shapes:
            slot = next(waiting)
            rows = state.shapes.flat_rows(slice(slot, slot + 1))
            for row, value in zip(rows, values, strict=True):
                row[:] = value
            rows[owner][0], rows[body][0], rows[following][0] = entity, holder, -1
            if last is None:
                state.bodies.first_shape[holder] = slot
            else:
                last[0] = slot
            last = rows[following]
    box_shapes(state, shape_slots)


def remember_shapes(state: State, links: Links, slots: Array, keys: list[bytes]) -> None:
    """Store the rows of new bodies in the cache."""
    names = list(state.bodies.schema.fields)
    for slot, key in zip(slots.tolist(), keys, strict=True):
        shapes: list[list[Array]] = []
        shape = int(state.bodies.first_shape[slot])
        while shape >= 0:
            shapes.append([row.copy() for row in state.shapes.flat_rows(slice(shape, shape + 1))])
            shape = int(state.shapes.next[shape])
        if not shapes:  # an invalid collider, which is reported elsewhere
            continue
        if len(links.cache.rows) >= _MAX_CACHED:
            links.cache.rows.clear()
        body = [row.copy() for row in state.bodies.flat_rows(slice(slot, slot + 1))]
        body[names.index("state")][:3] = 0
        body[names.index("flags")] &= ~AWAKE
        links.cache.rows[key] = CachedShapes(body, shapes)

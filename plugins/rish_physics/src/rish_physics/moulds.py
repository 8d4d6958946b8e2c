"""Moulds: a body that is like one that was made before is cast, and not worked out again.

Hulls, mass and inertia follow from what the columns of Body and Collider say and from the size, and from nothing else;
and most of what a game spawns while it runs is one more of the same: a shot, a crate, a spark. So what came out the
first time is kept under the bytes of those columns. A cast body has the bits of one that was assembled; who has moulds
and who has not (after a restore, nobody has) goes on to the same state.

Only a body on its own is cast: one that hangs on nothing, with its own collider and no other.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy.typing as npt

from rish_ecs import maths

from .assembly import box_shapes
from .links import Links
from .settings import Settings
from .slots import SHAPE, take_slots
from .state import State
from .tables import AWAKE, DYNAMIC, FIXED_ROTATION, KINEMATIC, STATIC, TYPE

Array = npt.NDArray[Any]
_MOST = 256
"""Moulds that are kept at once."""
_LEFT_OUT = frozenset({"velocity", "angular_velocity", "force", "torque", "asleep", "enabled", "points"})
"""Columns of Body and Collider that don't shape a body, or do so by what they point to."""


Rows: TypeAlias = dict[int, tuple[int, int, int]]
"""Of each entity, its rows of Transform, Body and Collider."""


class Mould(NamedTuple):
    """A row of `Bodies`, at rest, and rows of `Shapes`: a flat array of each field."""

    body: list[Array]
    shapes: list[list[Array]]


def keys_of(state: State, links: Links, entities: list[int], rows: Rows) -> list[bytes] | None:
    """What each of these new bodies is made from, as bytes; None where one of them is not on its own.

    links.holders must know of them already, and they must have as many colliders as they are.
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


def cast(state: State, links: Links, entities: list[int], slots: Array, keys: list[bytes], rows: Rows) -> bool:
    """Make these new bodies, whose slots are empty, from their moulds; False, and nothing is done, where one has none.

    A body that is too fast is not cast either, since that is told. rows: see `arrivals`.
    """
    layers: dict[str, Any] = state.world[Settings].layers
    if links.moulds_for != (state.scaled, layers):
        links.moulds, links.moulds_for = {}, (state.scaled, dict(layers))
    moulds: list[Mould] = [links.moulds[key] for key in keys if key in links.moulds]
    if len(moulds) < len(keys):
        return False
    most = float(state.scaled.max_speed) ** 2
    moves = [_velocity(state, rows[entity][1]) for entity in entities]
    if not all(x * x + y * y <= most for x, y, _ in moves):
        return False
    for entity, slot, mould, velocity in zip(entities, slots.tolist(), moulds, moves, strict=True):
        _cast_body(state, slot, mould, rows[entity], velocity)
    order = sorted(range(len(entities)), key=lambda k: rows[entities[k]][2])
    _cast_shapes(state, [entities[k] for k in order], slots[order].tolist(), [moulds[k] for k in order])
    return True


def _velocity(state: State, row: int) -> tuple[float, float, float]:
    bodies = state.columns[1]
    return (*bodies.velocity[row].tolist(), float(bodies.angular_velocity[row])) if row >= 0 else (0.0, 0.0, 0.0)


def _cast_body(
    state: State, slot: int, mould: Mould, where: tuple[int, int, int], velocity: tuple[float, float, float]
) -> None:
    places, bodies = state.columns[:2]
    place, body, _ = where
    rows = dict(zip(state.bodies.schema.fields, state.bodies.flat_rows(slice(slot, slot + 1)), strict=True))
    entity = int(rows["entity"][0])
    for row, value in zip(rows.values(), mould.body, strict=True):
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


def _cast_shapes(state: State, entities: list[int], slots: list[int], moulds: list[Mould]) -> None:
    """The shapes of all of them, which stand in the order of their colliders."""
    made = take_slots(state.free, state.shapes, SHAPE, sum(len(mould.shapes) for mould in moulds))
    waiting, names = iter(made.tolist()), list(state.shapes.schema.fields)
    owner, body, following = (names.index(name) for name in ("entity", "body", "next"))
    for entity, holder, mould in zip(entities, slots, moulds, strict=True):
        last = None
        for values in mould.shapes:
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
    box_shapes(state, made)


def take_moulds(state: State, links: Links, slots: Array, keys: list[bytes]) -> None:
    """Keep what was made of new bodies."""
    names = list(state.bodies.schema.fields)
    for slot, key in zip(slots.tolist(), keys, strict=True):
        shapes: list[list[Array]] = []
        shape = int(state.bodies.first_shape[slot])
        while shape >= 0:
            shapes.append([row.copy() for row in state.shapes.flat_rows(slice(shape, shape + 1))])
            shape = int(state.shapes.next[shape])
        if not shapes:  # a collider that could be no shape, which is told
            continue
        if len(links.moulds) >= _MOST:
            links.moulds.clear()
        body = [row.copy() for row in state.bodies.flat_rows(slice(slot, slot + 1))]
        body[names.index("state")][:3] = 0
        body[names.index("flags")] &= ~AWAKE
        links.moulds[key] = Mould(body, shapes)

"""Which collider belongs to which body, with its solid and where it is on the body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Disabled
from rish_ecs import UsageError
from rish_jit import Array
from rish_space3d import Transform3D, quaternions, unit_quaternions, world_poses

from ..components.bodies import DYNAMIC, STATIC, Body3D, Collider3D, ColliderShape3D
from ..maths.digests import alike
from .models import ColliderModels3D, fitted
from .solids import Solid, field_solid, mesh_solid, solid_of

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_MAX_ANCESTORS = 256
"""The greatest number of ancestors that are followed. An entity with more may be its own ancestor."""
_MOVING_MESH = (
    "a mesh can't be a part of a dynamic body. Use the shape hull or box, or make the body static or kinematic"
)
_SHAPES = list(ColliderShape3D)
_NUMBERS = ("size", "radius", "offset", "density", "friction", "restitution", "rolling_resistance", "cell")
_HULL, _MESH, _FIELD = (
    _SHAPES.index(shape) for shape in (ColliderShape3D.HULL, ColliderShape3D.MESH, ColliderShape3D.HEIGHTFIELD)
)


class Part:
    """A collider of a body: its entity, solid, and pose in the frame of the body's entity, float64."""

    __slots__ = ("entity", "position", "rotation", "solid")

    def __init__(self, entity: int, solid: Solid, position: Array, rotation: Array) -> None:
        self.entity, self.solid, self.position, self.rotation = entity, solid, position, rotation


class PlainColliders(NamedTuple):
    """Colliders without points of their own that are the only shape of their body, and on its own entity.

    entities: int64. which: int, the number in `parts` of a collider that is alike.
    """

    entities: Array
    which: Array
    parts: Sequence[Part]


def read_parts(world: World) -> tuple[PlainColliders, dict[int, list[Part]], dict[int, str]]:
    """Return the plain colliders, the other colliders of each body by its entity, and why some are no shapes."""
    table, places, bodies = world.table(Collider3D), world.table(Transform3D), world.table(Body3D)
    none = np.zeros(0, np.int64)
    if not len(table):
        return PlainColliders(none, none, ()), {}, {}
    entities, rows = table.entities, places.rows_of(table.entities)
    faults = dict.fromkeys(entities[rows < 0].tolist(), "the entity has no Transform3D")
    present = (rows >= 0) & (world.table(Disabled).rows_of(entities) < 0)
    for row, reason in _wrong_numbers(table).items():
        if present[row]:
            present[row], faults[int(entities[row])] = False, reason
    poses = world_poses(world)
    offsets, turns = table.offset.astype(np.float64), unit_quaternions(table.rotation)
    factors = poses[2][rows]
    holders = np.where(present, entities, 0)
    children = np.flatnonzero(present & (bodies.rows_of(entities) < 0) & (places.parent[rows] != 0))
    for row in children.tolist():
        holders[row] = _holder(world, int(entities[row]))
    held = np.isin(entities, holders[children][holders[children] != entities[children]])
    has_points = np.isin(table.shape, (_MESH, _FIELD)) | ((table.shape == _HULL) & (table.asset == 0))
    is_plain = present & (holders == entities) & ~held & ~has_points
    parts: dict[int, list[Part]] = {}
    for row in np.flatnonzero(present & ~is_plain).tolist():
        entity, holder = int(entities[row]), int(holders[row])
        try:
            part = _part(world, table, row, factors[row], offsets[row] * factors[row], turns[row])
        except UsageError as error:
            faults[entity] = str(error)
            continue
        if part.solid.mesh is not None and _type_of(world, holder) == DYNAMIC:
            faults[entity] = _MOVING_MESH
            continue
        if holder != entity:
            above = places.row_of(holder)
            part.position, part.rotation = _on_ancestor(poses, int(rows[row]), above, part.position, part.rotation)
            if not np.isfinite(part.position).all():
                faults[entity] = "its position is not finite"
                continue
        parts.setdefault(holder, []).append(part)
    plain = _plain(world, np.flatnonzero(is_plain), offsets * factors, turns, factors, faults)
    return plain, parts, faults


def _plain(
    world: World, rows: Array, offsets: Array, turns: Array, factors: Array, faults: dict[int, str]
) -> PlainColliders:
    """Return the plain colliders in these rows; those that are alike share one part."""
    table = world.table(Collider3D)
    keys = np.column_stack(
        [
            table.shape[rows], table.size[rows], table.radius[rows], table.density[rows], table.sensor[rows],
            table.asset[rows], table.part[rows], table.oriented[rows], offsets[rows], turns[rows], factors[rows],
        ]
    ).astype(np.float64)  # fmt: skip
    first, which = alike(keys)
    parts: list[Part] = []
    number = np.full(len(first), -1)
    for kind, row in enumerate(rows[first].tolist()):
        try:
            part = _part(world, table, row, factors[row], offsets[row], turns[row])
        except UsageError as error:
            faults.update(dict.fromkeys(table.entities[rows[which == kind]].tolist(), str(error)))
            continue
        number[kind] = len(parts)
        parts.append(part)
    sound = number[which] >= 0
    return PlainColliders(table.entities[rows[sound]], number[which[sound]], parts)


def _wrong_numbers(table: Any) -> dict[int, str]:
    """Return a sentence by row for each collider with a number that is not finite, or below 0."""
    wrong: dict[int, str] = {}
    for name in _NUMBERS:
        values = np.asarray(table.column(name), np.float64).reshape(len(table), -1)
        is_sound = np.isfinite(values) & ((values >= 0) | (name == "offset"))
        for row in np.flatnonzero(~is_sound.all(axis=1)).tolist():
            value = ", ".join(f"{number:g}" for number in values[row])
            wrong[row] = f"its {name} is {value}. Set a finite number{'' if name == 'offset' else ', 0 or more'}"
    return wrong


def _on_ancestor(
    poses: tuple[Array, Array, Array], row: int, above: int, place: Array, turn: Array
) -> tuple[Array, Array]:
    """Return a child's pose in the frame of the body's entity. row, above: of both in Transform3D."""
    position, rotation, _ = poses
    back = quaternions.inverse(rotation[above])
    world_place = position[row] + quaternions.turned(rotation[row], place)
    turn = quaternions.product(back, quaternions.product(rotation[row], turn))
    return quaternions.turned(back, world_place - position[above]), turn


def _part(world: World, colliders: Any, row: int, scale: Array, place: Array, turn: Array) -> Part:
    """Return a row of Collider3D as a part of its own entity. place, turn: of the collider. Raises UsageError."""
    if not (np.isfinite(place).all() and np.isfinite(scale).all()):
        raise UsageError("the scale of its Transform3D is not finite", hint="Set three finite numbers")
    entity, asset = int(colliders.entities[row]), world.text(int(colliders.asset[row]))
    if not asset:
        return Part(entity, _solid(colliders, row, scale), place, turn)
    density = 0.0 if colliders.sensor[row] else float(colliders.density[row])
    try:
        model = world[ColliderModels3D].triangles(world, asset, world.text(int(colliders.part[row])))
        fit = fitted(model, int(colliders.shape[row]), bool(colliders.oriented[row]), density, scale.tobytes())
    except UsageError as error:
        raise UsageError(f"{asset}: {error.what}", hint=error.hint) from error
    return Part(
        entity, fit.solid, place + quaternions.turned(turn, fit.position), quaternions.product(turn, fit.rotation)
    )


def _solid(colliders: Any, row: int, scale: Array) -> Solid:
    """Return the solid of a row of Collider3D. scale: 3 float64. Raises UsageError."""
    shape, factors = _SHAPES[int(colliders.shape[row])], scale.tobytes()
    if shape is ColliderShape3D.HEIGHTFIELD:
        heights = np.ascontiguousarray(colliders.read_row("heights", row), F32)
        return field_solid(heights.tobytes(), int(colliders.columns[row]), float(colliders.cell[row]), factors)
    has_points = shape in (ColliderShape3D.HULL, ColliderShape3D.MESH)
    points = np.asarray(colliders.read_row("points", row), np.float64).tobytes() if has_points else b""
    if shape is ColliderShape3D.MESH:
        return mesh_solid(
            points, np.ascontiguousarray(colliders.read_row("triangles", row), np.int32).tobytes(), factors
        )
    density = 0.0 if colliders.sensor[row] else float(colliders.density[row])
    size, radius = colliders.size[row].astype(np.float64).tobytes(), float(colliders.radius[row])
    return solid_of(int(colliders.shape[row]), size, radius, points, density, factors)


def _type_of(world: World, holder: int) -> int:
    """Return the number of the type of a body by its entity; static without a Body3D."""
    bodies = world.table(Body3D)
    row = bodies.row_of(holder)
    return int(bodies.type[row]) if row >= 0 else STATIC


def _holder(world: World, entity: int) -> int:
    """Return the nearest entity up the hierarchy that has a Body3D; the entity itself if there is none."""
    places, bodies = world.table(Transform3D), world.table(Body3D)
    above = entity
    for _ in range(_MAX_ANCESTORS):
        if bodies.row_of(above) >= 0:
            return above
        above = int(places.parent[places.row_of(above)])
        if not above or places.row_of(above) < 0:
            return entity
    return entity

"""Forces, torques, impulses and explosions, for one body or for arrays of bodies.

A force acts during the next step. Apply it in Stage.FORCES or an earlier stage of the tick; it adds to the other forces
on the body. An impulse changes the velocity immediately. Static, kinematic and disabled bodies are skipped. Every
function takes one handle or an array of n, and one value for all or one for each: (2,) or (n, 2), a number or (n,).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Stage, UnknownName, UsageError, World
from rish_dynamics import finite_values
from rish_ecs.declarations import distinct
from rish_ecs.storage import as_handles, describe
from rish_jit import Array

from ..bodies.solids import read_solids, world_centers
from ..components.bodies import Body
from ..components.links import Links
from ..components.scratch import scratch_of
from ..components.tables import DYNAMIC, QUARANTINED, SHAPE_USED, TYPE
from ..contacts.state import State

_LATE_STAGES = (Stage.POST, Stage.UPDATE)


def apply_force(world: World, entities: Any, force: Any, point: Any = None) -> None:
    """Apply a force (kg·units/s²) to bodies during the next step, at a point of the world or at the center of mass.

    Raises StaleEntity, UnknownName if an entity has no Body, and UsageError if a value is not a vector or if this
    tick's step is over, so that the force would be lost. On an error nothing has changed.
    """
    _check_time(world, "apply_force")
    table, rows, handles = bodies_of(world, entities)
    pushes = vectors("force", force, len(rows))
    torques = None if point is None else _lever(world, handles, point, pushes)
    np.add.at(table.force, rows, pushes)
    if torques is not None:
        np.add.at(table.torque, rows, torques)
    table.mark(rows)


def apply_torque(world: World, entities: Any, torque: Any) -> None:
    """Apply a torque (kg·units²/s²), counter-clockwise, to bodies during the next step. Raises as `apply_force`."""
    _check_time(world, "apply_torque")
    table, rows, _ = bodies_of(world, entities)
    np.add.at(table.torque, rows, numbers("torque", torque, len(rows)))
    table.mark(rows)


def apply_impulse(world: World, entities: Any, impulse: Any, point: Any = None) -> None:
    """Change the velocities of bodies by an impulse (kg·units/s), at a point of the world or at the center of mass.

    Raises StaleEntity, UnknownName if an entity has no Body, and UsageError if a value is not a vector. On an error
    nothing has changed.
    """
    table, rows, handles = bodies_of(world, entities)
    pushes = vectors("impulse", impulse, len(rows))
    turns = None if point is None else _lever(world, handles, point, pushes)
    masses = _masses(world, handles)
    np.add.at(table.velocity, rows, pushes * masses[:, :1])
    if turns is not None:
        np.add.at(table.angular_velocity, rows, turns * masses[:, 1])
    table.mark(rows)


def apply_angular_impulse(world: World, entities: Any, impulse: Any) -> None:
    """Change the angular velocities of bodies by an impulse (kg·units²/s). Raises as `apply_impulse`."""
    table, rows, handles = bodies_of(world, entities)
    pushes = numbers("impulse", impulse, len(rows))
    np.add.at(table.angular_velocity, rows, pushes * _masses(world, handles)[:, 1])
    table.mark(rows)


def masses_of(world: World, entities: Any) -> Array:
    """Return the masses of bodies in kg, float64 (n,); inf for those that no force moves.

    entities: one handle or an array. Raises StaleEntity, or UnknownName if an entity has no Body.
    """
    _, _, handles = bodies_of(world, entities)
    state, slots = slots_of(world, handles)
    inverse = state.bodies.state[slots, 3].astype(np.float64)
    return np.divide(1, inverse, out=np.full(len(handles), np.inf), where=inverse > 0)


def explode(world: World, point: Any, radius: Any, impulse: Any, mask: int = -1) -> Array:
    """Push all dynamic bodies away from a point, or from k points (k, 2); return the entities that were pushed,
    int64.

    radius: the range, in units. impulse: kg·units/s on a body at the point; it decreases linearly to zero at the
    radius. Each body is pushed at the nearest point of its shapes, so it may rotate. mask: the collision categories
    that are pushed. Raises UsageError if a value is not a vector or not a valid length.
    """
    places = vectors("point", point, len(np.atleast_2d(np.asarray(point))))
    reaches = numbers("radius", radius, len(places))
    strengths = numbers("impulse", impulse, len(places))
    if (reaches < 0).any():
        raise UsageError(f"explode: the radius {reaches.min():g} is below 0", hint="Give a length in units")
    state, _ = slots_of(world, np.zeros(0, np.int64))
    pushed = [
        _explode_one(state, world, *arguments, mask)
        for arguments in zip(places, reaches.tolist(), strengths.tolist(), strict=True)
    ]
    return distinct(np.concatenate(pushed)) if pushed else np.zeros(0, np.int64)


def _explode_one(state: State, world: World, place: Array, reach: float, strength: float, mask: int) -> Array:
    shapes, bodies = state.shapes, state.bodies
    kind = bodies.flags[shapes.body] & (TYPE | QUARANTINED)
    box = shapes.tight
    near = (box[:, :2] <= place + reach).all(axis=1) & (box[:, 2:] >= place - reach).all(axis=1)
    near &= ((shapes.flags & SHAPE_USED) != 0) & (kind == DYNAMIC) & ((shapes.filter[:, 0] & mask) != 0)
    slots = np.flatnonzero(near)
    if not len(slots):
        return np.zeros(0, np.int64)
    from .nearest import nearest_points

    points = nearest_points(state, slots, place)
    holders = shapes.body[slots]
    away = points - place
    distance = np.sqrt((away**2).sum(axis=1))
    order = np.lexsort((slots, distance, holders))
    first = order[np.append(True, holders[order][1:] != holders[order][:-1])]
    first = first[distance[first] < reach]
    holders, points, distance = holders[first], points[first], distance[first]
    center = bodies.pose[holders, :2].astype(np.float64)
    # Direction: to the nearest point; to the center of mass if the place is inside a shape; else upwards.
    way = np.where((distance > 0)[:, None], points - place, center - place)
    length = np.sqrt((way**2).sum(axis=1))
    way = np.divide(way, length[:, None], out=np.tile([0.0, 1.0], (len(way), 1)), where=length[:, None] > 0)
    handles = bodies.entity[holders]
    apply_impulse(world, handles, way * (strength * (1 - distance / max(reach, 1e-30)))[:, None], points)
    return handles


def _check_time(world: World, what: str) -> None:
    stage = world.stage
    if stage is not None and stage in _LATE_STAGES:
        raise UsageError(
            f"{what} in {stage.name}: this tick's step is over, and a force acts for one tick only",
            where=world.running or None,
            hint="Move it to a system of Stage.FORCES, or use apply_impulse",
        )


def bodies_of(world: World, entities: Any) -> tuple[Any, Array, Array]:
    """Return the table Body, and the rows and handles of the entities."""
    handles = as_handles(np.atleast_1d(np.asarray(entities)))
    table = world.table(Body)
    rows = table.rows_of(handles)
    if (rows < 0).any():
        missing = int(handles[rows < 0][0])
        world.locate(missing, Body)
        raise UnknownName(f"entity {describe(missing)} has no Body")
    return table, rows, handles


def slots_of(world: World, handles: Array) -> tuple[State, Array]:
    """Return the solver's state, and the slots of the bodies; new bodies get a slot first."""
    from ..bodies.incremental_update import sync_added
    from ..bodies.registry import sync_registry

    state = State.of(world)
    links: Links = world[Links]
    if links.read.rows.changed(world) and not sync_added(state, links):
        sync_registry(state, links)
    slots = links.body_slots(handles)
    return state, np.where(state.bodies.entity[slots] == handles, slots, 0)


def _lever(world: World, handles: Array, point: Any, pushes: Array) -> Array:
    """Return the torques of forces at points of the world, float64 (n,)."""
    arm = vectors("point", point, len(handles)) - _masses(world, handles)[:, 2:]
    # torque = r x F
    return arm[:, 0] * pushes[:, 1] - arm[:, 1] * pushes[:, 0]


def _masses(world: World, handles: Array) -> Array:
    """Return inverse mass, inverse inertia and center of mass x, y in the world of bodies, float64 (n, 4).

    They come from the tables of this package's solver, or with another provider from the columns. Bodies that cannot
    be moved have zeros.
    """
    if scratch_of(world) is not None:
        state, slots = slots_of(world, handles)
        bodies = state.bodies
        return np.column_stack([bodies.state[slots][:, [3, 7]], bodies.pose[slots, :2]]).astype(np.float64)
    solids = read_solids(world)
    order = np.argsort(solids.entities, kind="stable")
    index = np.searchsorted(solids.entities[order], handles).clip(max=len(order) - 1)
    matches = np.array([len(order) > 0]) & (solids.entities[order].take(index, mode="clip") == handles)
    masses = np.zeros((len(handles), 4))
    rows = order[index[matches]]
    masses[matches] = np.column_stack([solids.inverse_masses, solids.inverse_inertias, world_centers(solids)])[rows]
    return masses


def vectors(what: str, value: Any, count: int) -> Array:
    """Return the value as float64 (count, 2). Raises UsageError if it is not finite vectors."""
    return finite_values(what, value, (count, 2), "a pair of numbers, or one for each body")


def numbers(what: str, value: Any, count: int) -> Array:
    """Return the value as float64 (count,). Raises UsageError if it is not finite numbers."""
    return finite_values(what, value, (count,), "a number, or one for each body")

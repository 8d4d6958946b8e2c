"""Areas in which a force acts: wind, water, and points that attract.

An area is an entity with a Transform. It acts on the dynamic bodies whose center of mass (for water: any part of their
colliders) is inside. Areas are not colliders: bodies do not collide with them, and queries do not find them.

A body that falls asleep, or is put to sleep, stores the force of the areas on it (`Bodies.rest_force`). It wakes when
this force changes because an area was added, removed, moved or changed. So a lake full of wood costs nothing once it is
calm.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from rish_core import Disabled, Transform, World
from rish_ecs import Vec2, component, field
from rish_ecs.declarations import distinct
from rish_jit import Array

from ..bodies.frames import inverse, through, world_frames
from ..bodies.outlines import areas_below, outlines_of
from ..bodies.waking import wake
from ..components.links import Links
from ..components.tables import AWAKE, DRIVEN, DYNAMIC, ENABLED, PUT_TO_SLEEP, QUARANTINED, SENSOR, TYPE, USED
from ..contacts.state import State

_SLEEPER = USED | ENABLED | DYNAMIC
"""The flags of a dynamic body in use; DYNAMIC is the highest type."""
_SIZE = "width and height of its box, about its position; 0 0: everywhere"


class GravityFalloff(Enum):
    """How an attraction changes with the distance: constant, with its inverse, or with the inverse of its square."""

    CONSTANT = "constant"
    LINEAR = "linear"
    SQUARE = "square"


@component
class WindArea:
    """Moving air, which accelerates bodies in it towards its velocity."""

    size: Vec2 = field((0, 0), unit="units", low=0, doc=_SIZE)
    velocity: Vec2 = field((0, 0), unit="units/s", doc="of the air, turned with the entity")
    drag: float = field(1.0, unit="1/s", low=0, doc="how fast a body of 1 kg takes on that velocity")


@component
class WaterArea:
    """A liquid: it gives buoyancy to bodies in it and slows them down. Its surface is the top of its box."""

    size: Vec2 = field((256, 128), unit="units", low=0, doc="width and height of its box, about its position")
    density: float = field(2.0, unit="kg/m²", low=0, doc="less than that floats")
    drag: float = field(2.0, unit="1/s", low=0, doc="velocity that is lost, of the part that is under water")
    angular_drag: float = field(2.0, unit="1/s", low=0, doc="angular velocity that is lost, likewise")
    flow: Vec2 = field((0, 0), unit="units/s", doc="velocity of the liquid, turned with the entity")


@component
class GravityPoint:
    """A point that attracts bodies, or repels them with a strength below 0."""

    strength: float = field(500.0, unit="units/s²", doc="acceleration at the distance `radius`")
    radius: float = field(
        64.0, unit="units", low=1e-6, doc="distance at which the strength holds; nearer it grows no more"
    )
    falloff: GravityFalloff = field(GravityFalloff.SQUARE, doc="how it changes with the distance")
    reach: float = field(0.0, unit="units", low=0, doc="beyond which it does not act", meanings={0: "any distance"})


AREAS: tuple[type, ...] = (WindArea, WaterArea, GravityPoint)


def push_in_areas(state: State, links: Links) -> None:
    """Add the forces of all areas to the bodies in them, for this step."""
    state.refresh()
    slots = state.awake[(state.bodies.flags[state.awake] & TYPE) == DYNAMIC]
    if not len(slots):
        return
    push = forces_on(state, areas_of(state.world), slots)
    pushed = push.any(axis=1)
    pushed_slots = slots[pushed]
    state.bodies.drive[pushed_slots, 4:7] += push[pushed].astype(np.float32)
    state.bodies.flags[pushed_slots] |= DRIVEN
    forced = links.tick.forced
    links.tick.forced = pushed_slots if forced is None else distinct(np.concatenate([forced, pushed_slots]))


def wake_in_areas(state: State, links: Links) -> None:
    """Wake the sleeping bodies for which the force of the areas has changed since they fell asleep.

    Their forces are compared only if an area has changed since the last time. Bodies that the game has put to sleep
    stay asleep.
    """
    areas = areas_of(state.world) if links.areas else []
    content = b"".join(part for area in areas for part in area.bytes())
    changed = links.read.areas != content
    if not (changed or state.stale_awake or links.read.awake is not state.awake):
        return
    flags = state.bodies.flags
    lulled = (flags & PUT_TO_SLEEP).nonzero()[0]
    if len(lulled):
        state.bodies.rest_force[lulled] = forces_on(state, areas, lulled)
        flags[lulled] &= ~PUT_TO_SLEEP
    if changed:
        slots = np.flatnonzero((flags & (_SLEEPER | AWAKE | QUARANTINED)) == _SLEEPER)
        force = forces_on(state, areas, slots).astype(np.float32)
        wake(state, slots[(force != state.bodies.rest_force[slots]).any(axis=1)])
    links.read.areas, links.read.awake = content, state.awake


def store_rest_forces(state: State, slots: Array) -> None:
    """Store for bodies that have fallen asleep the forces of the areas on them, in `Bodies.rest_force`."""
    state.bodies.rest_force[slots] = forces_on(state, areas_of(state.world), slots)


class Area(NamedTuple):
    """An active area: its component, the row in the component's table, and its frame in the world, float64 (6,)."""

    cls: type
    table: Any
    row: int
    frame: Array

    def bytes(self) -> list[bytes]:
        """Return everything that the forces of the area depend on, as bytes."""
        fields = self.table.flat_rows(slice(self.row, self.row + 1))
        return [self.cls.__name__.encode(), self.frame.tobytes(), *(column.tobytes() for column in fields)]


def areas_of(world: World) -> list[Area]:
    """Return the active areas."""
    areas: list[Area] = []
    for cls in AREAS:
        if world.tables[cls].used:
            query = world.query(cls, Transform, without=(Disabled,))
            frames = world_frames(world, query.rows(Transform))
            rows = query.rows(cls).tolist()
            areas += [Area(cls, world.tables[cls], row, frame) for row, frame in zip(rows, frames, strict=True)]
    return areas


def forces_on(state: State, areas: list[Area], slots: Array) -> Array:
    """Return the forces x, y and the torques of areas on dynamic bodies, float64 (n, 3)."""
    push = np.zeros((len(slots), 3))
    for area in areas:
        _FORCES[area.cls](state, area.table, area.row, area.frame, slots, push)
    return push


def _inside(place: Array, frame: Array, size: Array) -> Array:
    """Return which positions (n, 2) are in the box of an area, bool."""
    if not size.any():
        return np.ones(len(place), np.bool_)
    u, v = np.abs(through(inverse(frame[None])[0], place)).T
    return (u <= 0.5 * size[0]) & (v <= 0.5 * size[1])


def _turned(frame: Array, way: Array) -> Array:
    """Return a vector of an area rotated to the world, with its length unchanged."""
    length = np.sqrt(frame[0] ** 2 + frame[1] ** 2)
    c, s = frame[0] / length, frame[1] / length
    return np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])


def _blow(state: State, table: Any, row: int, frame: Array, slots: Array, push: Array) -> None:
    bodies = state.bodies
    inside = _inside(bodies.pose[slots, :2], frame, table.size[row])
    air = _turned(frame, table.velocity[row].astype(np.float64))
    # Linear drag: F = drag (v_air - v).
    push[inside, :2] += float(table.drag[row]) * (air - bodies.state[slots[inside], :2])


def _attract(state: State, table: Any, row: int, frame: Array, slots: Array, push: Array) -> None:
    """Add the attraction at the positions after half of the tick (a midpoint rule); otherwise orbits would widen."""
    bodies = state.bodies
    half_way = 0.5 * state.dt * bodies.state[slots, :2].astype(np.float64)
    way = frame[4:] - bodies.pose[slots, :2] - half_way
    distance = np.sqrt((way**2).sum(axis=1))
    radius, reach = float(table.radius[row]), float(table.reach[row])
    # acceleration = strength (radius / distance)^n with n = 0, 1 or 2; not greater than at the radius.
    share = radius / np.maximum(distance, radius)
    power = list(GravityFalloff)[int(table.falloff[row])]
    pull = (
        float(table.strength[row])
        * {GravityFalloff.CONSTANT: 1.0, GravityFalloff.LINEAR: share, GravityFalloff.SQUARE: share * share}[power]
    )
    near = (distance > 0) & ((distance <= reach) | (reach == 0))
    mass = 1.0 / bodies.state[slots, 3].astype(np.float64)
    force = way * np.divide(pull * mass, distance, out=np.zeros_like(distance), where=distance > 0)[:, None]
    push[near, :2] += force[near]


def _float(state: State, table: Any, row: int, frame: Array, slots: Array, push: Array) -> None:
    bodies, shapes, scaled = state.bodies, state.shapes, state.scaled
    size = table.size[row].astype(np.float64)
    place = np.full(len(bodies), -1)
    place[slots] = np.arange(len(slots))
    used = np.flatnonzero((shapes.entity != 0) & (place[shapes.body] >= 0) & ((shapes.flags & SENSOR) == 0))
    outlines = outlines_of(state, used)
    area, middle = areas_below(through(inverse(frame[None])[0], outlines), 0.5 * size[1])
    growth = abs(frame[0] * frame[3] - frame[1] * frame[2])
    wet = (area > 0) & (np.abs(middle[:, 0]) <= 0.5 * size[0]) & (middle[:, 1] >= -0.5 * size[1])
    used, area, middle = used[wet], area[wet] * growth, middle[wet]
    point = through(frame, middle)
    holder = shapes.body[used]
    arm = point - bodies.pose[holder, :2]
    # Archimedes: the buoyancy is the weight of the displaced liquid, at the centroid of the area under water.
    mass = area * float(table.density[row]) / float(scaled.unit) ** 2
    gravity = np.array([float(scaled.gravity_x), float(scaled.gravity_y)])
    force = -mass[:, None] * gravity
    speed, spin = bodies.state[holder, :2].astype(np.float64), bodies.state[holder, 2].astype(np.float64)
    # Velocity of that point, v + w x r; drag towards the flow, and torque r x F.
    speed_at = speed + np.column_stack([-spin * arm[:, 1], spin * arm[:, 0]])
    flow = _turned(frame, table.flow[row].astype(np.float64))
    force += mass[:, None] * float(table.drag[row]) * (flow - speed_at)
    turn = arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]
    inertia = np.divide(1.0, bodies.state[holder, 7], out=np.zeros(len(holder)), where=bodies.state[holder, 7] > 0)
    # Angular drag on the share of the body's mass that is under water.
    share = np.minimum(mass * bodies.state[holder, 3], 1.0)
    turn -= spin * inertia * share * float(table.angular_drag[row])
    np.add.at(push, place[holder], np.column_stack([force, turn]))


_FORCES = {WindArea: _blow, WaterArea: _float, GravityPoint: _attract}
"""The function of each kind of area, which adds its forces to `push`."""

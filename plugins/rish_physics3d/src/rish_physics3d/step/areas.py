"""The forces of areas: wind, water and points of gravity push the bodies of a step.

A body that falls asleep, or is put to sleep, stores the forces of the areas on it (`Bodies3D.areas`). It wakes when
these change because an area was added, removed, moved or changed. So a lake full of wood costs nothing once it is calm.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Disabled
from rish_jit import Array
from rish_space3d import Transform3D, poses_at, quaternions

from ..bodies.motion import Motion
from ..components.areas import AREAS, GravityFalloff3D, WaterArea3D, WindArea3D
from ..components.notices import notify
from ..components.settings import Physics3DSettings
from .water import lift

if TYPE_CHECKING:
    from rish_core import World

dot, turned = quaternions.dot, quaternions.turned


class Area(NamedTuple):
    """An active area: its entity, its component as a table and a row, and its pose and scale in the world, float64."""

    entity: int
    cls: type
    table: Any
    row: int
    position: Array
    rotation: Array
    scale: Array

    def columns(self) -> list[Array]:
        """Return everything that the forces of the area depend on."""
        return [*self.table.flat_rows(slice(self.row, self.row + 1)), self.position, self.rotation, self.scale]

    def number(self, name: str) -> float:
        """Return a number of the component."""
        return float(self.table.column(name)[self.row])

    def vector(self, name: str) -> Array:
        """Return a vector of the component, turned to the world."""
        return turned(self.rotation, self.table.column(name)[self.row])

    def half(self) -> Array:
        """Return half of the size of the box."""
        return np.abs(self.scale) * self.table.size[self.row] / 2

    def local(self, places: Array) -> Array:
        """Return positions (n, 3) along the axes of the area, about its position."""
        return turned(quaternions.inverse(self.rotation), places - self.position)


class Pushed(NamedTuple):
    """Dynamic bodies that areas may push: their numbers in the layout, centers of mass and principal axes after half of
    the tick, velocities, angular velocities, and inverse masses, float64.

    Forces last a tick. Those that depend on the pose are taken at its middle; otherwise orbits would widen, and what
    floats would swing more and more.
    """

    numbers: Array
    centers: Array
    axes: Array
    velocities: Array
    spins: Array
    inverse_masses: Array


class Areas:
    """The areas of one step, and the forces that they give to its bodies."""

    def __init__(self, world: World, motion: Motion, dt: float) -> None:
        self._world, self._motion, self._dt = world, motion, dt
        self._gravity = np.array(world[Physics3DSettings].gravity, np.float64)
        self._areas = _areas_of(world)

    def digest(self) -> int:
        """Return a digest of everything that the forces of the areas depend on, 0 if there are none."""
        content = b"".join(
            part for area in self._areas for part in (area.cls.__name__.encode(), *map(bytes, area.columns()))
        )
        return (zlib.crc32(content) or 1) if content else 0

    def push(self, bodies: Array) -> None:
        """Add the forces to these bodies for the step."""
        if self._areas and len(bodies):
            forces = self._forces(bodies).astype(np.float32)
            drive = self._motion.drive.reshape(-1, 8)
            drive[bodies, :3] += forces[:, :3]
            drive[bodies, 4:7] += forces[:, 3:]

    def store(self, table: Any, bodies: Array) -> None:
        """Store the forces on bodies that have fallen asleep in `Bodies3D`."""
        if len(bodies):
            table.areas[bodies] = self._forces(bodies) if self._areas else 0

    def disturbed(self, table: Any, asleep: Array) -> Array:
        """Return the sleeping bodies, bool, for which the forces have changed since they fell asleep."""
        bodies, changed = np.flatnonzero(asleep), np.zeros(len(asleep), np.bool_)
        if len(bodies):
            changed[bodies] = (self._forces(bodies).astype(np.float32) != table.areas[bodies]).any(axis=1)
        return changed

    def _forces(self, numbers: Array) -> Array:
        """Return forces and torques on dynamic bodies, float64 (n, 6)."""
        linear, angular, pose = (array.reshape(-1, 8)[numbers].astype(np.float64) for array in self._motion.arrays)
        inverse = self._motion.layout.mass[numbers, 7].astype(np.float64)
        speed, spin, half = linear[:, :3], angular[:, :3], self._dt / 2
        turn = np.pad(half / 2 * spin, ((0, 0), (0, 1)), constant_values=1)
        axes = quaternions.normalized(quaternions.product(turn, pose[:, 4:]))
        bodies = Pushed(numbers, pose[:, :3] + half * speed, axes, speed, spin, inverse)
        total = np.zeros((len(numbers), 6))
        for area in self._areas:
            if area.cls is WindArea3D:
                _blow(area, bodies, self._dt, total)
            elif area.cls is WaterArea3D:
                lift(self._world, self._motion.layout, area, bodies, (self._gravity, self._dt), total)
            else:
                _attract(area, bodies, total)
        total[inverse == 0] = 0
        return total


def _areas_of(world: World) -> list[Area]:
    """Return the active areas, sorted by their entities."""
    areas: list[Area] = []
    for cls in AREAS:
        table = world.table(cls)
        if not len(table):
            continue
        query = world.query(cls, Transform3D, without=(Disabled,))
        poses = poses_at(world, query.rows(Transform3D))
        for entity, row, *pose in zip(query.entities.tolist(), query.rows(cls).tolist(), *poses, strict=True):
            area = Area(entity, cls, table, row, *pose)
            if all(np.isfinite(column).all() for column in area.columns()):
                areas.append(area)
            else:
                fault = f"its {cls.__name__} is ignored: it has numbers that are not finite"
                notify(world, f"area {entity}", fault, entity)
    return sorted(areas, key=lambda area: area.entity)


def _blow(area: Area, bodies: Pushed, dt: float, total: Array) -> None:
    """Add linear drag towards the velocity of the air: F = drag (v_air - v), implicit, so that it never overshoots."""
    half = area.half()
    inside = (np.abs(area.local(bodies.centers)) <= half).all(axis=1) | (not half.any())
    drag = area.number("drag") / (1 + area.number("drag") * dt * bodies.inverse_masses[inside])
    total[inside, :3] += drag[:, None] * (area.vector("velocity") - bodies.velocities[inside])


def _attract(area: Area, bodies: Pushed, total: Array) -> None:
    """Add the attraction of a point."""
    way = area.position - bodies.centers
    distance = np.sqrt(dot(way, way))
    radius, reach = area.number("radius"), area.number("reach")
    # acceleration = strength (radius / distance)^n with n = 0, 1 or 2; not greater than at the radius.
    share = radius / np.maximum(distance, radius)
    power = list(GravityFalloff3D)[int(area.number("falloff"))]
    pull = area.number("strength") * {
        GravityFalloff3D.CONSTANT: 1.0, GravityFalloff3D.LINEAR: share, GravityFalloff3D.SQUARE: share * share,
    }[power]  # fmt: skip
    near = (distance > 0) & ((distance <= reach) | (reach == 0)) & (bodies.inverse_masses > 0)
    pull = np.divide(pull, distance * bodies.inverse_masses, out=np.zeros_like(distance), where=near)
    total[:, :3] += way * pull[:, None]

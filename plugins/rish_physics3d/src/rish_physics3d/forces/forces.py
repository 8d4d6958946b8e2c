"""Forces, torques, impulses and explosions, for one body or for arrays of bodies.

A force acts during the next step. Apply it in Stage.FORCES or an earlier stage of the tick; it adds to the other forces
on the body. An impulse changes the velocity immediately. Both wake a body that sleeps. Static, kinematic and disabled
bodies are skipped. Every function takes one handle or an array of n, and one vector for all or one for each: (3,) or
(n, 3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Stage, UsageError
from rish_dynamics import finite_values
from rish_ecs.declarations import distinct
from rish_ecs.storage import as_handles
from rish_jit import Array
from rish_space3d import quaternions

from ..bodies.layout import Layout
from ..components.bodies import DYNAMIC, Body3D
from ..components.filters import CATEGORY, mask_bits
from .centers import centers_of
from .nearest import nearest_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rish_core import World

_LATE_STAGES = (Stage.POST, Stage.UPDATE)


def apply_force_3d(world: World, entities: Any, force: Any, point: Any = None) -> None:
    """Apply a force (N) to bodies during the next step, at a point of the world or at the center of mass.

    Raises StaleEntity, UnknownName if an entity has no Body3D, and UsageError if a value is not a vector or if this
    tick's step is over, so that the force would be lost. On an error nothing has changed.
    """
    _check_time(world, "apply_force_3d")
    table, rows, handles = bodies_of(world, entities)
    pushes = vectors("force", force, len(rows))
    torques = None if point is None else _lever(world, handles, point, pushes)
    np.add.at(table.force, rows, pushes)
    if torques is not None:
        np.add.at(table.torque, rows, torques)
    table.mark(rows)


def apply_torque_3d(world: World, entities: Any, torque: Any) -> None:
    """Apply a torque (N·m, in the world's axes) to bodies during the next step. Raises as `apply_force_3d`."""
    _check_time(world, "apply_torque_3d")
    table, rows, _ = bodies_of(world, entities)
    np.add.at(table.torque, rows, vectors("torque", torque, len(rows)))
    table.mark(rows)


def apply_impulse_3d(world: World, entities: Any, impulse: Any, point: Any = None) -> None:
    """Change the velocities of bodies by an impulse (N·s), at a point of the world or at the center of mass.

    Raises StaleEntity, UnknownName if an entity has no Body3D, and UsageError if a value is not a vector. On an error
    nothing has changed.
    """
    table, rows, handles = bodies_of(world, entities)
    pushes = vectors("impulse", impulse, len(rows))
    centers = centers_of(world, handles)
    turns = None if point is None else np.cross(vectors("point", point, len(rows)) - centers.centers, pushes)
    np.add.at(table.velocity, rows, pushes * centers.inverse_masses[:, None])
    if turns is not None:
        np.add.at(table.angular_velocity, rows, centers.spins(turns))
    table.mark(rows)


def apply_angular_impulse_3d(world: World, entities: Any, impulse: Any) -> None:
    """Change the angular velocities of bodies by an impulse (N·m·s, in the world's axes). Raises as
    `apply_impulse_3d`.
    """
    table, rows, handles = bodies_of(world, entities)
    turns = vectors("impulse", impulse, len(rows))
    np.add.at(table.angular_velocity, rows, centers_of(world, handles).spins(turns))
    table.mark(rows)


def masses_of_3d(world: World, entities: Any) -> Array:
    """Return the masses of bodies in kg, float64 (n,); inf for those that no force moves.

    entities: one handle or an array. Raises StaleEntity, or UnknownName if an entity has no Body3D.
    """
    _, _, handles = bodies_of(world, entities)
    inverse = centers_of(world, handles).inverse_masses
    return np.divide(1, inverse, out=np.full(len(handles), np.inf), where=inverse > 0)


def velocities_at_3d(world: World, entities: Any, point: Any) -> Array:
    """Return the velocities (m/s) of points that are fixed to bodies, float64 (n, 3): v + w x r.

    point: in the world, (3,) or (n, 3). Raises as `apply_impulse_3d`.
    """
    table, rows, handles = bodies_of(world, entities)
    arms = vectors("point", point, len(rows)) - centers_of(world, handles).centers
    return table.velocity[rows] + np.cross(table.angular_velocity[rows].astype(np.float64), arms)


def explode_3d(world: World, point: Any, radius: Any, impulse: Any, mask: int | str | Sequence[str] = -1) -> Array:
    """Push all dynamic bodies away from a point, or from k points (k, 3); return the entities that were pushed, int64.

    radius: the range, m. impulse: N·s on a body at the point; it decreases linearly to zero at the radius. Each body is
    pushed at the nearest point of its shapes, so it may rotate. mask: the collision categories that are pushed, as bits
    or names of layers. Raises UsageError if a value is not a vector or not a valid length, UnknownName for an unknown
    layer.
    """
    places = vectors("point", point, len(np.atleast_2d(np.asarray(point))))
    reaches = numbers("radius", radius, len(places))
    strengths = numbers("impulse", impulse, len(places))
    if (reaches < 0).any():
        raise UsageError(f"explode_3d: the radius {reaches.min():g} is below 0", hint="Give a length in meters")
    bits = mask_bits(world, mask)
    pushed = [
        _explode_one(world, *arguments, bits)
        for arguments in zip(places, reaches.tolist(), strengths.tolist(), strict=True)
    ]
    return distinct(np.concatenate(pushed)) if pushed else np.zeros(0, np.int64)


def _explode_one(world: World, place: Array, reach: float, strength: float, bits: int) -> Array:
    layout = world[Layout]
    centers = centers_of(world, layout.entities)
    owners = layout.form[:, 1]
    far = np.sqrt(((centers.centers[owners] - place) ** 2).sum(axis=1)) - layout.size[:, 3]
    near = (far <= reach) & (layout.types[owners] == DYNAMIC) & ((layout.filters[:, CATEGORY] & bits) != 0)
    shapes = np.flatnonzero(near)
    if not len(shapes):
        return np.zeros(0, np.int64)
    holders = owners[shapes]
    points = nearest_points(world, shapes, centers.centers[holders], centers.axes[holders], place)
    distance = np.sqrt(((points - place) ** 2).sum(axis=1))
    order = np.lexsort((shapes, distance, holders))
    first = order[np.append(True, holders[order][1:] != holders[order][:-1])]
    first = first[distance[first] < reach]
    holders, points, distance = holders[first], points[first], distance[first]
    # Direction: to the nearest point; to the center of mass if the place is inside a shape; else upwards.
    way = quaternions.normalized(np.where((distance > 0)[:, None], points, centers.centers[holders]) - place)
    way[~way.any(axis=1)] = (0, 1, 0)
    handles = layout.entities[holders]
    apply_impulse_3d(world, handles, way * (strength * (1 - distance / max(reach, 1e-30)))[:, None], points)
    return handles


def _check_time(world: World, what: str) -> None:
    stage = world.stage
    if stage is not None and stage in _LATE_STAGES:
        raise UsageError(
            f"{what} in {stage.name}: this tick's step is over, and a force acts for one tick only",
            where=world.running or None,
            hint="Move it to a system of Stage.FORCES, or use apply_impulse_3d",
        )


def bodies_of(world: World, entities: Any) -> tuple[Any, Array, Array]:
    """Return the table Body3D, and the rows and handles of the entities. Raises StaleEntity, or UnknownName if an
    entity has no Body3D.
    """
    handles = as_handles(np.atleast_1d(np.asarray(entities)))
    table = world.table(Body3D)
    rows = table.rows_of(handles)
    if (rows < 0).any():
        world.locate(int(handles[rows < 0][0]), Body3D)
    return table, rows, handles


def _lever(world: World, handles: Array, point: Any, pushes: Array) -> Array:
    """Return the torques r x F of forces at points of the world, float64 (n, 3)."""
    return np.cross(vectors("point", point, len(handles)) - centers_of(world, handles).centers, pushes)


def vectors(what: str, value: Any, count: int) -> Array:
    """Return the value as float64 (count, 3). Raises UsageError if it is not finite vectors."""
    return finite_values(what, value, (count, 3), "three numbers, or three for each body")


def numbers(what: str, value: Any, count: int) -> Array:
    """Return the value as float64 (count,). Raises UsageError if it is not finite numbers."""
    return finite_values(what, value, (count,), "a number, or one for each body")

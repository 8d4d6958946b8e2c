"""Bodies: from the columns to numbers for the solver, through one sub-step of free flight, and back to the columns.

The columns are the state of a body. For kinematic bodies, the pose after the last step is stored too (`TeachPoses`):
if the game has written another pose, it is the target that the body reaches at the end of this tick.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_core import World
from rish_jit import maths
from rish_physics import Body, BodyType, Jumps, Scaled, Solids, notify, world_centers, world_poses, write_poses

from .solver import Mover, Pair
from .tables import TeachPoses

KINEMATIC, DYNAMIC = (list(BodyType).index(kind) for kind in (BodyType.KINEMATIC, BodyType.DYNAMIC))
_COLUMNS = ("force", "torque", "gravity_scale", "linear_damping", "angular_damping", "drag")


@dataclass(slots=True)
class RigidBody(Mover):
    """A body in this step.

    moves: whether it moves at all. moved, turned: the displacement of its center of mass and its rotation so far, units
    and radians; cosine and sine of that rotation. target: whether the game has set its pose. forces: the columns of
    `Body` that change its velocity.
    """

    moves: bool = False
    dynamic: bool = False
    target: bool = False
    moved: Pair = (0.0, 0.0)
    turned: float = 0.0
    cos: float = 1.0
    sin: float = 0.0
    force: Pair = (0.0, 0.0)
    torque: float = 0.0
    gravity_scale: float = 1.0
    linear_damping: float = 0.0
    angular_damping: float = 0.0
    drag: float = 0.0


def read_bodies(world: World, solids: Solids, scaled: Scaled, dt: float) -> list[RigidBody]:
    """Return the bodies of this step in the order of the solids, and at the end the ground, which never moves."""
    table = world.table(Body)
    bodies = [RigidBody(m, i) for m, i in zip(solids.inverse_masses, solids.inverse_inertias, strict=True)]
    movable = np.flatnonzero((solids.rows >= 0) & solids.sound & (solids.types != 0))
    rows = solids.rows[movable]
    columns = [table.column(name)[rows].tolist() for name in ("velocity", "angular_velocity", *_COLUMNS)]
    for k, (velocity, spin, *forces) in zip(movable.tolist(), zip(*columns, strict=True), strict=True):
        body = bodies[k]
        if not all(map(math.isfinite, (*velocity, spin, *forces[0], forces[1]))):
            what = "its velocity or the force on it is not finite, so it stands still in this tick"
            notify(world, f"numbers {solids.entities[k]}", what, int(solids.entities[k]))
            continue
        body.moves, body.dynamic = True, int(solids.types[k]) == DYNAMIC
        body.velocity = velocity[0], velocity[1]
        body.spin = spin if not body.dynamic or body.inverse_inertia else 0.0
        body.force = forces[0][0], forces[0][1]
        body.torque, body.gravity_scale, body.linear_damping, body.angular_damping, body.drag = forces[1:]
    _drive(world, solids, bodies, float(scaled.max_speed), dt)
    return [*bodies, RigidBody(0.0, 0.0)]


def _drive(world: World, solids: Solids, bodies: list[RigidBody], fastest: float, dt: float) -> None:
    """Move kinematic bodies that the game has moved back to their previous poses, and set the velocities that bring
    them to their targets.

    A body that would be too fast, that `teleport_bodies` has moved, or that is new, stays at its target.
    """
    table, jumps = world[TeachPoses], set(world[Jumps].column("body").tolist())
    before = {int(body): (x, y, angle) for body, x, y, angle in _rows(table)}
    for k in np.flatnonzero(solids.types == KINEMATIC).tolist():
        entity, pose = int(solids.entities[k]), solids.poses[k]
        earlier = before.get(entity)
        if (
            earlier is None
            or entity in jumps
            or not bodies[k].moves
            or earlier == tuple(pose.astype(np.float32).tolist())
        ):
            continue
        x, y, turn = pose[0] - earlier[0], pose[1] - earlier[1], float(maths.wrap_angle(pose[2] - earlier[2]))
        if math.sqrt(x * x + y * y) <= fastest * dt:
            bodies[k].target = True
            bodies[k].velocity, bodies[k].spin = (float(x) / dt, float(y) / dt), turn / dt
            solids.poses[k] = earlier
    if len(world[Jumps]):
        world[Jumps].clear()


def _rows(table: Any) -> Any:
    return zip(*(table.column(name).tolist() for name in ("body", "x", "y", "angle")), strict=True)


def accelerate(body: RigidBody, gravity: Pair, fastest: float, h: float) -> None:
    """Change the velocity of a dynamic body by the forces on it in h seconds. The position is changed afterwards
    (semi-implicit Euler).

    v += h (g + F/m), ω += h T/I. Damping is implicit, so that it never reverses a velocity: v /= 1 + h c.
    """
    x, y = body.velocity
    x += h * (body.gravity_scale * gravity[0] + body.inverse_mass * body.force[0])
    y += h * (body.gravity_scale * gravity[1] + body.inverse_mass * body.force[1])
    slower = 1 / (1 + h * body.linear_damping)
    if body.drag:
        slower /= 1 + h * body.inverse_mass * body.drag * math.sqrt(x * x + y * y)
    speed = slower * math.sqrt(x * x + y * y)
    if speed > fastest:
        slower *= fastest / speed
    body.velocity = x * slower, y * slower
    body.spin = (body.spin + h * body.inverse_inertia * body.torque) / (1 + h * body.angular_damping)


def move(body: RigidBody, h: float) -> None:
    """Move a body with its velocity for h seconds."""
    body.moved = body.moved[0] + h * body.velocity[0], body.moved[1] + h * body.velocity[1]
    if body.spin:
        body.turned += h * body.spin
        sin, cos = maths.sincos(body.turned)
        body.cos, body.sin = float(cos), float(sin)


def write_bodies(world: World, solids: Solids, bodies: list[RigidBody]) -> None:
    """Write the poses and velocities of the bodies that move to the columns."""
    table = world.table(Body)
    moving = [k for k, body in enumerate(bodies) if body.moves and _is_finite(world, solids, k, body)]
    if moving:
        # The entity is where the center of mass is, less the offset of the center, turned.
        angles = solids.poses[moving, 2] + np.array([bodies[k].turned for k in moving])
        centers = world_centers(solids)[moving] + np.array([bodies[k].moved for k in moving])
        sin, cos = maths.sincos(angles)
        x, y = solids.centers[moving].T
        places = centers - np.column_stack([cos * x - sin * y, sin * x + cos * y])
        free = np.array([not bodies[k].target for k in moving])  # the columns of the others have their targets
        write_poses(world, solids.entities[moving][free], np.column_stack([places, angles])[free])
        pushed = [k for k in moving if bodies[k].dynamic]
        rows = solids.rows[pushed]
        table.velocity[rows] = np.array([bodies[k].velocity for k in pushed]).reshape(-1, 2)
        table.angular_velocity[rows] = [bodies[k].spin for k in pushed]
        table.mark(rows)
    driven = solids.entities[(solids.types == KINEMATIC) & solids.sound]
    poses = world_poses(world, driven).astype(np.float32)
    world[TeachPoses].clear()
    world[TeachPoses].append(len(driven), body=driven, x=poses[:, 0], y=poses[:, 1], angle=poses[:, 2])


def _is_finite(world: World, solids: Solids, k: int, body: RigidBody) -> bool:
    if all(map(math.isfinite, (*body.moved, body.turned, *body.velocity, body.spin))):
        return True
    what = "the forces on it are too large for its mass, so it stands still in this tick"
    notify(world, f"overflow {solids.entities[k]}", what, int(solids.entities[k]))
    world.table(Body).velocity[solids.rows[k]], world.table(Body).angular_velocity[solids.rows[k]] = 0.0, 0.0
    return False

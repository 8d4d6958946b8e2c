"""Bodies: from the columns to numbers for the solver, through one sub-step of free flight, and back to the columns."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rish_core import World
from rish_physics3d import Body3D, BodyType3D, Layout, Physics3DSettings, notify
from rish_space3d import Transform3D, local_poses, quaternions, world_poses

from .solver import Mover
from .vectors import ZERO, Matrix, Vec, added, length, plus, scaled, tensor, times

Quaternion = tuple[float, float, float, float]
_STATIC, _DYNAMIC = (list(BodyType3D).index(kind) for kind in (BodyType3D.STATIC, BodyType3D.DYNAMIC))
_COLUMNS = {  # of Body3D, by the fields of RigidBody
    "velocity": "velocity", "spin": "angular_velocity", "force": "force", "torque": "torque",
    "gravity_scale": "gravity_scale", "linear_damping": "linear_damping", "angular_damping": "angular_damping",
}  # fmt: skip


@dataclass(slots=True)
class RigidBody(Mover):
    """A body in this tick.

    sound: whether its numbers are finite and it is within reach. moves, dynamic: whether it moves at all, and whether
    forces move it. center, rotation: its pose. moved, turned: the displacement and the rotation (axis times angle) in
    this tick so far.
    """

    entity: int = 0
    sound: bool = True
    moves: bool = False
    dynamic: bool = False
    center: Vec = ZERO
    rotation: Quaternion = (0.0, 0.0, 0.0, 1.0)
    moments: Vec = ZERO
    inverse_moments: Vec = ZERO
    moved: Vec = ZERO
    turned: Vec = ZERO
    force: Vec = ZERO
    torque: Vec = ZERO
    gravity_scale: float = 1.0
    linear_damping: float = 0.0
    angular_damping: float = 0.0


def read_bodies(world: World, layout: Layout, settings: Physics3DSettings) -> list[RigidBody]:
    """Return the bodies of this tick with the numbers of the layout. Number 0 is not in the World and never moves."""
    table = world.table(Body3D)
    positions, rotations, _ = world_poses(world)
    frames = layout.frames.astype(np.float64)
    turns = rotations[layout.places]
    centers = positions[layout.places] + quaternions.turned(turns, frames[:, :3])
    turns = quaternions.product(turns, frames[:, 4:])
    bodies = [RigidBody(0.0, (ZERO, ZERO, ZERO))]
    for k in range(1, len(layout.entities)):
        mass, row = layout.mass[k].tolist(), int(layout.rows[k])
        body = RigidBody(mass[7], (ZERO, ZERO, ZERO), entity=int(layout.entities[k]))
        body.center, body.rotation = tuple(centers[k].tolist()), tuple(turns[k].tolist())
        body.moments, body.inverse_moments = tuple(mass[:3]), tuple(mass[4:7])
        body.dynamic, body.moves = layout.types[k] == _DYNAMIC, row >= 0 and layout.types[k] != _STATIC
        body.inverse_inertia = tensor(matrix(body.rotation), body.inverse_moments)
        if body.moves:
            for name, column in _COLUMNS.items():
                value = table.column(column)[row].tolist()
                setattr(body, name, tuple(value) if isinstance(value, list) else value)
        numbers = (*body.velocity, *body.spin, *body.force, *body.torque)
        body.sound = all(abs(x) <= settings.reach for x in body.center) and all(map(math.isfinite, numbers))
        if not body.sound:
            body.velocity = body.spin = body.force = body.torque = ZERO
            body.gravity_scale = 0.0
            what = f"is not finite, or it is farther than {settings.reach:g} m from the origin"
            notify(world, f"far {body.entity}", f"the body is stopped: its position or velocity {what}", body.entity)
        bodies.append(body)
    return bodies


def accelerate(body: RigidBody, gravity: Vec, fastest: float, h: float) -> None:
    """Change the velocities of a dynamic body by the forces on it in h seconds. Its pose follows (semi-implicit Euler).

    v += h (g + F/m), ω += h I⁻¹ T. Damping is implicit, so that it never reverses a velocity: v /= 1 + h c.
    """
    if not body.dynamic:
        return
    velocity = added(body.velocity, gravity, h * body.gravity_scale)
    velocity = scaled(added(velocity, body.force, h * body.inverse_mass), 1 / (1 + h * body.linear_damping))
    speed = length(velocity)
    body.velocity = scaled(velocity, fastest / speed) if speed > fastest else velocity
    spin = plus(body.spin, times(body.inverse_inertia, scaled(body.torque, h)))
    body.spin = scaled(spin, 1 / (1 + h * body.angular_damping))


def move(body: RigidBody, h: float) -> None:
    """Move and turn a body with its velocities for h seconds.

    Without torque the angular momentum L = I ω stays, and ω changes as the tensor turns with the body (Euler's
    equations). The rotation uses the ω of half the step (midpoint rule), so that the energy hardly drifts.
    """
    way = scaled(body.velocity, h)
    body.moved, body.center = plus(body.moved, way), plus(body.center, way)
    spin, momentum, free = body.spin, ZERO, min(body.moments) > 0
    if free:
        momentum = times(tensor(matrix(body.rotation), body.moments), spin)
        half = spun(body.rotation, spin, h / 2)
        spin = times(tensor(matrix(half), body.inverse_moments), momentum)
    body.turned = added(body.turned, spin, h)
    body.rotation = spun(body.rotation, spin, h)
    if free:
        body.inverse_inertia = tensor(matrix(body.rotation), body.inverse_moments)
        body.spin = times(body.inverse_inertia, momentum)


def spun(q: Quaternion, spin: Vec, h: float) -> Quaternion:
    """Return a rotation after h seconds of an angular velocity: q + h/2 (ω, 0) q, with length 1."""
    (x, y, z, w), (a, b, c) = q, scaled(spin, h / 2)
    x, y, z, w = (
        x + a * w + b * z - c * y, y + b * w + c * x - a * z, z + c * w + a * y - b * x, w - a * x - b * y - c * z
    )  # fmt: skip
    size = math.sqrt(x * x + y * y + z * z + w * w)
    return x / size, y / size, z / size, w / size


def matrix(q: Quaternion) -> Matrix:
    """Return the rotation matrix of a quaternion of length 1."""
    x, y, z, w = q
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )


def write_bodies(world: World, layout: Layout, bodies: list[RigidBody]) -> None:
    """Write the poses and velocities of the bodies that move to the columns."""
    numbers = [k for k, body in enumerate(bodies) if body.moves]
    if not numbers:
        return
    frames = layout.frames[numbers].astype(np.float64)
    # The entity is where the center of mass is, less the offset of the center, turned.
    turns = np.array([bodies[k].rotation for k in numbers])
    rotations = quaternions.product(turns, quaternions.inverse(frames[:, 4:]))
    positions = np.array([bodies[k].center for k in numbers]) - quaternions.turned(rotations, frames[:, :3])
    sound = np.array([bodies[k].sound for k in numbers])
    places, table = world.table(Transform3D), world.table(Body3D)
    rows, own = layout.places[numbers][sound], layout.rows[numbers]
    places.position[rows], places.rotation[rows] = local_poses(world, rows, positions[sound], rotations[sound])
    table.velocity[own] = [bodies[k].velocity for k in numbers]
    table.angular_velocity[own] = [bodies[k].spin for k in numbers]
    places.mark(rows)
    table.mark(own)

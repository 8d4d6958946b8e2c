"""The forces of the wind on bodies.

The quadratic drag of a body in a stream is F = ½ ρ C w |v| v (Batchelor, "An Introduction to Fluid Dynamics", 1967,
5.11) with the density ρ of the air, the coefficient C, the width w across the stream, and the velocity v of the air
relative to the body. Half of it acts at each end of the outline, with the air at that end, so that eddies, borders and
the lee of a wall turn bodies too, about their position.
"""

from __future__ import annotations

import numpy as np

from rish_core import Disabled, Edges, Stage, Transform, World, system, world_matrices
from rish_jit import Array, maths
from rish_physics import Body, BodyType, Collider, PhysicsSettings, apply_force, apply_torque, masses_of

from .air import air_at
from .components import Drag, WindSettings, WindZone
from .profiles import profiles

_DYNAMIC = list(BodyType).index(BodyType.DYNAMIC)
_MAX_PARENTS = 8
"""The greatest number of parents of a collider that are searched for its body."""


@system(Stage.FORCES, reads=(WindZone, WindSettings, Drag, Collider, Transform, Edges), writes=World, events=())
def blow(world: World, dt: float) -> None:
    """Push the bodies in all zones. A sleeping body is only woken by a gust.

    `writes=World`: `masses_of` lets physics register new bodies in its own tables.
    """
    if not len(world[WindZone]) or not world[WindSettings].air_density:
        return
    query = world.query(Collider, Transform, without=(Disabled,))
    colliders, poses = query.rows(Collider), query.rows(Transform)
    bodies, holders = _bodies_of(world, query.entities)
    frames = world_matrices(world, poses).astype(np.float64)
    velocity, share, gusty = air_at(world, frames[:, 4:], sheltered=False, even=True)
    table = world.table(Body)
    is_pushed = (bodies >= 0) & (share > 0) & ~world.table(Collider).sensor[colliders]
    is_pushed[is_pushed] &= (table.type[bodies[is_pushed]] == _DYNAMIC) & table.enabled[bodies[is_pushed]]
    is_pushed[is_pushed] &= ~table.asleep[bodies[is_pushed]] | gusty[is_pushed]
    if not is_pushed.any():
        return
    bodies, holders, colliders, poses = bodies[is_pushed], holders[is_pushed], colliders[is_pushed], poses[is_pushed]
    middles = world_matrices(world, world.table(Transform).rows_of(holders)).astype(np.float64)[:, 4:]
    relative = velocity[is_pushed] - table.velocity[bodies]
    speed = maths.hypot(relative[:, 0], relative[:, 1])
    along = np.divide(relative, speed[:, None], out=np.tile([1.0, 0.0], (len(speed), 1)), where=speed[:, None] > 0)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    low, high = profiles(world, colliders, poses, across)
    depth = (frames[is_pushed, 4:] * along).sum(axis=1)[:, None] * along
    ends = np.stack([depth + across * end[:, None] for end in (low, high)])
    factor = _factors(world, holders) * (high - low) / 2
    _push(world, holders, bodies, middles, ends, np.tile(factor, (2, 1)), dt)


def _bodies_of(world: World, entities: Array) -> tuple[Array, Array]:
    """Return the rows of `Body` that colliders belong to, -1 for none, and the entities of these bodies."""
    table, tree = world.table(Body), world.table(Transform)
    holders = entities.copy()
    rows = table.rows_of(holders)
    for _ in range(_MAX_PARENTS):
        free = np.flatnonzero(rows < 0)
        above = tree.rows_of(holders[free])
        free, above = free[above >= 0], above[above >= 0]
        if not len(free):
            break
        holders[free] = tree.parent[above]
        rows[free] = table.rows_of(holders[free])
    return rows, holders


def _factors(world: World, holders: Array) -> Array:
    """Return ½ ρ C of each body for speeds in units/s and widths in units, kg/units², float64 (n,)."""
    settings, scale = world[WindSettings], float(world[PhysicsSettings].units_per_meter)
    drag = world.table(Drag)
    rows = drag.rows_of(holders)
    coefficient = np.where(rows >= 0, 0, settings.drag).astype(np.float64)
    coefficient[rows >= 0] = drag.coefficient[rows[rows >= 0]]
    return 0.5 * settings.air_density * coefficient / scale**2


def _push(world: World, holders: Array, bodies: Array, middles: Array, ends: Array, factor: Array, dt: float) -> None:
    """Apply the forces at both ends of each collider. ends: (2, n, 2). factor: ½ ρ C w of each end, (2, n)."""
    count = len(holders)
    air, share, _ = air_at(world, ends.reshape(-1, 2))
    table = world.table(Body)
    arm = ends - middles
    turn = table.angular_velocity[bodies].astype(np.float64)[:, None]
    own_velocity = table.velocity[bodies] + turn * np.stack([-arm[..., 1], arm[..., 0]], axis=-1)
    relative = air.reshape(2, count, 2) - own_velocity
    rate = factor * share.reshape(2, count) * maths.hypot(relative[..., 0], relative[..., 1])
    # Implicit Euler, v' = v + dt (k/m) (air - v'), so that light bodies never become faster than the wind. An end of a
    # bar moves as a mass of m/4 would, because its moment of inertia is m l²/12.
    unique, index = np.unique(holders, return_inverse=True)
    total = np.bincount(index, rate.sum(axis=0), len(unique))
    mass = masses_of(world, unique)
    limit = 1 / (1 + dt * total / (mass / 4))
    force = relative * (rate * limit[index])[..., None]
    pushed = np.flatnonzero(force.any(axis=(0, 2)))
    if len(pushed):
        torque = (arm[..., 0] * force[..., 1] - arm[..., 1] * force[..., 0]).sum(axis=0)
        apply_force(world, holders[pushed], force.sum(axis=0)[pushed])
        apply_torque(world, holders[pushed], torque[pushed])

"""Kernels that read the columns of bodies before a step, and write them after it.

A body's frame is at its center of mass along its principal axes; the entity's pose is another one. Both are related by
`Layout.frames`, in float64, since a conversion there and back in each tick must not add up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ..maths.rotations import limited, turn
from ..solver.soft import DT, MAX_SPEED, MAX_SPIN, REACH

_0, _1 = np.float32(0), np.float32(1)
MOVED, PUSHED = np.uint8(1), np.uint8(2)
_STATIC = 0
_SHORT, _LONG = 1e-30, 1e30
"""The squared lengths between which a quaternion is a rotation."""
_most = np.float32(3e38)


@njit(borrows=True, inline="always")
def _times(ax: Any, ay: Any, az: Any, aw: Any, bx: Any, by: Any, bz: Any, bw: Any) -> Any:
    """Return the product of two quaternions."""
    return (
        aw * bx + ax * bw + (ay * bz - az * by),
        aw * by + ay * bw + (az * bx - ax * bz),
        aw * bz + az * bw + (ax * by - ay * bx),
        aw * bw - (ax * bx + ay * by + az * bz),
    )


@njit(borrows=True)
def read_bodies(
    bodies: Array,
    layout: Any,
    poses: Any,
    columns: Any,
    constants: Any,
    motion: Any,
    drive: Array,
    seen: Array,
    notes: Array,
    away: Any,
) -> Any:
    """Read the poses and velocities of bodies, and note what is special; return whether all numbers are finite, and
    those of the poses at most `away`.

    bodies: int32. layout: the rows of all bodies in `poses`, their rows of Body3D, -1 for none, and their types. poses:
    positions and quaternions of any length in the world, float32 flat. columns: of Body3D. constants: frames and masses
    of all bodies. motion, drive: what the solver needs, see `solver.integrate`. seen: the poses that the last step saw,
    with the gravity scale at 3. notes: uint8, receives for each body `MOVED` if it differs from that, and `PUSHED` if
    it has a velocity, force or torque.
    """
    places, rows, types = layout
    position, rotation = poses
    velocity, spin, force, torque, linear_damping, angular_damping, gravity_scale = columns
    linear, angular, pose = motion
    frames, mass = constants
    sound = True
    for index in range(len(bodies)):
        n = np.int64(bodies[index])
        o, p, q = 8 * n, 3 * places[n], 4 * places[n]
        x, y = np.float64(rotation[q]), np.float64(rotation[q + 1])
        z, w = np.float64(rotation[q + 2]), np.float64(rotation[q + 3])
        square = x * x + y * y + z * z + w * w
        if _SHORT < square < _LONG:
            scale = 1.0 / np.sqrt(square)
            x, y, z, w = scale * x, scale * y, scale * z, scale * w
        else:  # it turns nothing
            x, y, z, w = 0.0, 0.0, 0.0, 1.0
        cx, cy, cz = turn(x, y, z, w, np.float64(frames[o]), np.float64(frames[o + 1]), np.float64(frames[o + 2]))
        ax, ay, az, aw = frames[o + 4], frames[o + 5], frames[o + 6], frames[o + 7]
        pose[o], pose[o + 1], pose[o + 2] = position[p] + cx, position[p + 1] + cy, position[p + 2] + cz
        x, y, z, w = _times(x, y, z, w, np.float64(ax), np.float64(ay), np.float64(az), np.float64(aw))
        pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 7] = x, y, z, w
        notes[n] = 0
        for k in range(8):
            sound &= abs(pose[o + k]) <= away
            if k != 3 and pose[o + k] != seen[o + k]:
                notes[n] |= MOVED
        r = rows[n]
        for k in range(8):
            linear[o + k] = angular[o + k] = drive[o + k] = _0
        if r < 0 or types[n] == _STATIC:
            continue
        for k in range(3):
            linear[o + k], angular[o + k] = velocity[3 * r + k], spin[3 * r + k]
            drive[o + k], drive[o + 4 + k] = force[3 * r + k], torque[3 * r + k]
        linear[o + 3] = mass[o + 7]
        drive[o + 3], drive[o + 7], angular[o + 3] = gravity_scale[r], linear_damping[r], angular_damping[r]
        total = _0
        for k in range(8):
            total += abs(linear[o + k]) + abs(angular[o + k]) + abs(drive[o + k])
        sound &= total <= _most
        for k in range(3):
            if linear[o + k] != _0 or angular[o + k] != _0 or drive[o + k] != _0 or drive[o + 4 + k] != _0:
                notes[n] |= PUSHED
        if drive[o + 3] != seen[o + 3]:
            notes[n] |= MOVED
    return sound


@njit(borrows=True)
def finish_bodies(bodies: Array, motion: Any, numbers: Array, lengths: Any, sleep: Any, rest: Array, lists: Any) -> Any:
    """Add the displacements of the step to the poses, limit velocities, and count the time at rest; return how many
    bodies were stopped, and how many are fast.

    lengths: float32 of each body, m: its extent, times its spin it counts as speed; the reach of what rotation moves,
    and the distance beyond which it is fast. sleep: the rows of all bodies in Body3D, its columns `allow_sleep` and
    `sleep_speed`, and the speed of those without their own, below 0 if none sleeps. rest: float32, s, below 0 if it
    never rests. lists: lost receives bodies whose numbers are not finite, or that are out of reach; they stay where
    they were. fast receives those that moved far.
    """
    rows, allowed, speeds, usual = sleep
    linear, angular, pose = motion
    extents, arms, rooms = lengths
    lost, fast = lists
    n, n_fast = 0, 0
    for k in range(len(bodies)):
        i = np.int64(bodies[k])
        o = 8 * i
        total = _0
        for c in range(3):
            total += abs(linear[o + c]) + abs(angular[o + c]) + abs(linear[o + 4 + c]) + abs(angular[o + 4 + c])
        sound = total < _most
        for c in range(3):
            sound &= abs(pose[o + c] + linear[o + 4 + c]) <= numbers[REACH]
        for c in range(4):
            sound &= abs(pose[o + 4 + c]) <= _1 + _1
        if not sound:
            for c in range(8):
                linear[o + c] = angular[o + c] = _0
            lost[n] = i
            n += 1
            continue
        way, angle = _0, _0
        for c in range(3):
            way += linear[o + 4 + c] * linear[o + 4 + c]
            angle += angular[o + 4 + c] * angular[o + 4 + c]
        room = rooms[i] - np.sqrt(angle) * arms[i]
        if room < _0 or way > room * room:
            fast[n_fast] = i
            n_fast += 1
        for c in range(3):
            pose[o + c] += linear[o + 4 + c]
            linear[o + 4 + c] = angular[o + 4 + c] = _0
        linear[o], linear[o + 1], linear[o + 2] = limited(linear[o], linear[o + 1], linear[o + 2], numbers[MAX_SPEED])
        angular[o], angular[o + 1], angular[o + 2] = limited(
            angular[o], angular[o + 1], angular[o + 2], numbers[MAX_SPIN]
        )
        speed = linear[o] * linear[o] + linear[o + 1] * linear[o + 1] + linear[o + 2] * linear[o + 2]
        spin = angular[o] * angular[o] + angular[o + 1] * angular[o + 1] + angular[o + 2] * angular[o + 2]
        own = speeds[rows[i]]
        slow = own if own > _0 else usual
        limit = slow * slow
        if usual < _0 or not allowed[rows[i]]:
            rest[i] = -_1
        elif speed < limit and spin * extents[i] * extents[i] < limit:
            rest[i] = max(rest[i], _0) + numbers[DT]
        else:
            rest[i] = _0
    return n, n_fast


@njit(borrows=True, inline="always")
def _entity_pose(o: Any, frames: Array, pose: Array) -> Any:
    """Return the position and the quaternion of the entity of the body at `o`, float64."""
    x, y, z, w = (
        np.float64(pose[o + 4]), np.float64(pose[o + 5]), np.float64(pose[o + 6]), np.float64(pose[o + 7]),
    )  # fmt: skip
    ax, ay, az, aw = frames[o + 4], frames[o + 5], frames[o + 6], frames[o + 7]
    x, y, z, w = _times(x, y, z, w, -np.float64(ax), -np.float64(ay), -np.float64(az), np.float64(aw))
    cx, cy, cz = turn(x, y, z, w, np.float64(frames[o]), np.float64(frames[o + 1]), np.float64(frames[o + 2]))
    return pose[o] - cx, pose[o + 1] - cy, pose[o + 2] - cz, x, y, z, w


@njit(borrows=True)
def world_poses_of(bodies: Array, frames: Array, pose: Array, position: Array, rotation: Array) -> None:
    """Write the poses of the entities of bodies, float64: 3 and 4 numbers each, in the order of `bodies`."""
    for k in range(len(bodies)):
        a, b, c, x, y, z, w = _entity_pose(8 * np.int64(bodies[k]), frames, pose)
        position[3 * k], position[3 * k + 1], position[3 * k + 2] = a, b, c
        rotation[4 * k], rotation[4 * k + 1], rotation[4 * k + 2], rotation[4 * k + 3] = x, y, z, w


@njit(borrows=True)
def write_bodies(bodies: Array, layout: Any, motion: Any, columns: Any, changed: Any) -> Any:
    """Write the poses and velocities of bodies whose entities have no parent to their columns; list the rows in which
    one differs, and return how many of both tables.

    layout: the rows of all bodies in Transform3D and Body3D, and their frames. columns: position, rotation, velocity
    and angular velocity, flat. changed: int64, receive the rows.
    """
    places, rows, frames = layout
    linear, angular, pose = motion
    position, rotation, velocity, spin = columns
    placed, moved = changed
    n, m = 0, 0
    for k in range(len(bodies)):
        i = np.int64(bodies[k])
        o, p, r = 8 * i, np.int64(places[i]), np.int64(rows[i])
        a, b, c, x, y, z, w = _entity_pose(o, frames, pose)
        px, py, pz = np.float32(a), np.float32(b), np.float32(c)
        qx, qy, qz, qw = np.float32(x), np.float32(y), np.float32(z), np.float32(w)
        u, v = 3 * p, 4 * p
        differs = position[u] != px or position[u + 1] != py or position[u + 2] != pz
        differs |= rotation[v] != qx or rotation[v + 1] != qy or rotation[v + 2] != qz or rotation[v + 3] != qw
        position[u], position[u + 1], position[u + 2] = px, py, pz
        rotation[v], rotation[v + 1], rotation[v + 2], rotation[v + 3] = qx, qy, qz, qw
        if differs:
            placed[n] = p
            n += 1
        differs = False
        for q in range(3):
            differs |= velocity[3 * r + q] != linear[o + q] or spin[3 * r + q] != angular[o + q]
            velocity[3 * r + q], spin[3 * r + q] = linear[o + q], angular[o + q]
        if differs:
            moved[m] = r
            m += 1
    return n, m

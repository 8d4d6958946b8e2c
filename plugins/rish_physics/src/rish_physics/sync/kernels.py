"""The kernels of `sync`: they compare columns with the last seen values, and write poses back to columns.

One pass each, by slot. All arrays are flat; see `tables` for the numbers of a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ..components.tables import (
    ALLOW_SLEEP,
    AWAKE,
    BULLET,
    DRIVEN,
    DYNAMIC,
    FIXED_ROTATION,
    HAS_PARENT,
    KINEMATIC,
    STATIC,
    TYPE,
)

_0, _1 = np.float32(0), np.float32(1)
_2U, _4U, _8U = np.uint64(2), np.uint64(4), np.uint64(8)
_PI, _HALF_PI, _QUARTER_PI = np.float32(np.pi), np.float32(np.pi / 2), np.float32(np.pi / 4)
_TAN_EIGHTH = np.float32(0.41421356237309503)
_A3, _A5, _A7 = np.float32(-3.33329491539e-1), np.float32(1.99777106478e-1), np.float32(-1.38776856032e-1)
_A9 = np.float32(8.05374449538e-2)

POSED, KICKED, ALTERED, HANGING, LULL = 1, 2, 4, 8, 16
"""The reasons for which a slot is listed. POSED: its position, rotation or size has changed. KICKED: the game set a
velocity or force, or woke it. ALTERED: a setting of its body has changed. HANGING: it has a parent, or had one. LULL:
the game put it to sleep.
"""


@njit(borrows=True, inline="always")
def angle_of(cos: Any, sin: Any) -> Any:
    """Return the angle of a direction in (-π, π], float32, within 3e-7; cos² + sin² need not be 1 exactly.

    The polynomial is that of Cephes' `atanf` (S. Moshier), with the argument reduced to tan(π/8) and below.
    """
    x, y = abs(cos), abs(sin)
    small, large = min(x, y), max(x, y)
    ratio = small / large if large > _0 else _0
    base = _0
    if ratio > _TAN_EIGHTH:
        # atan(x) = π/4 + atan((x - 1) / (x + 1))
        ratio = (ratio - _1) / (ratio + _1)
        base = _QUARTER_PI
    square = ratio * ratio
    angle = base + (ratio + ratio * square * (_A3 + square * (_A5 + square * (_A7 + square * _A9))))
    if y > x:
        angle = _HALF_PI - angle
    if cos < _0:
        angle = _PI - angle
    return -angle if sin < _0 else angle


@njit(borrows=True)
def read_bodies(rows: Any, places: Any, settings: Any, bodies: Any, standard_speed: Any, out: Array) -> int:
    """Compare the columns of some slots with the last seen values; list those that differ as (slot, flags) in `out`.

    Returns their number. Velocities and forces are written to `state` and `drive` here; everything else is left to the
    caller. rows: slots, and rows of Body and Transform by slot. places, settings, bodies: columns of Transform, Body
    and the solver's bodies, in the order in which they are unpacked here.
    """
    slots, body_row, place_row = rows
    position, rotation, scale, parent = places
    (velocity, spin, force, torque, kind, linear, angular, drag, gravity, fixed, bullet, allow_sleep, asleep, mass,
     inertia, center, sleep_speed) = settings  # fmt: skip
    state, drive, seen, numbers, rest, flags = bodies
    count = 0
    for k in range(len(slots)):
        slot = slots[k]
        i = np.uint64(slot)
        r = np.uint64(place_row[i])
        s = _8U * i
        what = 0
        # The pose.
        if parent[r] != 0 or flags[i] & HAS_PARENT:
            what = HANGING
        elif (
            position[_2U * r] != seen[s] or position[_2U * r + np.uint64(1)] != seen[s + np.uint64(1)]
            or rotation[r] != seen[s + _2U]
            or scale[_2U * r] != seen[s + np.uint64(6)] or scale[_2U * r + np.uint64(1)] != seen[s + np.uint64(7)]
        ):  # fmt: skip
            what = POSED
        # The columns of Body; an implicit body has none.
        if body_row[i] >= 0:
            b = np.uint64(body_row[i])
            x, y = _2U * b, _2U * b + np.uint64(1)
            flag = flags[i]
            if (
                kind[b] != flag & TYPE or linear[b] != drive[s + np.uint64(1)]
                or angular[b] != drive[s + _2U] or drag[b] != drive[s + np.uint64(3)] or gravity[b] != drive[s]
                or fixed[b] != (flag & FIXED_ROTATION != 0) or bullet[b] != (flag & BULLET != 0)
                or allow_sleep[b] != (flag & ALLOW_SLEEP != 0)
                or mass[b] != numbers[_4U * i] or inertia[b] != numbers[_4U * i + np.uint64(1)]
                or center[x] != numbers[_4U * i + _2U] or center[y] != numbers[_4U * i + np.uint64(3)]
                or (sleep_speed[b] if sleep_speed[b] > _0 else standard_speed) != rest[_2U * i + np.uint64(1)]
            ):  # fmt: skip
                what |= ALTERED
            # Velocities are copied here.
            if flag & TYPE != STATIC:
                if (
                    velocity[x] != seen[s + np.uint64(3)] or velocity[y] != seen[s + _4U]
                    or spin[b] != seen[s + np.uint64(5)]
                ):  # fmt: skip
                    state[s] = seen[s + np.uint64(3)] = velocity[x]
                    state[s + np.uint64(1)] = seen[s + _4U] = velocity[y]
                    seen[s + np.uint64(5)] = spin[b]
                    state[s + _2U] = _0 if flag & FIXED_ROTATION else spin[b]
                    what |= KICKED
                # Forces of this tick, and sleep.
                if flag & TYPE == DYNAMIC:
                    if force[x] != _0 or force[y] != _0 or torque[b] != _0:
                        drive[s + _4U] = force[x]
                        drive[s + np.uint64(5)] = force[y]
                        drive[s + np.uint64(6)] = torque[b]
                        flags[i] = flag | DRIVEN
                        what |= KICKED
                    if asleep[b] and flag & AWAKE:
                        what |= LULL
                    elif not asleep[b] and not flag & AWAKE:
                        what |= KICKED
        if what:
            out[2 * count] = slot
            out[2 * count + 1] = what
            count += 1
    return count


@njit(borrows=True)
def write_bodies(rows: Any, columns: Any, bodies: Any) -> int:
    """Write poses and velocities of some slots to columns, and store them in `seen`; return the number of bodies that
    have a parent.

    The poses of bodies with a parent are not written here; the caller converts and writes them. The velocity of a
    kinematic body is only read from its column. rows: see `read_bodies`. columns, bodies: of components, and of the
    solver's bodies.
    """
    slots, body_row, place_row = rows
    position, rotation, velocity, spin, asleep = columns
    pose, state, extent, seen, flags = bodies
    hung = 0
    for k in range(len(slots)):
        i = np.uint64(slots[k])
        r = np.uint64(place_row[i])
        p, s = _4U * i, _8U * i
        c, n = pose[p + _2U], pose[p + np.uint64(3)]
        if flags[i] & HAS_PARENT:
            hung += 1
        else:
            # Position of the entity: center of mass minus its rotated offset.
            ox, oy = extent[p], extent[p + np.uint64(1)]
            x = pose[p] - (c * ox - n * oy)
            y = pose[p + np.uint64(1)] - (n * ox + c * oy)
            angle = angle_of(c, n)
            position[_2U * r] = seen[s] = x
            position[_2U * r + np.uint64(1)] = seen[s + np.uint64(1)] = y
            rotation[r] = seen[s + _2U] = angle
        if body_row[i] >= 0:
            b = np.uint64(body_row[i])
            if flags[i] & TYPE != KINEMATIC:
                velocity[_2U * b] = seen[s + np.uint64(3)] = state[s]
                velocity[_2U * b + np.uint64(1)] = seen[s + _4U] = state[s + np.uint64(1)]
                spin[b] = seen[s + np.uint64(5)] = state[s + _2U]
            asleep[b] = flags[i] & AWAKE == 0
    return hung

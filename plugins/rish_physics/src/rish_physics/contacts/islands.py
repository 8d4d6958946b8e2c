"""Islands: groups of bodies that touch or are joined; each group falls asleep together and wakes together.

An island is a set of dynamic bodies connected by touching contacts and by joints. Static and kinematic bodies do not
connect others; otherwise one floor would join all bodies into one island. Islands are not tracked while bodies move:
they are computed only when some body has been at rest for long enough, with `rish_dynamics.unions`. An island sleeps
when all its bodies have rested for `sleep_time`, may sleep, and no moving kinematic body touches or holds them. A
kinematic body falls asleep after the first step in which it did not move.

A sleeping body keeps its contacts and their manifolds, costs nothing, and stores its island in `Bodies.island`. An
awake body that touches one of its bodies wakes the island (`wake_touched`), and so does code that changes one of them
(`wake`). The table `Woken` and `state.slept` list the bodies that woke or fell asleep, until the events of the step are
written; the former is a table since a body may wake between two steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_dynamics.unions import root_of, unite
from rish_ecs.declarations import distinct
from rish_jit import Array, njit

from ..components.tables import (
    ALLOW_SLEEP,
    AWAKE,
    DYNAMIC,
    ENABLED,
    ENDED,
    IS_SENSOR,
    JOINT_USED,
    KINEMATIC,
    POINT0,
    POINT1,
    QUARANTINED,
    STATIC,
    TOUCHING,
    TYPE,
    USED,
)

if TYPE_CHECKING:
    from .state import State


_ON = USED | ENABLED
_1, _2, _4, _8 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(8)
_ZERO = np.float32(0)
_NEVER = np.float32(-1)


def wake(state: State, slots: Array) -> None:
    """Wake bodies (int slots) and their islands; for those that are already awake, the time at rest starts again."""
    if not len(slots):
        return
    bodies = state.bodies
    room = len(bodies)
    marked, woken = state.scratch.take("islands.marked", room, np.uint8), state.scratch.take("woken", room, np.int32)
    count = wake_islands(
        np.asarray(slots, np.int32), bodies.flat("flags"), bodies.flat("island"), bodies.flat("rest"), marked, woken
    )
    if count:
        rows = state.woken.resize(len(state.woken) + count)
        state.woken.slot[rows] = woken[:count]
        state.stale(joints=False)


def wake_touched(state: State) -> None:
    """Wake the sleeping bodies that touch an awake body or are joined to one, those that a new contact pushes, and
    those that lost a contact.
    """
    if not state.asleep:
        return
    if len(state.changed) and (state.fresh or len(state.movers)):
        wake(state, _pushed(state))
    bodies, contacts, joints = state.bodies, state.contacts, state.joints
    touched = state.scratch.take("islands.touched", len(state.active) + len(joints), np.int32)
    count = find_touched(
        state.active, contacts.flat("pair"), contacts.flat("info"), joints.flat("pair"), joints.flat("flags"),
        bodies.flat("flags"), bodies.flat("state"), touched,
    )  # fmt: skip
    if count:
        wake(state, distinct(touched[:count]))


def _pushed(state: State) -> Array:
    """Return the bodies (int32) with contacts that changed in this step and would move them if they were awake.

    A contact that ended may have supported a body. One that began pushes bodies apart if they overlap by more than the
    slop.
    """
    info, rows = state.contacts.info, state.changed
    rows = rows[(info[rows, 1] & IS_SENSOR) == 0]
    points = state.contacts.manifold[rows][:, [POINT0 + 4, POINT1 + 4]]
    present = np.arange(2) < info[rows, 0][:, None]
    deepest = np.where(present, points, np.inf).min(axis=1, initial=np.inf)
    pushes = ((info[rows, 1] & ENDED) != 0) | (deepest < -state.scaled.slop)
    slots = distinct(state.contacts.pair[rows[pushes], 2:])
    return slots[(state.bodies.flags[slots] & TYPE) == DYNAMIC]


def put_to_sleep(state: State) -> Array:
    """Put islands to sleep if all their bodies have rested for long enough; return the slots of these bodies, int32."""
    limit = state.scaled.sleep_time
    if not state.scaled.sleeping or state.rested < limit:
        return state.slept[:0]
    bodies, contacts, joints, scratch = state.bodies, state.contacts, state.joints, state.scratch
    room = len(bodies)
    parent, minimum = scratch.take("islands.parent", room, np.int32), scratch.take("islands.least", room)
    slept = scratch.take("slept", room, np.int32)
    state.refresh()
    join_islands(
        state.awake, state.active, contacts.flat("pair"), contacts.flat("info"), joints.flat("pair"),
        joints.flat("flags"), bodies.flat("flags"), bodies.flat("state"), bodies.flat("rest"), parent, minimum,
    )  # fmt: skip
    count = sleep_islands(
        state.awake, limit, parent, minimum, bodies.flat("flags"), bodies.flat("state"), bodies.flat("island"), slept
    )
    if count:
        state.slept = np.concatenate([state.slept, slept[:count]])
        state.stale(joints=False)
    return slept[:count].copy()


@njit(borrows=True)
def wake_islands(slots: Array, flags: Array, island: Array, rest: Array, marked: Array, woken: Array) -> int:
    """Wake bodies and their islands; return how many woke. Their slots are written to `woken`, ascending."""
    n = len(flags)
    for s in range(n):
        marked[s] = 0
    alone = np.uint8(2)  # bit 1 of `marked`: this body wakes; bit 0: the island with this root wakes
    asleep = False
    for k in range(len(slots)):
        s = slots[k]
        if (flags[s] & _ON) == _ON and (flags[s] & TYPE) != STATIC:
            rest[2 * s] = _ZERO
            if not flags[s] & AWAKE:
                asleep = True
                marked[s] |= alone
                if island[s] > 0:
                    marked[island[s]] |= 1
    count = 0
    if asleep:
        for s in range(n):
            if flags[s] & AWAKE or not flags[s] & USED:
                continue
            if marked[s] & alone or (island[s] > 0 and marked[island[s]] & 1):
                flags[s] |= AWAKE
                island[s] = 0
                rest[2 * s] = _ZERO
                woken[count] = s
                count += 1
    return count


@njit(borrows=True, inline="always")
def stirs(flags: Any, speed: Array, s: Any) -> bool:
    """Return True if a body can keep others awake: an awake dynamic body, or an awake kinematic one with a velocity."""
    if (flags & (AWAKE | QUARANTINED)) != AWAKE:
        return False
    if (flags & TYPE) == DYNAMIC:
        return True
    o = s * _8
    return (flags & TYPE) == KINEMATIC and (speed[o] != _ZERO or speed[o + _1] != _ZERO or speed[o + _2] != _ZERO)


@njit(borrows=True, inline="always")
def ends_of(k: Any, active: Array, pair: Array, info: Array, joined: Array, joint_flags: Array) -> Any:
    """Return the slots of the two bodies that a contact or joint connects, as uint64; both are the dummy body if it
    connects none.

    k: the index of a contact in `active`, or len(active) plus the index of a joint.
    """
    contacts = len(active)
    row = np.uint64(active[k] if k < contacts else k - contacts)
    if k < contacts and (info[row * _2 + _1] & (TOUCHING | IS_SENSOR)) == TOUCHING:
        return np.uint64(pair[row * _4 + _2]), np.uint64(pair[row * _4 + _2 + _1])
    if k >= contacts and joint_flags[row] & JOINT_USED:
        return np.uint64(joined[row * _2]), np.uint64(joined[row * _2 + _1])
    return np.uint64(0), np.uint64(0)


@njit(borrows=True)
def find_touched(
    active: Array, pair: Array, info: Array, joined: Array, joint_flags: Array, flags: Array, speed: Array,
    touched: Array,
) -> int:  # fmt: skip
    """List in `touched` (int32) the sleeping dynamic bodies that touch, or are joined to, a body that can keep them
    awake (`stirs`). Return their number; a body may be listed several times.
    """
    count = 0
    sleeper = _ON | DYNAMIC
    for k in range(len(active) + len(joint_flags)):
        a, b = ends_of(k, active, pair, info, joined, joint_flags)
        if (flags[a] & (_ON | TYPE | AWAKE)) == sleeper and stirs(flags[b], speed, b):
            touched[count] = a
            count += 1
        elif (flags[b] & (_ON | TYPE | AWAKE)) == sleeper and stirs(flags[a], speed, a):
            touched[count] = b
            count += 1
    return count


@njit(borrows=True)
def join_islands(
    awake: Array, active: Array, pair: Array, info: Array, joined: Array, joint_flags: Array, flags: Array,
    speed: Array, rest: Array, parent: Array, minimum: Array,
) -> None:  # fmt: skip
    """Find the islands of the awake bodies, and the time for which each island has rested.

    parent: int32 by body slot; becomes the root. minimum: float32 by body slot; for a root, the shortest rest time of
    its bodies, in seconds; below 0 if one must not sleep.
    """
    for k in range(len(awake)):
        s = np.uint64(awake[k])
        parent[s] = s
        minimum[s] = rest[s * _2] if flags[s] & ALLOW_SLEEP and (flags[s] & TYPE) == DYNAMIC else _NEVER
    for k in range(len(active) + len(joint_flags)):
        a, b = ends_of(k, active, pair, info, joined, joint_flags)
        moves_a, moves_b = (flags[a] & TYPE) == DYNAMIC, (flags[b] & TYPE) == DYNAMIC
        if not (stirs(flags[a], speed, a) and stirs(flags[b], speed, b)):
            continue
        if moves_a and moves_b:
            unite(parent, a, b)
        elif moves_a:
            minimum[a] = _NEVER
        elif moves_b:
            minimum[b] = _NEVER
    for k in range(len(awake)):
        s = np.uint64(awake[k])
        root = root_of(parent, s)
        parent[s] = root
        if minimum[s] < minimum[root]:
            minimum[root] = minimum[s]


@njit(borrows=True)
def sleep_islands(
    awake: Array, limit: Any, parent: Array, minimum: Array, flags: Array, speed: Array, island: Array, slept: Array
) -> int:
    """Put the bodies of rested islands to sleep and clear their velocities; return how many. Their slots are written to
    `slept`, ascending.
    """
    count = 0
    for k in range(len(awake)):
        s = np.uint64(awake[k])
        if minimum[np.uint64(parent[s])] >= limit:
            flags[s] &= ~AWAKE
            island[s] = parent[s]
            for c in range(_1 + _2):
                speed[s * _8 + c] = _ZERO
            slept[count] = s
            count += 1
    return count

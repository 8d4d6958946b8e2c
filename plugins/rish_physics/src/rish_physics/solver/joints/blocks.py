"""Joints in blocks of eight that share no body, rebuilt only when joints or the awake bodies change.

Joints rarely change, so their colors are not computed in every step as those of contacts are. Each kind has its own
blocks; the first of them hold the joints that use the fast path of its solver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs.declarations import distinct
from rish_jit import Array, njit
from rish_jit.simd import LANES, lowest

from ...components.tables import AWAKE, DYNAMIC, ENABLED, JOINT_USED, QUARANTINED, TYPE
from .kinds import KINDS
from .plan import JointBlocks

if TYPE_CHECKING:
    from ...contacts.state import State

COLORS = 64
_MOVES = DYNAMIC | AWAKE
_ONE = np.uint64(1)


def plans_of(state: State) -> list[JointBlocks]:
    """Return the plans of all kinds that have joints, in the order of their numbers; rebuilt if they are stale."""
    if state.stale_joints:
        state.plans = _arrange(state)
        state.stale_joints = False
    return state.plans


def _arrange(state: State) -> list[JointBlocks]:
    joints, flags = state.joints, state.bodies.flags
    pair = joints.pair
    on = ((flags & ENABLED) != 0) & ((flags & QUARANTINED) == 0)
    moves = on & ((flags & (TYPE | AWAKE)) == _MOVES)
    a, b = pair[:, 0], pair[:, 1]
    active = ((joints.flags & JOINT_USED) != 0) & on[a] & on[b] & (moves[a] | moves[b])
    plans: list[JointBlocks] = []
    for number in distinct(joints.kind[active]).tolist():
        optional, constraints = KINDS[number]
        rows = np.flatnonzero(active & (joints.kind == number)).astype(np.int32)
        simple = (joints.flags[rows] & optional) == 0
        parts = [_color_all(state, rows[group]) for group in (simple, ~simple)]
        plans.append(JointBlocks(state, number, constraints, np.concatenate(parts), len(parts[0]) // LANES))
    return plans


def _color_all(state: State, rows: Array) -> Array:
    """Put the joints `rows` into blocks by color; return the joint of each lane, -1 for an empty lane."""
    if not len(rows):
        return rows
    pair, flags = state.joints.flat("pair"), state.bodies.flat("flags")
    used = np.zeros(len(state.bodies), np.uint64)
    colors = np.zeros(len(rows), np.int32)
    counts = np.zeros(COLORS + 1, np.int64)
    color(rows, pair, flags, used, colors, counts)
    # A color takes full blocks of LANES, and each joint without a color one block.
    room = (counts + LANES - 1) // LANES * LANES
    room[COLORS] = counts[COLORS] * LANES
    starts = np.cumsum(room) - room
    by_color = np.argsort(colors, kind="stable")
    group = colors[by_color]
    nth = np.arange(len(rows)) - (np.cumsum(counts) - counts)[group]
    order = np.full(int(room.sum()), -1, np.int32)
    order[starts[group] + nth * np.where(group == COLORS, LANES, 1)] = rows[by_color]
    return order


@njit(borrows=True)
def color(rows: Array, pair: Array, flags: Array, used: Array, colors: Array, counts: Array) -> None:
    """Give each joint the first color that neither body has (greedy graph coloring).

    used: uint64 by body, counts: int64 of COLORS + 1, both 0. colors: int32, receives the color of each, COLORS if
    none was left: such joints get a block each.
    """
    for q in range(len(rows)):
        a = np.int64(pair[2 * np.int64(rows[q])])
        b = np.int64(pair[2 * np.int64(rows[q]) + 1])
        moves_a = flags[a] & (TYPE | AWAKE) == _MOVES
        moves_b = flags[b] & (TYPE | AWAKE) == _MOVES
        used_colors = (used[a] if moves_a else np.uint64(0)) | (used[b] if moves_b else np.uint64(0))
        k = lowest(~used_colors)
        if k < COLORS and moves_a:
            used[a] |= _ONE << np.uint64(k)
        if k < COLORS and moves_b:
            used[b] |= _ONE << np.uint64(k)
        colors[q] = k
        counts[k] += 1

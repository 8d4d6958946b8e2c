"""Joints in blocks of eight that share no body, rebuilt only when joints or the awake bodies change.

Joints rarely change, so their colours are not computed in every step as those of contacts are. Each kind has its own
blocks; the first of them hold the joints that use the fast path of its solver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_ecs.jit import njit

from ...components.tables import AWAKE, DYNAMIC, ENABLED, JOINT_USED, QUARANTINED, TYPE
from ...geometry.simd import LANES, lowest
from ..prepare import takes_part
from .kinds import module_of

if TYPE_CHECKING:
    from ...contacts.state import State

Array = npt.NDArray[Any]
COLOURS = 64
_MOVES = DYNAMIC | AWAKE
_ONE = np.uint64(1)


class JointBlocks:
    """The active joints of one kind, in blocks.

    kind: its module. count: number of blocks, of which `short` use the fast path. order: int32, the joint of each lane,
    -1 for none. rows: the same with 0 for none. lanes: int32, for each block the bodies A and then the bodies B, 0 for
    immovable bodies and for none. blocks: float32, kind.SIZE per block. wide: float32, additional data of the kind for
    the blocks that do not use the fast path. used: float32, 1 in lanes with a joint.
    """

    __slots__ = ("blocks", "count", "kind", "lanes", "order", "rows", "short", "used", "wide")

    def __init__(self, state: State, number: int, kind: Any, order: Array, short: int) -> None:
        self.kind, self.order, self.short = kind, order, short
        self.count = len(order) // LANES
        self.rows = np.maximum(order, 0)
        self.used = (order >= 0).astype(np.float32)
        self.blocks = state.scratch.take(f"joints.blocks{number}", self.count * kind.SIZE)
        self.lanes = state.scratch.take(f"joints.lanes{number}", self.count * 2 * LANES, np.int32)
        self.wide: Array = self.blocks
        list_bodies(order, state.joints.flat("pair"), state.bodies.flat("flags"), self.lanes)


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
    here = ((joints.flags & JOINT_USED) != 0) & on[a] & on[b] & (moves[a] | moves[b])
    plans: list[JointBlocks] = []
    for number in np.unique(joints.kind[here]).tolist():
        kind = module_of(number)
        rows = np.flatnonzero(here & (joints.kind == number)).astype(np.int32)
        simple = kind.simple(joints.flags[rows])
        parts = [_colour_all(state, rows[chosen]) for chosen in (simple, ~simple)]
        plans.append(JointBlocks(state, number, kind, np.concatenate(parts), len(parts[0]) // LANES))
    return plans


def _colour_all(state: State, rows: Array) -> Array:
    """Put the joints `rows` into blocks by colour; return the joint of each lane, -1 for an empty lane."""
    if not len(rows):
        return rows
    pair, flags = state.joints.flat("pair"), state.bodies.flat("flags")
    used = np.zeros(len(state.bodies), np.uint64)
    chosen = np.zeros(len(rows), np.int32)
    counts = np.zeros(COLOURS + 1, np.int64)
    lanes = colour(rows, pair, flags, used, chosen, counts)
    order = np.full(lanes, -1, np.int32)
    fill_lanes(rows, chosen, counts, order)
    return order


@njit(borrows=True)
def colour(rows: Array, pair: Array, flags: Array, used: Array, chosen: Array, counts: Array) -> int:
    """Give each joint the first colour that neither body has (greedy graph colouring); return the number of lanes in
    blocks.

    used: uint64 by body, counts: int64 of COLOURS + 1, both 0. chosen: int32, receives the colour of each, COLOURS if
    none was left: such joints get a block each.
    """
    for q in range(len(rows)):
        a = np.int64(pair[2 * np.int64(rows[q])])
        b = np.int64(pair[2 * np.int64(rows[q]) + 1])
        moves_a = flags[a] & (TYPE | AWAKE) == _MOVES
        moves_b = flags[b] & (TYPE | AWAKE) == _MOVES
        taken = (used[a] if moves_a else np.uint64(0)) | (used[b] if moves_b else np.uint64(0))
        k = lowest(~taken)
        if k < COLOURS and moves_a:
            used[a] |= _ONE << np.uint64(k)
        if k < COLOURS and moves_b:
            used[b] |= _ONE << np.uint64(k)
        chosen[q] = k
        counts[k] += 1
    lanes = counts[COLOURS] * LANES
    for k in range(COLOURS):
        lanes += (counts[k] + LANES - 1) // LANES * LANES
    return lanes


@njit(borrows=True)
def fill_lanes(rows: Array, chosen: Array, counts: Array, order: Array) -> None:
    """Write the joints to their lanes; `counts` is overwritten."""
    first = 0
    for k in range(COLOURS + 1):
        n = counts[k]
        counts[k] = first
        first += (n + LANES - 1) // LANES * LANES
    for q in range(len(rows)):
        k = np.int64(chosen[q])
        order[counts[k]] = rows[q]
        counts[k] += LANES if k == COLOURS else 1


@njit(borrows=True)
def list_bodies(order: Array, pair: Array, flags: Array, lanes: Array) -> None:
    """Write the bodies of each lane; see `JointBlocks.lanes`."""
    for s in range(len(order)):
        x = s // LANES * 2 * LANES + s % LANES
        lanes[x] = 0
        lanes[x + LANES] = 0
        if order[s] >= 0:
            a = np.int64(pair[2 * np.int64(order[s])])
            b = np.int64(pair[2 * np.int64(order[s]) + 1])
            lanes[x] = a if takes_part(flags[a]) else 0
            lanes[x + LANES] = b if takes_part(flags[b]) else 0

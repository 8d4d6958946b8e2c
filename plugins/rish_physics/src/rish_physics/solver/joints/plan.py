"""The plan of a kind of joints: which joints are in which lanes of its blocks, and the memory of its constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_jit.simd import LANES

from ...components.tables import AWAKE, DYNAMIC, KINEMATIC, QUARANTINED, TYPE
from ..soft import JOINT, MASS, numbers_of

if TYPE_CHECKING:
    from ...contacts.state import State

_none = np.zeros(0, np.float32)


class JointBlocks:
    """The active joints of one kind, in blocks.

    count: number of blocks, of which `short` use the fast path. order: int32, the joint of each lane, -1 for none.
    rows: the same with 0 for none. used: float32, 1 in lanes with a joint. lanes: int32, for each block the bodies A
    and then the bodies B, 0 for immovable bodies and for none. parts: the constraints of the kind that some block has,
    in the order in which they are solved; by_form: in that of their forms. memory: float32 by constraint, its size for
    each block that has it. relaxes: whether each sub-step has a relaxing pass. fade: float32, the share of the impulses
    of limits that is applied again. pins: the memory of the constraint that pins the bodies of the last one in `parts`,
    empty if there is none.
    """

    __slots__ = (
        "by_form",
        "count",
        "fade",
        "lanes",
        "memory",
        "order",
        "parts",
        "pins",
        "relaxes",
        "rows",
        "short",
        "used",
    )

    def __init__(self, state: State, number: int, parts: Sequence[Any], order: Array, short: int) -> None:
        self.order, self.short, self.relaxes, self.fade = order, short, True, np.float32(1)
        self.count = len(order) // LANES
        self.rows = np.maximum(order, 0)
        self.used = (order >= 0).astype(np.float32)
        self.parts = [part for part in parts if part.first(self) < self.count]
        self.by_form = sorted(self.parts, key=lambda part: part.form)
        self.memory = {
            part: state.scratch.take(f"joints.{number}.{k}", (self.count - part.first(self)) * part.size)
            for k, part in enumerate(self.parts)
        }
        self.pins = self.memory.get(self.parts[-1].pins, _none)
        self.lanes = _list_bodies(self.rows, order, state.joints.pair, state.bodies.flags)

    def prepare(self, state: State) -> None:
        """Fill the blocks from the tables, with the impulses of the last step."""
        self.relaxes, share = state.scaled.relaxations > 0, numbers_of(state)[JOINT + MASS]
        self.fade = share * share
        for part in self.parts:
            part.prepare(state, self)

    def warm(self, speeds: Array) -> None:
        """Apply those impulses. speeds: `Bodies.state`."""
        for part in self.parts:
            part.warm(self, speeds)

    def solve(self, speeds: Array, numbers: Array, bias: bool) -> None:
        """Do one pass. numbers: see `soft`. bias: whether position errors are corrected, softly."""
        for part in self.parts:
            part.solve(self, speeds, numbers, bias)

    def remember(self, state: State) -> None:
        """Write back the impulses and the load of the joints; the torque is that of the angle, if it has any."""
        for part in self.by_form:
            part.remember(state, self)


def _list_bodies(rows: Array, order: Array, pair: Array, flags: Array) -> Array:
    """Return the bodies of each lane; see `JointBlocks.lanes`."""
    bodies = pair[rows]
    kind, awake = flags[bodies] & TYPE, flags[bodies] & (AWAKE | QUARANTINED) == AWAKE
    moves = (kind == KINEMATIC) | ((kind == DYNAMIC) & awake)
    bodies[(order < 0)[:, None] | ~moves] = 0
    return np.ascontiguousarray(bodies.reshape(-1, LANES, 2).swapaxes(1, 2)).ravel()

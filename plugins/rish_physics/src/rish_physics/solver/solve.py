"""The solver of one step: computes velocities and displacements from manifolds and joints, and stores the impulses.

A world without joints goes through all sub-steps in one kernel call; there is one kernel for plain contacts and one for
cold ones too. If there are joints, the sub-steps are run from here one by one, so that only the kernels that are needed
are called and compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit.simd import LANES

from . import contact, contact_extra, substeps
from .blocks import SIZE
from .cold_substeps import cold_substeps
from .color import COLD, STILL, Coloring
from .joints.blocks import plans_of
from .joints.plan import JointBlocks
from .overlap import limit_overlap
from .prepare import bring_together, prepare, remember
from .soft import CLOSED, numbers_of

if TYPE_CHECKING:
    from ..contacts.state import State


def solve(state: State) -> None:
    """Solve the contacts `active` and all joints for the bodies `awake`; the displacements are left in
    `Bodies.state`.
    """
    lap = state.timings.lap
    contacts = solver_of(state)
    contacts.arrange(state)
    lap("color")
    contacts.prepare(state)
    plans = plans_of(state) if len(state.joints) else []
    for plan in plans:
        plan.prepare(state)
    lap("prepare")
    if plans:
        _lead(state, contacts, plans)
    elif contacts.cold:
        _run_cold(state, contacts)
    else:
        _run(state, contacts)
    contacts.limit_overlap(state)
    lap("substeps")
    contacts.remember(state)
    for plan in plans:
        plan.remember(state)
    lap("remember")


def solver_of(state: State) -> Contacts:
    """Return the `Contacts` of this state, created on first use."""
    if state.solver is None:
        state.solver = Contacts()
    return state.solver


class Contacts(Coloring):
    """The contacts of one step in blocks; see `blocks` and `color`. Created once, and refilled in every step.

    count: the number of blocks. cold: the number of cold blocks. lanes, blocks, extra: their memory.
    """

    def __init__(self) -> None:
        super().__init__()
        self.work = np.zeros(LANES, np.int32), np.zeros(LANES, np.float32)
        self.count = self.cold = 0
        self.lanes: Any = np.zeros(0, np.int32)
        self.blocks: Any = np.zeros(0, np.float32)
        self.extra: Any = np.zeros(0, np.float32)

    def arrange(self, state: State) -> None:
        """Assign the active contacts to the lanes of blocks, see `color`."""
        self.count = self.color(state)
        scratch, parts = state.scratch, self.parts
        self.lanes = scratch.take("contact.lanes", 2 * LANES * self.count, np.int32)
        self.blocks = scratch.take("contact.blocks", SIZE * self.count)
        self.cold = int(parts[COLD + 1] - parts[COLD] + parts[STILL + COLD + 1] - parts[STILL + COLD])
        if self.cold:
            self.extra = scratch.take("contact.extra", contact_extra.EXTRA * self.cold)

    def prepare(self, state: State) -> None:
        """Fill the blocks."""
        if not self.count:
            return
        scaled = state.scaled
        contacts, bodies, shapes = state.flats(state.contacts), state.flats(state.bodies), state.flats(state.shapes)
        share = np.float32(1 if scaled.warm_starting else 0)
        prepare(
            self.order, self.parts, contacts.pair, contacts.info, contacts.manifold, bodies.flags, bodies.state,
            shapes.surface, scaled.friction_mix, share, self.work, self.lanes, self.blocks,
        )  # fmt: skip
        if numbers_of(state)[CLOSED]:
            bring_together(self.order, self.count, contacts.pair, bodies.pose, bodies.state, self.lanes, self.blocks)
        if self.cold:
            contact_extra.prepare_extra(
                self.parts, self.order, contacts.pair, shapes.surface, shapes.size, contacts.cold, scaled.friction_mix,
                scaled.restitution_mix, share, numbers_of(state), bodies.state, self.blocks, self.lanes, self.extra,
            )  # fmt: skip

    def limit_overlap(self, state: State) -> None:
        """Correct the displacements of bodies that are pressed too deep into walls."""
        if self.parts[2 * STILL] > self.parts[STILL]:
            bodies = state.flats(state.bodies)
            limit_overlap(
                self.parts, bodies.state, bodies.extent, self.blocks, self.lanes, state.scaled.slop, self.work[1]
            )

    def remember(self, state: State) -> None:
        """Write the impulses back to the tables."""
        if not self.count:
            return
        contacts = state.flats(state.contacts)
        remember(self.order, self.count, contacts.info, contacts.manifold, self.blocks)


def _run(state: State, contacts: Contacts) -> None:
    """Run all sub-steps in one call."""
    bodies, scaled = state.flats(state.bodies), state.scaled
    substeps.substeps(
        scaled.substeps, scaled.iterations, scaled.relaxations, state.awake, bodies.flags, bodies.drive, contacts.parts,
        bodies.state, contacts.blocks, contacts.lanes, numbers_of(state),
    )  # fmt: skip


def _run_cold(state: State, contacts: Contacts) -> None:
    """Run all sub-steps with cold contacts in one call."""
    bodies, scaled = state.flats(state.bodies), state.scaled
    listed = state.scratch.take("contact.listed", contacts.cold, np.int32)
    cold_substeps(
        scaled.substeps, scaled.iterations, scaled.relaxations, (state.awake, bodies.flags, bodies.drive, bodies.state),
        contacts.parts, contacts.blocks, contacts.extra, contacts.lanes, numbers_of(state),
        (contacts.order, state.flats(state.contacts).cold, listed),
    )  # fmt: skip


def _lead(state: State, contacts: Contacts, plans: list[JointBlocks]) -> None:
    """Run the sub-steps one by one: joints before contacts, because a joint must not push a body through a wall."""
    bodies, scaled, numbers = state.flats(state.bodies), state.scaled, numbers_of(state)
    awake, flags, drive, speeds = state.awake, bodies.flags, bodies.drive, bodies.state
    closed = bool(numbers[CLOSED])
    parts, blocks, extra, lanes = contacts.parts, contacts.blocks, contacts.extra, contacts.lanes

    def warm() -> None:
        for plan in plans:
            plan.warm(speeds)
        if contacts.count:
            contact.warm(parts, speeds, blocks, lanes)
            if closed:
                contact.warm_closed(parts, speeds, blocks, lanes, numbers)
        if contacts.cold:
            contact_extra.warm_extra(parts, speeds, extra, lanes)

    def solve(bias: bool) -> None:
        for plan in plans:
            plan.solve(speeds, numbers, bias)
        if contacts.count > contacts.cold:
            contact.solve(parts, speeds, blocks, lanes, numbers, bias)
        if contacts.cold:
            contact_extra.solve_extra(parts, speeds, blocks, extra, lanes, numbers, bias)

    for _ in range(scaled.substeps):
        substeps.velocities(awake, flags, speeds, drive, numbers)
        warm()
        for _ in range(scaled.iterations):
            solve(True)
        substeps.positions(awake, speeds, numbers)
        for _ in range(scaled.relaxations):
            solve(False)
    if contacts.cold:
        cold = state.flats(state.contacts).cold
        listed = state.scratch.take("contact.listed", contacts.cold, np.int32)
        contact_extra.bounce(parts, contacts.order, speeds, blocks, extra, lanes, numbers, cold, listed)

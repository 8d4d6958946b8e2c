"""The solver of one step: from manifolds and joints to velocities and ways, and the impulses back into the tables.

A world of bodies and plain contacts goes through all sub-steps in one call of a kernel. Where there are joints or cold
contacts the sub-steps are led from here, so that only what is there is called, and compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..joints.blocks import Plan, plans_of
from . import contact, contact_extra, substeps
from .blocks import SIZE
from .colour import COLD, STILL, colour_contacts
from .prepare import prepare, remember
from .simd import LANES
from .soft import numbers_of

if TYPE_CHECKING:
    from ..state import State


def solve(state: State) -> None:
    """Solve the contacts `active` and all joints for the bodies `awake`; leaves their ways in `Bodies.state`."""
    lap = state.timings.lap
    contacts = Contacts(state)
    lap("colour")
    contacts.prepare()
    plans = plans_of(state) if len(state.joints) else []
    for plan in plans:
        plan.kind.prepare(state, plan)
    lap("prepare")
    if plans or contacts.cold:
        _lead(state, contacts, plans)
    else:
        _run(state, contacts)
    lap("substeps")
    contacts.remember()
    for plan in plans:
        plan.kind.remember(state, plan)
    lap("remember")


class Contacts:
    """The blocks of the contacts of one step; see `blocks` and `colour`."""

    __slots__ = ("blocks", "cold", "count", "extra", "lanes", "order", "parts", "state")

    def __init__(self, state: State) -> None:
        self.state, scratch = state, state.scratch
        self.count = colour_contacts(state)
        self.order, self.parts = scratch.arrays["colour.order"], scratch.arrays["colour.parts"]
        self.lanes = scratch.take("contact.lanes", 2 * LANES * self.count, np.int32)
        self.blocks = scratch.take("contact.blocks", SIZE * self.count)
        parts = self.parts
        self.cold = int(parts[COLD + 1] - parts[COLD] + parts[STILL + COLD + 1] - parts[STILL + COLD])
        self.extra = scratch.take("contact.extra", contact_extra.EXTRA * self.cold) if self.cold else None

    def prepare(self) -> None:
        """Fill the blocks."""
        if not self.count:
            return
        state, scratch = self.state, self.state.scratch
        contacts, bodies = state.contacts, state.bodies
        work = (scratch.take("prepare.rows", LANES, np.int32), scratch.take("prepare.points", LANES))
        share = np.float32(1 if state.scaled.warm_starting else 0)
        prepare(
            self.order, self.count, contacts.flat("pair"), contacts.flat("info"), contacts.flat("manifold"),
            bodies.flat("flags"), bodies.flat("state"), state.shapes.flat("surface"), state.scaled.friction_mix, share,
            work, self.lanes, self.blocks,
        )  # fmt: skip
        if self.cold:
            contact_extra.prepare_extra(
                self.parts, self.order, contacts.flat("pair"), state.shapes.flat("surface"), state.shapes.flat("size"),
                contacts.flat("cold"), state.scaled.friction_mix, state.scaled.restitution_mix, share,
                bodies.flat("state"), self.blocks, self.lanes, self.extra,
            )  # fmt: skip

    def remember(self) -> None:
        """Write the impulses back."""
        if self.count:
            contacts = self.state.contacts
            remember(self.order, self.count, contacts.flat("info"), contacts.flat("manifold"), self.blocks)
        if self.cold:
            contact_extra.remember_extra(self.parts, self.order, self.extra, self.state.contacts.flat("cold"))


def _run(state: State, contacts: Contacts) -> None:
    """All sub-steps in one call."""
    bodies, scaled = state.bodies, state.scaled
    substeps.substeps(
        scaled.substeps, scaled.iterations, scaled.relaxations, state.awake, bodies.flat("flags"), bodies.flat("drive"),
        contacts.parts, bodies.flat("state"), contacts.blocks, contacts.lanes, numbers_of(state),
    )  # fmt: skip


def _lead(state: State, contacts: Contacts, plans: list[Plan]) -> None:
    """The sub-steps one by one: joints before contacts, since nothing may be pushed through a wall by a joint."""
    bodies, scaled, numbers = state.bodies, state.scaled, numbers_of(state)
    awake, flags, drive, speeds = state.awake, bodies.flat("flags"), bodies.flat("drive"), bodies.flat("state")
    parts, blocks, extra, lanes = contacts.parts, contacts.blocks, contacts.extra, contacts.lanes

    def warm() -> None:
        for plan in plans:
            plan.kind.warm(state, plan)
        if contacts.count:
            contact.warm(parts, speeds, blocks, lanes)
        if contacts.cold:
            contact_extra.warm_extra(parts, speeds, extra, lanes)

    def solve(bias: bool) -> None:
        for plan in plans:
            plan.kind.solve(state, plan, bias)
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
        contact_extra.bounce(parts, speeds, blocks, extra, lanes, numbers)

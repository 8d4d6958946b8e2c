"""The sub-steps of a tick, as the list of their kernels.

Each sub-step integrates velocities, applies the previous impulses (warm starting), solves joints and contacts with a
bias that pulls and pushes errors away, integrates positions, and solves them again without the bias (relaxing). Joints
come before contacts, since a joint must not push a body through a wall. Their rows are made anew after each movement,
at the rotations that the bodies then have; they serve for relaxing, and for the sub-step after it. Joints are solved
twice in each pass: they are in blocks of independent ones, and a heavy weight on a chain needs that.

The kernels are called one by one: a call costs a tenth of a microsecond, and none is compiled twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rish_jit import Array

from .contact import solve, warm
from .integrate import positions, velocities, world_inertia
from .joints.build import free_rows, lock_rows, spring_rows
from .joints.rows import make_conjugate, read_impulses, start_impulses, write_impulses
from .joints.solve import keep_joints, push_rows
from .joints.vectors import place_frames, place_joints
from .roll import Rolls, roll
from .soft import INVERSE_H, H

_PASSES = 2
"""Over the joints: eight are solved together, so an impulse travels as far in two passes as in one over all in turn."""


class Bodies(NamedTuple):
    """The arrays of the bodies, see `solver.integrate`. rows: int32, the bodies to move."""

    rows: Array
    dynamic: Array
    linear: Array
    angular: Array
    pose: Array
    mass: Array
    drive: Array
    inertia: Array


class Contacts(NamedTuple):
    """The blocks of the contacts, see `solver.color` and `solver.blocks`."""

    parts: Array
    blocks: Array
    lanes: Array
    rolls: Rolls | None


class Joints(NamedTuple):
    """The arrays of the joints, see `solver.joints.vectors.place_joints`.

    load: float32, receives the squares of the greatest forces and torques, see `solver.joints.solve.keep_joints`.
    jointed: int32, their bodies. rows, vectors: working memory, 0 where no joint has a row. ends: see
    `solver.joints.vectors.place_frames`.
    """

    form: Array
    frames: Array
    numbers: Array
    ends: Array
    jointed: Array
    stored: Array
    counts: Array
    rows: Array
    load: Array
    vectors: Array


def run_substeps(
    count: int, bodies: Bodies, contacts: Contacts, joints: Joints | None, numbers: Array, share: Any
) -> None:
    """Run `count` sub-steps. numbers: see `solver.soft`. share: of the impulses of the last step, float32."""
    moved, dynamic, linear, angular, pose, mass, drive, inertia = bodies
    parts, blocks, lanes, rolls = contacts

    def warm_contacts() -> None:
        warm(parts, linear, angular, blocks, lanes)
        if rolls is not None:
            roll(rolls.blocks, rolls.counts, angular, blocks, lanes, rolls.numbers.ravel(), True)

    def relax_contacts() -> None:
        solve(parts, linear, angular, blocks, lanes, numbers, False)
        if rolls is not None:
            roll(rolls.blocks, rolls.counts, angular, blocks, lanes, rolls.numbers.ravel(), False)

    if joints is None:
        for _ in range(count):
            velocities(moved, dynamic, linear, angular, pose, mass, drive, inertia, numbers)
            warm_contacts()
            solve(parts, linear, angular, blocks, lanes, numbers, True)
            positions(moved, linear, angular, pose, numbers)
            relax_contacts()
        return
    form, frames, limits, ends, jointed, stored, counts, rows, load, vectors = joints

    def build() -> None:
        place_frames(ends, frames, (linear, angular, pose), numbers[H], vectors)
        place_joints(form, limits, (linear, angular, pose), vectors)
        free_rows(form, limits, vectors, linear, inertia, numbers, counts, rows)
        spring_rows(form, limits, vectors, linear, inertia, numbers[H], counts, rows)
        lock_rows(form, limits, vectors, numbers, counts, rows)
        make_conjugate(rows, counts, linear, inertia, ends)

    load[:] = 0
    build()
    read_impulses(counts, stored, share, rows)
    start_impulses(counts, rows)
    for _ in range(count):
        velocities(moved, dynamic, linear, angular, pose, mass, drive, inertia, numbers)
        push_rows(ends, counts, rows, linear, angular, True, False)
        warm_contacts()
        for _ in range(_PASSES):
            push_rows(ends, counts, rows, linear, angular, False, False)
        solve(parts, linear, angular, blocks, lanes, numbers, True)
        keep_joints(ends, frames, counts, rows, pose, load, numbers[INVERSE_H])
        positions(moved, linear, angular, pose, numbers)
        world_inertia(jointed, pose, mass, inertia)
        build()
        start_impulses(counts, rows)
        for _ in range(_PASSES):
            push_rows(ends, counts, rows, linear, angular, False, True)
        relax_contacts()
    keep_joints(ends, frames, counts, rows, pose, load, numbers[INVERSE_H])
    write_impulses(counts, rows, stored)

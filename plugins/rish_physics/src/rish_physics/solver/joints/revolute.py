"""The revolute joint: a pin about which two bodies turn; with limits, a motor and a spring on the angle.

The pin is a constraint on two numbers, so its effective mass is a 2x2 matrix, inverted in closed form. Spring, motor
and limits act on the angle (`turns`). They are solved after the pin, by impulses that leave the velocity of its anchors
as it is, so that both hold. A plain pin, of which nets and chains are made, uses the fast path: only the point is
solved.

For the sum m of the inverse masses, inverse inertias i and j, and arms a and b, the matrix is K = m 1 + i a⊥ a⊥ᵀ + j b⊥
b⊥ᵀ. Its determinant is m (m + i a² + j b²) + i j (a x b)², and the inverse times the determinant is m 1 + i a aᵀ + j b
bᵀ. In this form nothing is subtracted, so a light body on a long arm is as exact as any other.

A net has two joints per body, and most of a pass is loading and storing bodies. So a pass loads as little as possible:
the positions change once in a sub-step, and the first pass after that, the relaxing one, stores arms and gap in the
block. Warm starting and the pass with bias then need only the velocities, half a row.

numbers: those of an axis; the place is the angle of B relative to A, and the impulses are angular. impulses: x, y of
the pin, then those of the axis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, gather, gather4, load, maximum, splat, store

from ..pairs import read_pair, write_pair
from ..soft import IMPULSE, JOINT, MASS, RATE
from .axial import turned
from .constraint import POINT, Constraint

if TYPE_CHECKING:
    from ...contacts.state import State
    from .plan import JointBlocks

# Vectors of a block of pins
PUSH = 0
"""The accumulated impulse of the pin, x and y."""
ARM_A, ARM_B = 16, 32
"""The vectors from the centers to the anchors, x and y, at the current rotation."""
TURN_A, TURN_B = 48, 56
"""The inverse moments of inertia."""
GAP = 64
"""The vector from the anchor of A to that of B, x and y, at the current pose."""
ANCHOR_A, ANCHOR_B = 80, 96
"""The arms at the start of the step."""
BETWEEN = 112
"""The vector from the center of A to that of B, x and y, at the start of the step."""
SIZE = 128
"""The number of float32 in a block of pins."""

_zero, _one, _tiny = np.float32(0), np.float32(1), np.float32(1e-30)


class Pins(Constraint):
    """The constraint, with its own layout of blocks."""

    size = SIZE

    def __init__(self) -> None:
        super().__init__(POINT)

    def prepare(self, state: State, plan: JointBlocks) -> None:
        """Fill the blocks from the tables."""
        joints, bodies = state.flats(state.joints), state.flats(state.bodies)
        share = np.float32(1 if state.scaled.warm_starting else 0)
        ends = state.scratch.take("revolute.ends", 2 * LANES, np.int32)
        prepare_pins(
            plan.count, plan.rows, plan.used, joints.pair, bodies.pose, bodies.state, joints.frames, joints.impulses,
            share, ends, plan.lanes, plan.memory[self],
        )  # fmt: skip

    def warm(self, plan: JointBlocks, speeds: Any) -> None:
        """Apply the impulses that the blocks hold."""
        warm_pins(plan.count, speeds, plan.memory[self], plan.lanes, not plan.relaxes)

    def solve(self, plan: JointBlocks, speeds: Any, numbers: Any, bias: bool) -> None:
        """Do one pass over all blocks."""
        if bias:
            solve_pins(plan.count, speeds, plan.memory[self], plan.lanes, numbers)
        else:
            relax_pins(plan.count, speeds, plan.memory[self], plan.lanes)


@njit(borrows=True)
def prepare_pins(
    count: int, rows: Any, used: Any, pair: Any, pose: Any, state: Any, frames: Any, impulses: Any, share: Any,
    ends: Any, lanes: Any, blocks: Any,
) -> None:  # fmt: skip
    """Fill the blocks. ends: int32 of 16, for the bodies of a block, movable or not."""
    scale = splat(share)
    for block in range(count):
        o = block * SIZE
        s = block * LANES
        for k in range(LANES):
            j = np.int64(rows[s + k])
            ends[k] = pair[2 * j]
            ends[k + LANES] = pair[2 * j + 1]
        present = load(used, s)
        a = gather4(pose, 4, 0, ends, 0)
        b = gather4(pose, 4, 0, ends, LANES)
        frame = gather(frames, 8, 0, rows, s)
        push = gather4(impulses, 8, 0, rows, s)
        # Anchors in world axes, rotated by the bodies.
        ax, ay = a[2] * frame[0] - a[3] * frame[1], a[3] * frame[0] + a[2] * frame[1]
        bx, by = b[2] * frame[4] - b[3] * frame[5], b[3] * frame[4] + b[2] * frame[5]
        wx, wy = b[0] - a[0], b[1] - a[1]
        a, b = read_pair(state, lanes, block)
        store(blocks, o + PUSH, push[0] * scale * present)
        store(blocks, o + PUSH + LANES, push[1] * scale * present)
        store(blocks, o + TURN_A, a[7])
        store(blocks, o + TURN_B, b[7])
        store(blocks, o + GAP, wx + (bx - ax))
        store(blocks, o + GAP + LANES, wy + (by - ay))
        store(blocks, o + BETWEEN, wx)
        store(blocks, o + BETWEEN + LANES, wy)
        for first in (ARM_A, ANCHOR_A):
            store(blocks, o + first, ax)
            store(blocks, o + first + LANES, ay)
        for first in (ARM_B, ANCHOR_B):
            store(blocks, o + first, bx)
            store(blocks, o + first + LANES, by)


@njit(forceinline=True, borrows=True)
def over_determinant(ax: Any, ay: Any, bx: Any, by: Any, mass: Any, turn_a: Any, turn_b: Any) -> Any:
    """Return one divided by the determinant of K, see the module. mass: the sum of the inverse masses."""
    cross = ax * by - ay * bx
    long = mass + turn_a * (ax * ax + ay * ay) + turn_b * (bx * bx + by * by)
    return splat(_one) / maximum(mass * long + turn_a * turn_b * cross * cross, splat(_tiny))


@njit(forceinline=True, borrows=True)
def _turn(blocks: Any, o: Any, dxa: Any, dya: Any, turn_a: Any, dxb: Any, dyb: Any, turn_b: Any) -> Any:
    """Write arms and gap of one block, for the bodies' displacements and rotations in this step; return the arms."""
    ax, ay = turned(load(blocks, o + ANCHOR_A), load(blocks, o + ANCHOR_A + LANES), turn_a)
    bx, by = turned(load(blocks, o + ANCHOR_B), load(blocks, o + ANCHOR_B + LANES), turn_b)
    store(blocks, o + ARM_A, ax)
    store(blocks, o + ARM_A + LANES, ay)
    store(blocks, o + ARM_B, bx)
    store(blocks, o + ARM_B + LANES, by)
    store(blocks, o + GAP, ((dxb - dxa) + load(blocks, o + BETWEEN)) + (bx - ax))
    store(blocks, o + GAP + LANES, ((dyb - dya) + load(blocks, o + BETWEEN + LANES)) + (by - ay))
    return ax, ay, bx, by


@njit(borrows=True)
def warm_pins(count: int, state: Any, blocks: Any, lanes: Any, stale: bool) -> None:
    """Apply the impulses of the pins. stale: whether arms and gaps must be updated first, because no relaxing pass has
    done it since the bodies moved.
    """
    for block in range(count):
        o = block * SIZE
        x = block * 2 * LANES
        if stale:
            a, b = read_pair(state, lanes, block)
            _turn(blocks, o, a[4], a[5], a[6], b[4], b[5], b[6])
        a = gather4(state, 8, 0, lanes, x)
        b = gather4(state, 8, 0, lanes, x + LANES)
        px = load(blocks, o + PUSH)
        py = load(blocks, o + PUSH + LANES)
        spin_a = load(blocks, o + ARM_A) * py - load(blocks, o + ARM_A + LANES) * px
        spin_b = load(blocks, o + ARM_B) * py - load(blocks, o + ARM_B + LANES) * px
        spin_a = a[2] - load(blocks, o + TURN_A) * spin_a
        spin_b = b[2] + load(blocks, o + TURN_B) * spin_b
        write_pair(state, lanes, block, a, b, px, py, spin_a, spin_b)


@njit(borrows=True)
def solve_pins(count: int, state: Any, blocks: Any, lanes: Any, numbers: Any) -> None:
    """Do one pass over the pins that closes their gaps softly."""
    rate = splat(numbers[JOINT + RATE])
    share = splat(numbers[JOINT + MASS])
    relax = splat(numbers[JOINT + IMPULSE])
    for block in range(count):
        o = block * SIZE
        x = block * 2 * LANES
        a = gather4(state, 8, 0, lanes, x)
        b = gather4(state, 8, 0, lanes, x + LANES)
        ax, ay = load(blocks, o + ARM_A), load(blocks, o + ARM_A + LANES)
        bx, by = load(blocks, o + ARM_B), load(blocks, o + ARM_B + LANES)
        turn_a, turn_b = load(blocks, o + TURN_A), load(blocks, o + TURN_B)
        vx = (b[0] - a[0]) + (a[2] * ay - b[2] * by) + rate * load(blocks, o + GAP)
        vy = (b[1] - a[1]) + (b[2] * bx - a[2] * ax) + rate * load(blocks, o + GAP + LANES)
        over = over_determinant(ax, ay, bx, by, a[3] + b[3], turn_a, turn_b)
        px, py = _push(blocks, o, ax, ay, bx, by, a[3] + b[3], turn_a, turn_b, vx, vy, over * share, relax)
        spin_a = a[2] - ((turn_a * ax) * py - (turn_a * ay) * px)
        spin_b = b[2] + ((turn_b * bx) * py - (turn_b * by) * px)
        write_pair(state, lanes, block, a, b, px, py, spin_a, spin_b)


@njit(borrows=True)
def relax_pins(count: int, state: Any, blocks: Any, lanes: Any) -> None:
    """Do one pass over the pins after the bodies have moved, without correcting the gaps."""
    zero = splat(_zero)
    for block in range(count):
        o = block * SIZE
        a, b = read_pair(state, lanes, block)
        ax, ay, bx, by = _turn(blocks, o, a[4], a[5], a[6], b[4], b[5], b[6])
        vx = (b[0] - a[0]) + (a[2] * ay - b[2] * by)
        vy = (b[1] - a[1]) + (b[2] * bx - a[2] * ax)
        over = over_determinant(ax, ay, bx, by, a[3] + b[3], a[7], b[7])
        px, py = _push(blocks, o, ax, ay, bx, by, a[3] + b[3], a[7], b[7], vx, vy, over, zero)
        spin_a = a[2] - ((a[7] * ax) * py - (a[7] * ay) * px)
        spin_b = b[2] + ((b[7] * bx) * py - (b[7] * by) * px)
        write_pair(state, lanes, block, a, b, px, py, spin_a, spin_b)


@njit(forceinline=True, borrows=True)
def _push(
    blocks: Any, o: Any, ax: Any, ay: Any, bx: Any, by: Any, mass: Any, turn_a: Any, turn_b: Any, vx: Any, vy: Any,
    over: Any, relax: Any,
) -> Any:  # fmt: skip
    """Return the impulse that stops the anchors, whose relative velocity is vx, vy, and add it to the accumulated
    one.

    mass: the sum of the inverse masses. over: one divided by the determinant, times the mass share. relax: the impulse
    share of a soft constraint.
    """
    # Impulse = -share · K^-1 · velocity - relax · accumulated; for K^-1 see the module.
    along_a = turn_a * (ax * vx + ay * vy)
    along_b = turn_b * (bx * vx + by * vy)
    old_x, old_y = load(blocks, o + PUSH), load(blocks, o + PUSH + LANES)
    px = -over * (mass * vx + (along_a * ax + along_b * bx)) - relax * old_x
    py = -over * (mass * vy + (along_a * ay + along_b * by)) - relax * old_y
    store(blocks, o + PUSH, old_x + px)
    store(blocks, o + PUSH + LANES, old_y + py)
    return px, py

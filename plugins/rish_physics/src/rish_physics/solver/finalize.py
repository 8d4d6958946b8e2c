"""The last stage of the solver: writes the new poses of the bodies and the boxes of their shapes.

During the sub-steps a body stores only its displacement since the step began, which is small and so precise; here it is
added to the pose. Invalid results are detected here too, body by body, before other code can read them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import njit

from ..components.tables import ALLOW_SLEEP, AWAKE, BALL, BOX, BULLET, DYNAMIC, FAST, MOVED, QUARANTINED, TYPE
from ..geometry.aabb import MARGIN_SHARE, core_count, core_start, hull_box
from .soft import DT, MARGIN, MAX_SPEED, MAX_SPIN, REACH, SPECULATIVE, numbers_of

if TYPE_CHECKING:
    from ..contacts.state import State

_zero = np.float32(0)
_one = np.float32(1)
_half = np.float32(0.5)
_two = np.float32(2)
_three = np.float32(3)
_whirl = np.float32(64)
_endless = np.float32(np.inf)
_s3, _s5, _s7 = np.float32(1 / 6), np.float32(1 / 20), np.float32(1 / 42)
_c4, _c6, _c8 = np.float32(1 / 12), np.float32(1 / 30), np.float32(1 / 56)


@njit(borrows=True, inline="always")
def turned(c: Any, s: Any, turn: Any) -> Any:
    """Return the cosine and sine of a direction c, s rotated by `turn` radians, all float32, normalized.

    Taylor series up to half a radian, exact to the last bit but one. A greater angle is halved repeatedly, and the
    result doubled as often, each of which may cost another bit. More than 64 radians in one step count as 0.
    """
    halvings = 0
    if not abs(turn) < _whirl:
        turn = _zero
    while abs(turn) > _half:
        turn *= _half
        halvings += 1
    square = turn * turn
    sine = turn * (_one - square * _s3 * (_one - square * _s5 * (_one - square * _s7)))
    cosine = _one - square * _half * (_one - square * _c4 * (_one - square * _c6 * (_one - square * _c8)))
    for _ in range(halvings):
        sine, cosine = sine * cosine + sine * cosine, cosine * cosine - sine * sine
    x = c * cosine - s * sine
    y = s * cosine + c * sine
    scale = _half * (_three - (x * x + y * y))  # one Newton step for the inverse square root of a number near 1
    return x * scale, y * scale


@njit(borrows=True, inline="always")
def limited(vx: Any, vy: Any, limit: Any) -> Any:
    """Return a velocity of any length, scaled to the length `limit` without overflow."""
    size = max(abs(vx), abs(vy))
    x = vx / size
    y = vy / size
    scale = limit / np.sqrt(x * x + y * y)
    return x * scale, y * scale


@njit(borrows=True)
def finalize(awake: Any, numbers: Any, continuous: bool, bodies: Any, shapes: Any, lists: Any) -> Any:
    """Write the poses, boxes and rest times of the bodies `awake`.

    bodies, shapes: columns, in the order in which they are unpacked. lists: int32: moved gets the shapes with new fat
    boxes, fast the bodies that continuous collision must check, lost those that were stopped, because they are out of
    reach (and so quarantined) or their velocity is not finite. Returns the length of each list, the number of bodies
    that were clamped to the maximum speed, the longest rest time, and whether `moved` is ascending.
    """
    flags, pose, state, extent, rest, first_shape = bodies
    shape_flags, following, size, hull, tight, fat = shapes
    moved, fast, lost = lists
    n_moved, n_fast, n_lost, n_slowed = 0, 0, 0, 0
    longest = _zero
    ascending = True
    dt = numbers[DT]
    twice = _two * dt
    near = numbers[SPECULATIVE]
    fastest = numbers[MAX_SPEED] * numbers[MAX_SPEED]
    last = -1
    for q in range(len(awake)):
        i = np.int64(awake[q])
        o = 8 * i
        p = 4 * i
        kind = flags[i]
        # Velocity, spin, and the displacement and rotation of this step.
        vx = state[o]
        vy = state[o + 1]
        w = state[o + 2]
        dx = state[o + 4]
        dy = state[o + 5]
        turn = state[o + 6]
        x = pose[p] + dx
        y = pose[p + 1] + dy
        # NaN and infinity fail this comparison as well.
        sound = abs(vx) + abs(vy) + abs(w) + abs(turn) < _endless
        if not (sound and abs(x) <= numbers[REACH] and abs(y) <= numbers[REACH]):
            for k in range(3):
                state[o + k] = _zero
                state[o + 4 + k] = _zero
            # A body whose solver numbers overflowed is stopped, and continues from its old pose in the next step.
            flags[i] = (kind & ~(AWAKE | FAST)) | QUARANTINED if sound else kind & ~FAST
            lost[n_lost] = i
            n_lost += 1
            shape = np.int64(first_shape[i])
            while shape >= 0:
                if shape_flags[shape] & MOVED == 0:
                    shape_flags[shape] |= MOVED
                    moved[n_moved] = shape
                    n_moved += 1
                    ascending = False
                shape = np.int64(following[shape])
            continue
        # Limits of speed and spin.
        if vx * vx + vy * vy > fastest:
            slower = limited(vx, vy, numbers[MAX_SPEED])
            vx = slower[0]
            vy = slower[1]
            state[o] = vx
            state[o + 1] = vy
            n_slowed += 1
        if abs(w) > numbers[MAX_SPIN] and kind & TYPE == DYNAMIC:
            w = numbers[MAX_SPIN] if w > _zero else -numbers[MAX_SPIN]
            state[o + 2] = w
            n_slowed += 1
        # The new pose: (c, s) rotated by `turn`, normalized.
        direction = turned(pose[p + 2], pose[p + 3], turn)
        c = direction[0]
        s = direction[1]
        pose[p] = x
        pose[p + 1] = y
        pose[p + 2] = c
        pose[p + 3] = s
        reach = extent[p + 2]
        # The displacement of the point that moved furthest, |d| + |turn| reach, is compared without a square root.
        # It includes the overlap correction, so that a settling stack is not at rest; it counts half.
        way = dx * dx + dy * dy
        swing = abs(turn) * reach
        calm = rest[2 * i + 1]
        room = calm * twice - swing
        stays = vx * vx + vy * vy <= calm * calm and abs(w) * reach <= calm and room >= _zero and way <= room * room
        if stays and kind & ALLOW_SLEEP:
            rest[2 * i] += dt
            longest = max(longest, rest[2 * i])
        else:
            rest[2 * i] = _zero
        # Continuous collision: the body moved further than half of its inner radius.
        room = _half * extent[p + 3] - swing
        if continuous and (room < _zero or way > room * room or kind & BULLET):
            flags[i] = kind | FAST
            fast[n_fast] = i
            n_fast += 1
        else:
            if kind & FAST:
                flags[i] = kind & ~FAST
            state[o + 4] = _zero
            state[o + 5] = _zero
            state[o + 6] = _zero
        shape = np.int64(first_shape[i])
        while shape >= 0:
            look = shape_flags[shape]
            b = 4 * shape
            # The tight box: |R| · half extents for a rotated box, the radius for a circle, otherwise of all points.
            if look & BOX:
                ex = abs(c) * size[b] + abs(s) * size[b + 1]
                ey = abs(s) * size[b] + abs(c) * size[b + 1]
                x0, y0, x1, y1 = x - ex, y - ey, x + ex, y + ey
            elif look & BALL:
                ex = size[b + 2]
                x0, y0, x1, y1 = x - ex, y - ex, x + ex, y + ex
            else:
                x0, y0, x1, y1 = hull_box(hull, core_start(look, shape), core_count(look), size[b + 2], x, y, c, s)
            tight[b] = x0
            tight[b + 1] = y0
            tight[b + 2] = x1
            tight[b + 3] = y1
            # The fat box is replaced only if the tight one, grown by the contact distance, leaves it.
            x0 -= near
            y0 -= near
            x1 += near
            y1 += near
            if x0 < fat[b] or y0 < fat[b + 1] or x1 > fat[b + 2] or y1 > fat[b + 3]:
                margin = min(numbers[MARGIN], MARGIN_SHARE * size[b + 3])
                fat[b] = x0 - margin
                fat[b + 1] = y0 - margin
                fat[b + 2] = x1 + margin
                fat[b + 3] = y1 + margin
                if look & MOVED == 0:
                    shape_flags[shape] = look | MOVED
                    moved[n_moved] = shape
                    n_moved += 1
                    ascending = ascending and shape > last
                    last = shape
            shape = np.int64(following[shape])
    return n_moved, n_fast, n_lost, n_slowed, longest, ascending


def finish(state: State) -> None:
    """Write poses and boxes, and fill `moved`, `fast`, `quarantined`, `rested` and `slowed`."""
    bodies, shapes, scratch = state.flats(state.bodies), state.flats(state.shapes), state.scratch
    moved = scratch.take("finalize.moved", shapes.used, np.int32)
    lists = scratch.take("finalize.lists", 2 * len(state.awake), np.int32)
    fast, lost = lists[: len(state.awake)], lists[len(state.awake) :]
    before = len(state.moved)
    if before:
        moved[:before] = state.moved
    n_moved, n_fast, n_lost, state.slowed, state.rested, ascending = finalize(
        state.awake, numbers_of(state), state.scaled.continuous,
        (bodies.flags, bodies.pose, bodies.state, bodies.extent, bodies.rest, bodies.first_shape),
        (shapes.flags, shapes.next, shapes.size, shapes.hull, shapes.tight, shapes.fat), (moved[before:], fast, lost),
    )  # fmt: skip
    state.moved = moved[: before + n_moved]
    if before or not ascending:
        state.moved = np.sort(state.moved)
    state.fast = fast[:n_fast]
    state.quarantined = lost[:n_lost]

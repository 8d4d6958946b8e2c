"""Finds the bodies that a fast kinematic body may have passed: slow or sleeping bodies in its path.

Continuous collision sweeps fast bodies. But a fast paddle could pass a ball at rest within one step, and then push it
out on the wrong side. So bodies within the box that a fast kinematic body has swept are swept too, if its displacement
there was long enough to pass their middle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array, njit

from ..components.tables import (  # fmt: skip
    BULLET,
    DYNAMIC,
    ENABLED,
    FAST,
    KINEMATIC,
    QUARANTINED,
    SENSOR,
    SHAPE_ENABLED,
    SHAPE_USED,
    TYPE,
    USED,
)

if TYPE_CHECKING:
    from ..contacts.state import State


_MOVABLE = USED | ENABLED | DYNAMIC
_SOLID = SHAPE_USED | SHAPE_ENABLED
_0, _HALF = np.float32(0), np.float32(0.5)
_INFINITY = np.float32(np.inf)


def overrun(state: State, swift: Array) -> Array:
    """Return the slots (int32) of slow dynamic bodies that the kinematic bodies `swift` (int32 slots) may have passed
    in this step. The displacements of the kinematic bodies are cleared.
    """
    bodies, shapes, take = state.flats(state.bodies), state.flats(state.shapes), state.scratch.take
    passed = take("overrun.found", bodies.used, np.int32)
    count = list_overrun(
        swift, bodies.flags, bodies.pose, bodies.state, bodies.extent, shapes.flags, shapes.body, shapes.fat,
        take("overrun.boxes", 4 * len(swift)), passed,
    )  # fmt: skip
    return passed[:count]


@njit(borrows=True)
def sort_fast(
    fast: Array, awake: Array, flags: Array, first_shape: Array, following: Array, lists: Array, kinematic: Array
) -> Any:
    """Sort fast bodies into `lists`: first dynamic ones that are not bullets, then bullets, then kinematic ones.

    The shapes of all kinematic bodies are written to `kinematic`. Returns the four counts.
    """
    solid, bullets, count = 0, 0, 0
    for k in range(len(fast)):
        if flags[fast[k]] & TYPE != KINEMATIC:
            solid += 1
            bullets += 1 if flags[fast[k]] & BULLET else 0
    solid, bullet, swift = 0, solid - bullets, solid
    for k in range(len(fast)):
        if flags[fast[k]] & TYPE == KINEMATIC:
            lists[swift] = fast[k]
            swift += 1
        elif flags[fast[k]] & BULLET:
            lists[bullet] = fast[k]
            bullet += 1
        else:
            lists[solid] = fast[k]
            solid += 1
    for k in range(len(awake)):
        if flags[awake[k]] & TYPE == KINEMATIC:
            shape = first_shape[awake[k]]
            while shape >= 0:
                kinematic[count] = shape
                count += 1
                shape = following[shape]
    return solid, bullets, swift - solid - bullets, count


@njit(borrows=True)
def list_overrun(
    swift: Array, flags: Array, pose: Array, motion: Array, extent: Array, shape_flags: Array, body: Array, fat: Array,
    boxes: Array, passed: Array,
) -> int:  # fmt: skip
    """List the bodies in `passed`, each once, in the order of their first shapes; return their number. boxes: room for
    four numbers per kinematic body.
    """
    x0, y0, x1, y1 = _INFINITY, _INFINITY, -_INFINITY, -_INFINITY
    for k in range(len(swift)):
        i = np.int64(swift[k])
        x, y, dx, dy, reach = pose[4 * i], pose[4 * i + 1], motion[8 * i + 4], motion[8 * i + 5], extent[4 * i + 2]
        boxes[4 * k], boxes[4 * k + 1] = min(x, x - dx) - reach, min(y, y - dy) - reach
        boxes[4 * k + 2], boxes[4 * k + 3] = max(x, x - dx) + reach, max(y, y - dy) + reach
        x0, y0 = min(x0, boxes[4 * k]), min(y0, boxes[4 * k + 1])
        x1, y1 = max(x1, boxes[4 * k + 2]), max(y1, boxes[4 * k + 3])
    count = 0
    for s in range(len(body)):
        o = 4 * s
        if fat[o] > x1 or fat[o + 2] < x0 or fat[o + 1] > y1 or fat[o + 3] < y0:
            continue
        j = np.int64(body[s])
        kind = flags[j]
        if (
            shape_flags[s] & (_SOLID | SENSOR) != _SOLID
            or kind & (USED | ENABLED | TYPE | QUARANTINED | FAST) != _MOVABLE
        ):
            continue
        for k in range(len(swift)):
            q, i = 4 * k, np.int64(swift[k])
            if fat[o] > boxes[q + 2] or fat[o + 2] < boxes[q] or fat[o + 1] > boxes[q + 3] or fat[o + 3] < boxes[q + 1]:
                continue
            px, py = pose[4 * j] - pose[4 * i], pose[4 * j + 1] - pose[4 * i + 1]
            dx, dy, turn = motion[8 * i + 4], motion[8 * i + 5], motion[8 * i + 6]
            # Upper bound of the kinematic body's motion at the other: |d| + |turn| arm, against half the sum of the
            # inner radii.
            arm = min(np.sqrt(px * px + py * py) + extent[4 * j + 2], extent[4 * i + 2])
            way = np.sqrt(dx * dx + dy * dy) + abs(turn) * arm
            if way > _HALF * (extent[4 * j + 3] + extent[4 * i + 3]):
                flags[j] = kind | FAST
                passed[count] = j
                count += 1
                break
    for k in range(count):
        flags[passed[k]] &= ~FAST
    for k in range(len(swift)):
        o = 8 * np.int64(swift[k])
        motion[o + 4], motion[o + 5], motion[o + 6] = _0, _0, _0
    return count

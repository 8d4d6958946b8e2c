"""The kernel that copies cached bodies with their shapes, see `shape_cache`."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from rish_jit import Array, maths, njit

from ..components.tables import AWAKE, DYNAMIC, FIXED_ROTATION, PUT_TO_SLEEP, STATIC, TYPE

_BODY_NUMBERS = ("pose", "state", "extent", "drive", "seen", "given", "rest", "rest_force")
_SHAPE_NUMBERS = ("hull", "size", "middle", "surface", "tight", "fat")
_BODY_WIDTHS = (4, 8, 4, 8, 8, 4, 2, 3)
_SHAPE_WIDTHS = (32, 4, 2, 8, 4, 4)
_FILTER, _KNOWN = 3, 2
_0 = np.float32(0)
COPY = 7
"""The length of a row of `copies`: the row of Collider, the slot, the rows of Transform and Body, and of the cached
body its row, the first row of its shapes and their number."""

BodyArrays: TypeAlias = tuple[tuple[Array, ...], Array, Array, Array]
ShapeArrays: TypeAlias = tuple[tuple[Array, ...], Array, Array, Array, Array, Array, Array]


def body_arrays(table: Any) -> BodyArrays:
    """Return the columns of `Bodies` that are copied: float32, then flags, island and first shape."""
    flat = table.flat
    return tuple([flat(name) for name in _BODY_NUMBERS]), flat("flags"), flat("island"), flat("first_shape")


def shape_arrays(table: Any) -> ShapeArrays:
    """Return the columns of `Shapes`: float32, then flags, filter, known, entity, body and next."""
    others = [table.flat(name) for name in ("flags", "filter", "known", "entity", "body", "next")]
    return tuple([table.flat(name) for name in _SHAPE_NUMBERS]), *others  # pyright: ignore[reportReturnType]


@njit(borrows=True, inline="always")
def copy_numbers(numbers: Any, slot: Any, old_numbers: Any, row: Any, widths: Any) -> None:
    """Copy a row of float32 columns. widths: the numbers in a row of each column."""
    for f in range(len(widths)):
        width = widths[f]
        for c in range(width):
            numbers[f][width * slot + c] = old_numbers[f][width * row + c]


@njit(borrows=True, inline="always")
def start(i: Any, place: Any, row: Any, numbers: Any, look: Any, places: Any, speeds: Any) -> Any:
    """Write the pose and the velocities of a body; return its flags. place, row: of Transform and Body, -1 for none."""
    pose, state, extent, _, seen, _, _, _ = numbers
    position, rotation, scale = places
    velocity, angular_velocity, asleep = speeds
    vx, vy, spin = _0, _0, _0
    if row >= 0:
        vx, vy, spin = velocity[2 * row], velocity[2 * row + 1], angular_velocity[row]
    p, s, angle = 4 * i, 8 * i, rotation[place]
    seen[s], seen[s + 1], seen[s + 2] = position[2 * place], position[2 * place + 1], angle
    seen[s + 3], seen[s + 4], seen[s + 5] = vx, vy, spin
    seen[s + 6], seen[s + 7] = scale[2 * place], scale[2 * place + 1]
    sin, cos = maths.sincos(np.float64(angle))
    pose[p + 2], pose[p + 3] = cos, sin
    # The center of mass in the frame of the body, rotated.
    x, y, c, s_ = np.float64(extent[p]), np.float64(extent[p + 1]), np.float64(pose[p + 2]), np.float64(pose[p + 3])
    pose[p] = np.float64(position[2 * place]) + (c * x - s_ * y)
    pose[p + 1] = np.float64(position[2 * place + 1]) + (s_ * x + c * y)
    if look & TYPE == STATIC:
        return look
    spin = _0 if look & FIXED_ROTATION else spin
    state[s], state[s + 1], state[s + 2] = vx, vy, spin
    if vx != _0 or vy != _0 or spin != _0:
        return look | AWAKE
    if look & TYPE == DYNAMIC:
        return look | (PUT_TO_SLEEP if asleep[row] else AWAKE)
    return look


@njit(borrows=True)
def copy_bodies(
    copies: Array, entity: Array, shape_slots: Array, bodies: Any, shapes: Any, old_bodies: Any, old_shapes: Any,
    places: Any, speeds: Any,
) -> None:  # fmt: skip
    """Fill the slots of new bodies and of their shapes with cached rows, and with pose and velocity from the columns.

    copies: int64, `COPY` numbers for each body. entity: of the bodies. bodies, shapes: see `body_arrays` and
    `shape_arrays`; old_bodies, old_shapes: those of the cache. places: position, rotation and scale of Transform.
    speeds: velocity, angular velocity and `asleep` of Body.
    """
    numbers, flags, island, first_shape = bodies
    old_numbers, old_flags, old_island, _ = old_bodies
    shape_numbers, shape_flags, filters, known, owner, body, following = shapes
    old_shape_numbers, old_shape_flags, old_filters, old_known, _, _, _ = old_shapes
    taken = 0
    for k in range(len(copies) // COPY):
        o = COPY * k
        i, row = copies[o + 1], copies[o + 4]
        first, count = copies[o + 5], copies[o + 6]
        copy_numbers(numbers, i, old_numbers, row, _BODY_WIDTHS)
        island[i] = old_island[row]
        flags[i] = start(i, copies[o + 2], copies[o + 3], numbers, old_flags[row], places, speeds)
        for old in range(first, first + count):
            shape = np.int64(shape_slots[taken])
            taken += 1
            copy_numbers(shape_numbers, shape, old_shape_numbers, old, _SHAPE_WIDTHS)
            for c in range(_FILTER):
                filters[_FILTER * shape + c] = old_filters[_FILTER * old + c]
            for c in range(_KNOWN):
                known[_KNOWN * shape + c] = old_known[_KNOWN * old + c]
            shape_flags[shape] = old_shape_flags[old]
            owner[shape], body[shape] = entity[i], i
            following[shape] = np.int64(shape_slots[taken]) if old + 1 < first + count else -1
            if old == first:
                first_shape[i] = shape

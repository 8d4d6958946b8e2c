"""Mixing and writing of values, as float64 arrays (n, width), by the type of their field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array, maths

from .fields import Field

if TYPE_CHECKING:
    from rish_ecs import World


def mix(field: Field, a: Array, b: Array, share: Array) -> Array:
    """Return float64 (n, width): the values between a and b.

    share: float64 (n,), 0 for a, 1 for b; may be outside of 0..1.
    """
    if not field.mixes:
        return np.where(share[:, None] >= 0.5, b, a)
    if field.quat:
        return slerp(a, b, share)
    difference = b - a
    if field.angle:
        difference = maths.wrap_angle(difference)
    return a + difference * share[:, None]


def slerp(a: Array, b: Array, share: Array) -> Array:
    """Return unit quaternions (n, 4) between a and b on the shorter arc of the sphere.

    Source: K. Shoemake, Animating rotation with quaternion curves, SIGGRAPH 1985; nearly equal quaternions are mixed
    linearly.
    """
    dot = (a * b).sum(axis=1)
    b = np.where((dot < 0.0)[:, None], -b, b)
    dot = np.minimum(np.abs(dot), 1.0)
    angle = maths.atan2(maths.sqrt(1.0 - dot * dot), dot)
    sine = maths.sin(angle)
    near = sine < 1e-4
    safe = np.where(near, 1.0, sine)
    first = np.where(near, 1.0 - share, maths.sin((1.0 - share) * angle) / safe)
    second = np.where(near, share, maths.sin(share * angle) / safe)
    return unit(first[:, None] * a + second[:, None] * b)


def unit(quats: Array) -> Array:
    """Return quaternions (n, 4) scaled to length 1; quaternions of length 0 become the identity."""
    length = maths.sqrt((quats * quats).sum(axis=1))
    is_zero = length < 1e-12
    result = quats / np.where(is_zero, 1.0, length)[:, None]
    result[is_zero] = (0.0, 0.0, 0.0, 1.0)
    return result


def read(world: World, field: Field, rows: Array) -> Array:
    """Return float64 (n, width): the values of n rows of the component's table."""
    return field.column(world)[rows].reshape(len(rows), field.width).astype(np.float64)


def write(world: World, field: Field, rows: Array, values: Array) -> None:
    """Write values (n, width) to rows of the component's table, limited to the field's range and rounded for integers.

    Rows that have these values already are not marked as written. Rows of fields that are only for drawing are never
    marked, because nothing may depend on them.
    """
    spec, column = field.spec, field.column(world)
    if spec.type.dtype.kind in "iu" and field.mixes:
        values = maths.floor(values + 0.5)
    if field.mixes and spec.low is not None:
        values = np.maximum(values, spec.low)
    if field.mixes and spec.high is not None:
        values = np.minimum(values, spec.high)
    values = (values[:, 0] if column.ndim == 1 else values).astype(column.dtype)
    if column[rows].tobytes() != values.tobytes():
        column[rows] = values
        if not spec.view:
            world.table(field.cls).mark(rows)


def write_one(world: World, field: Field, row: int, numbers: list[float]) -> None:
    """Write the numbers of a value that mixes to one row, as `write` does."""
    spec, column = field.spec, field.column(world)
    if spec.type.dtype.kind in "iu":
        numbers = [maths.floor(number + 0.5) for number in numbers]
    if spec.low is not None and min(numbers) < spec.low:
        numbers = [max(number, spec.low) for number in numbers]
    if spec.high is not None and max(numbers) > spec.high:
        numbers = [min(number, spec.high) for number in numbers]
    before = column[row].tobytes()
    column[row] = numbers if column.ndim > 1 else numbers[0]
    if not spec.view and column[row].tobytes() != before:
        world.table(field.cls).mark(row)

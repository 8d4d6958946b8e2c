"""Checks and converts the arguments of queries: points, shapes, masks.

Every mistake is found before the search, and reported with the call, the wrong value and the expected one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from rish_core import UnknownName, UsageError, World
from rish_dynamics import layer_bits
from rish_jit import Array, maths

from ..components.layers import PLACE
from ..components.settings import PhysicsSettings
from ..geometry.hull import convex_hull

OnePoint: TypeAlias = "tuple[float, float]"
Point: TypeAlias = "tuple[float, float] | Sequence[float] | Array"
Points: TypeAlias = "Sequence[Point] | Array"
Mask: TypeAlias = "int | str | Sequence[str]"
Ignored: TypeAlias = "int | Array"

ALL = -1
"""The mask that includes all categories."""


def is_point(given: Any) -> bool:
    """Return True if the argument is one point, (x, y), and not an array of points, (n, 2)."""
    if isinstance(given, (tuple, list)):
        first = given[0] if given else ()
        return isinstance(first, (int, float, np.generic))
    return np.ndim(given) == 1


def many(given: Any) -> Any:
    """Return points as a sequence: a single point becomes its only element."""
    return [given] if is_point(given) else given


def places_of(call: str, what: str, given: Any) -> Array:
    """Return the points as float64 (n, 2). Raises UsageError if they are not finite points."""
    try:
        places: Array = np.array(given, np.float64)
    except (TypeError, ValueError):
        places = np.zeros(1)
    if places.size == 0:
        return np.zeros((0, 2))
    if places.ndim != 2 or places.shape[1] != 2:
        raise UsageError(f"{call}: {what} should be points, each with x and y", hint="Give an array of shape (n, 2)")
    if not np.abs(places).max() < 1e30:
        bad = np.flatnonzero(~(np.abs(places) < 1e30).all(axis=1))
        x, y = places[bad[0]]
        raise UsageError(f"{call}: {what}[{bad[0]}] is ({x:g}, {y:g}), which is not finite", hint="Give finite numbers")
    return places


def place_of(call: str, what: str, given: Any) -> tuple[float, float]:
    """Return x and y of one point. Raises UsageError if it is not a finite point."""
    try:
        x, y = given
        x, y = float(x), float(y)
    except (TypeError, ValueError):
        raise UsageError(f"{call}: {what} should be a point, with x and y", hint="Write (x, y)") from None
    if not (abs(x) < 1e30 and abs(y) < 1e30):
        raise UsageError(f"{call}: {what} is ({x:g}, {y:g}), which is not finite", hint="Give finite numbers")
    return x, y


def same_length(call: str, a: Array, b: Array) -> None:
    """Raise UsageError if the two arrays do not have the same number of points."""
    if len(a) != len(b):
        raise UsageError(
            f"{call}: got {len(a)} start or low points and {len(b)} end or high points", hint="Give as many of both"
        )


def form_of(call: str, points: Points, radius: float) -> Array:
    """Return the corners of a convex shape, counter-clockwise, float32 (n, 2). Raises UsageError if it is invalid."""
    corners = places_of(call, "points", points)
    if not 1 <= len(corners) <= 8:
        raise UsageError(f"{call}: a shape must have 1 to 8 points, got {len(corners)}")
    if not 0 <= radius < 1e30:
        raise UsageError(f"{call}: the radius is {radius:g}", hint="Give a finite number from 0 up")
    return (convex_hull(corners) if len(corners) > 2 else corners).astype(np.float32)


def turned(call: str, form: Array, angle: float) -> Array:
    """Return a shape rotated about its origin by an angle in radians, float32 (n, 2)."""
    if not np.isfinite(angle):
        raise UsageError(f"{call}: the angle is {angle:g}", hint="Give radians")
    sine, cosine = maths.sincos(float(angle))
    return (form @ np.array([[cosine, sine], [-sine, cosine]], np.float32)).astype(np.float32)


def mask_bits(world: World, mask: Mask) -> Any:
    """Return category bits, int32. Raises UnknownName for an unknown layer."""
    if isinstance(mask, (int, np.integer)):
        return np.int32((int(mask) + (1 << 31)) % (1 << 32) - (1 << 31))
    bits = layer_bits(world[PhysicsSettings].layers, PLACE)
    bits_of_mask = 0
    for name in [mask] if isinstance(mask, str) else mask:
        if name not in bits:
            raise UnknownName(f"there is no collision layer {name!r}", given=name, choices=[n for n in bits if n])
        bits_of_mask |= bits[name][0]
    return np.int32(bits_of_mask)


def ignored_by(call: str, ignore: Ignored, count: int) -> Array:
    """Return the handles to ignore, int64: one, or one per query."""
    handles = np.atleast_1d(np.asarray(ignore, np.int64))
    if len(handles) not in (1, count) or handles.ndim != 1:
        raise UsageError(
            f"{call}: `ignore` has {len(handles)} entities for {count} queries", hint="Give one, or one each"
        )
    return handles

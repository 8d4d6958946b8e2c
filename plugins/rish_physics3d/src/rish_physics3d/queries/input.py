"""Checks and converts the arguments of queries.

Every mistake is found before the search, and reported with the call, the wrong value and the expected one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from rish_core import UsageError
from rish_jit import Array
from rish_space3d import quaternions

from ..geometry.hulls import MAX_POINTS

OnePoint: TypeAlias = "tuple[float, float, float]"
Point: TypeAlias = "tuple[float, float, float] | Sequence[float] | Array"
Points: TypeAlias = "Sequence[Point] | Array"
Mask: TypeAlias = "int | str | Sequence[str]"
Ignored: TypeAlias = "int | Array"

ALL = -1
"""The mask that includes all categories."""
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
"""The quaternion that turns nothing."""


def is_point(given: Any) -> bool:
    """Return True if the argument is one point, (x, y, z), and not an array of points, (n, 3)."""
    if isinstance(given, (tuple, list)):
        first = given[0] if given else ()
        return isinstance(first, (int, float, np.generic))
    return np.ndim(given) == 1


def places_of(call: str, what: str, given: Any) -> Array:
    """Return points as float64 (n, 3), one point as its only row. Raises UsageError if they are not finite points."""
    try:
        places: Array = np.array([given] if is_point(given) else given, np.float64)
    except (TypeError, ValueError):
        places = np.zeros(1)
    if places.size == 0:
        return np.zeros((0, 3))
    if places.ndim != 2 or places.shape[1] != 3:
        raise UsageError(
            f"{call}: {what} should be points, each with x, y and z", hint="Give (x, y, z), or an array of shape (n, 3)"
        )
    if not np.abs(places).max() < 1e30:
        bad = np.flatnonzero(~(np.abs(places) < 1e30).all(axis=1))
        x, y, z = places[bad[0]]
        raise UsageError(
            f"{call}: {what}[{bad[0]}] is ({x:g}, {y:g}, {z:g}), which is not finite", hint="Give finite numbers"
        )
    return places


def same_length(call: str, a: Array, b: Array) -> None:
    """Raise UsageError if the two arrays do not have the same number of points."""
    if len(a) != len(b):
        raise UsageError(
            f"{call}: got {len(a)} start or low points and {len(b)} end or high points", hint="Give as many of both"
        )


def form_of(call: str, points: Points, radius: float) -> Array:
    """Return the points of a convex shape, float64 (n, 3). Raises UsageError if it is invalid."""
    corners = places_of(call, "points", points)
    if not 1 <= len(corners) <= MAX_POINTS:
        raise UsageError(f"{call}: a shape must have 1 to {MAX_POINTS} points, got {len(corners)}")
    if not 0 <= radius < 1e30:
        raise UsageError(f"{call}: the radius is {radius:g}", hint="Give a finite number from 0 up")
    return corners


def turned(call: str, form: Array, rotation: Any, count: int) -> Array:
    """Return a shape rotated about its origin: (k, 3), or (n, k, 3) if there is a rotation for each of n places."""
    turns = np.asarray(rotation, np.float64)
    if turns.shape not in ((4,), (count, 4)) or not (np.abs(turns).max(axis=-1, initial=0) < 1e30).all():
        raise UsageError(
            f"{call}: `rotation` must be one quaternion, or one for each of the {count} places", hint="Give x, y, z, w"
        )
    if (np.abs(turns).max(axis=-1, initial=0) < 1e-12).any():
        raise UsageError(f"{call}: a quaternion of length 0 is no rotation", hint="(0, 0, 0, 1) turns nothing")
    units = quaternions.normalized(turns)
    return quaternions.turned(units if units.ndim == 1 else units[:, None], form)


def ignored_by(call: str, ignore: Ignored, count: int) -> Array:
    """Return the handles to ignore, int64: one, or one per query."""
    handles = np.atleast_1d(np.asarray(ignore, np.int64))
    if len(handles) not in (1, count) or handles.ndim != 1:
        raise UsageError(
            f"{call}: `ignore` has {len(handles)} entities for {count} queries", hint="Give one, or one each"
        )
    return handles

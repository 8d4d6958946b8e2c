"""Checks and converts the arguments of functions that push bodies or search for shapes.

Every mistake is reported with the wrong value and the expected one, before anything has changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array
from rish_jit.errors import UsageError


def finite_values(what: str, value: Any, shape: tuple[int, ...], expected: str) -> Array:
    """Return a value as float64 with a shape; it is repeated where it has less dimensions.

    what, expected: the name of the value and what it should be, for errors. Raises UsageError if the value does not
    have the shape or is not finite.
    """
    try:
        array = np.broadcast_to(np.asarray(value, np.float64), shape)
    except (TypeError, ValueError):
        raise UsageError(f"{what}: expected {expected}, got {value!r:.60}") from None
    if not np.isfinite(array).all():
        raise UsageError(f"{what}: expected finite numbers, got {value!r:.60}")
    return array

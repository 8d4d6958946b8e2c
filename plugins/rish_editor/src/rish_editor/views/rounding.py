"""Rounding of values that drags set: to steps of about a pixel, in numbers that are easy to read."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
_PARTS = (1.0, 0.5, 0.25, 0.125)
"""The steps for pixels of 1/8 to 2 units; for others, steps are 1, 2 and 5 times powers of ten."""
_SLACK = 1.0 + 1e-6
ANGLE = 1.0
"""The step of angles, degrees: about a pixel at the rings of gizmos."""
FACTOR = 0.01
"""The step of factors of scale: about a pixel at the handles of gizmos."""


def step_of(pixel: float) -> float:
    """Return the greatest step that is not longer than a pixel: 1 at a zoom of 1, 1/8 at 8. pixel: its length."""
    if not pixel > 0 or not math.isfinite(pixel):
        return 0.0
    if _PARTS[-1] <= pixel * _SLACK and pixel < 2.0:
        return next(part for part in _PARTS if part <= pixel * _SLACK)
    tens = 10.0 ** math.floor(math.log10(pixel * _SLACK))
    return next(tens * part for part in (5.0, 2.0, 1.0) if tens * part <= pixel * _SLACK)


def digits_of(step: float) -> int:
    """Return the number of decimals of a step, at most 9."""
    return next((digits for digits in range(9) if abs(step * 10**digits - round(step * 10**digits)) < 1e-6), 9)


def on_step(values: Any, step: float) -> Any:
    """Return numbers rounded to multiples of a step; a step of 0 leaves them."""
    if step <= 0:
        return values
    rounded = np.round(np.asarray(values, np.float64) / step) * step
    return np.round(rounded, digits_of(step))


def tidy(values: Array, before: Array, step: float) -> Array:
    """Return changed numbers rounded to the decimals of a step and one more, for halves of the step.

    Unchanged numbers keep all their digits. A step of 0 leaves all numbers as they are.
    """
    if step <= 0:
        return values
    return np.where(np.isclose(values, before, rtol=0, atol=1e-9), before, np.round(values, digits_of(step) + 1))


def significant(values: Any, digits: int = 4) -> Any:
    """Return numbers rounded to a number of significant digits."""
    numbers = np.asarray(values, np.float64)
    tens = 10.0 ** (digits - 1 - np.floor(np.log10(np.maximum(np.abs(numbers), 1e-12))))
    return np.where(numbers == 0, numbers, np.round(numbers * tens) / tens)

"""Curves: a property over the life of a particle, as keys with easing, sampled once into a small table.

A curve is a list of keys (time 0..1, value) with the easing from each key to the next. Kernels do not read the keys: a
preset's curves are sampled at `SAMPLES` even steps, which all of its particles share, and a kernel interpolates
linearly between samples, or over the complete life if the curve is a straight line. With 128 steps the times 0, ½ and 1
and every multiple of 1/128 are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import maths

Array = npt.NDArray[Any]
STEPS = 128
SAMPLES = STEPS + 1
"""The number of samples of a curve, including both ends."""
COLOURS = 257
"""The number of samples of a gradient; a particle takes the nearest, and 0, ½ and 1 are exact."""


EASINGS: dict[str, Callable[[float], float]] = {
    "linear": lambda u: u,
    "hold": lambda u: 0.0,
    "in": lambda u: u * u,
    "out": lambda u: u * (2.0 - u),
    "in_out": lambda u: u * u * (3.0 - 2.0 * u),
    "cubic_in": lambda u: u * u * u,
    "cubic_out": lambda u: 1.0 - (1.0 - u) ** 3,
    "sine": lambda u: 0.5 - 0.5 * maths.cos(maths.PI * u),
    "back": lambda u: 1.0 + 2.70158 * (u - 1.0) ** 3 + 1.70158 * (u - 1.0) ** 2,
}
"""The easings between two keys: map the share of the time to the share of the change."""


@dataclass(frozen=True)
class Curve:
    """Keys in the order of time, and the easing from each to the next (the last easing is not used).

    times: 0..1, rising. values: one number a key, or several (a colour's four). A curve of one key is constant.
    """

    times: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    easings: tuple[str, ...]

    def at(self, t: float) -> tuple[float, ...]:
        """Return the value at a time; before the first key and after the last it is that key's value."""
        times, values = self.times, self.values
        if t <= times[0]:
            return values[0]
        for k in range(len(times) - 1):
            if t < times[k + 1]:
                u = EASINGS[self.easings[k]]((t - times[k]) / (times[k + 1] - times[k]))
                return tuple(a + (b - a) * u for a, b in zip(values[k], values[k + 1], strict=True))
        return values[-1]

    def sampled(self, samples: int = SAMPLES) -> Array:
        """Return the values at even steps from 0 to 1, float32 (samples, numbers)."""
        return np.array([self.at(k / (samples - 1)) for k in range(samples)], np.float32)

    def stepped(self) -> Array:
        """Return each sample of a curve of one number, followed by the difference to the next, float32 2·SAMPLES.

        So a kernel reads both numbers in one place, also at the time 1.
        """
        values = self.sampled()[:, 0]
        return np.stack([values, np.append(np.diff(values), np.float32(0))], axis=1).ravel()

    @property
    def straight(self) -> bool:
        """Whether the curve is a straight line from birth to death, or constant."""
        whole = self.times == (0.0, 1.0) and self.easings[0] == "linear"
        return whole or len(self.times) == 1


def constant(*value: float) -> Curve:
    """Return a constant curve."""
    return Curve((0.0,), (value,), ("linear",))


def ramp(*values: Sequence[float]) -> Curve:
    """Return a curve of straight lines through some values at even steps."""
    last = max(len(values) - 1, 1)
    return Curve(tuple(k / last for k in range(len(values))), tuple(map(tuple, values)), ("linear",) * len(values))


ONE = constant(1.0)
WHITE = constant(1.0, 1.0, 1.0, 1.0)


def colour_table(colour: Curve, opacity: Curve) -> Array:
    """Return straight colour bytes over life, uint8 (COLOURS, 4), both opacities multiplied, rounded half up."""
    table = colour.sampled(COLOURS).astype(np.float64)
    table[:, 3] *= opacity.sampled(COLOURS)[:, 0]
    return np.clip(np.floor(table * 255 + 0.5), 0, 255).astype(np.uint8)

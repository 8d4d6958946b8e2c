"""Curves: a property over the life of a particle, as keys with easing, sampled once into a small table.

A curve is a list of keys (time 0..1, value) with the easing from each key to the next (`rish_jit.easing`). Kernels do
not read the keys: a preset's curves are sampled at `SAMPLES` even steps, which all of its particles share, and a kernel
interpolates linearly between samples, or over the complete life if the curve is a straight line. With 128 steps the
times 0, ½ and 1 and every multiple of 1/128 are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rish_jit import Array, easing

STEPS = 128
SAMPLES = STEPS + 1
"""The number of samples of a curve, including both ends."""
COLORS = 257
"""The number of samples of a gradient; a particle takes the nearest, and 0, ½ and 1 are exact."""


FORMER_EASINGS = {
    "hold": "step", "in": "quad_in", "out": "quad_out", "in_out": "smooth", "sine": "sine_in_out", "back": "back_out",
}  # fmt: skip
"""Earlier names of easings, and their names in `rish_jit.EASINGS`."""


@dataclass(frozen=True)
class Curve:
    """Keys in the order of time, and the easing from each to the next (the last easing is not used).

    times: 0..1, rising. values: one number a key, or several (a color's four). A curve of one key is constant.
    """

    times: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    easings: tuple[str, ...]

    def at(self, t: float) -> tuple[float, ...]:
        """Return the value at time t, 0..1. Before the first key and after the last key it is the value of that
        key.
        """
        return tuple(self._at(np.array([t], np.float64))[0].tolist())

    def sampled(self, samples: int = SAMPLES) -> Array:
        """Return the values at even steps from 0 to 1, float32 (samples, numbers)."""
        return self._at(np.arange(samples) / (samples - 1)).astype(np.float32)

    def _at(self, t: Array) -> Array:
        """Return the values at times (n), float64 (n, numbers)."""
        values = np.array(self.values, np.float64)
        values_at = np.where((t < self.times[0])[:, None], values[0], values[-1])
        for k in range(len(self.times) - 1):
            begin, end = self.times[k : k + 2]
            between = (t >= begin) & (t < end)
            share = easing(self.easings[k])((t[between] - begin) / (end - begin))
            values_at[between] = values[k] + (values[k + 1] - values[k]) * share[:, None]
        return values_at

    def stepped(self) -> Array:
        """Return each sample of a curve of one number, followed by the difference to the next, float32 2·SAMPLES.

        So a kernel reads both numbers from one place in memory, also at time 1.
        """
        values = self.sampled()[:, 0]
        return np.stack([values, np.append(np.diff(values), np.float32(0))], axis=1).ravel()

    @property
    def straight(self) -> bool:
        """Whether the curve is a straight line from birth to death, or constant."""
        is_identity = self.times == (0.0, 1.0) and self.easings[0] == "linear"
        return is_identity or len(self.times) == 1


def constant(*value: float) -> Curve:
    """Return a constant curve."""
    return Curve((0.0,), (value,), ("linear",))


def ramp(*values: Sequence[float]) -> Curve:
    """Return a curve of straight lines through some values at even steps."""
    last = max(len(values) - 1, 1)
    return Curve(tuple(k / last for k in range(len(values))), tuple(map(tuple, values)), ("linear",) * len(values))


ONE = constant(1.0)
WHITE = constant(1.0, 1.0, 1.0, 1.0)


def color_table(color: Curve, opacity: Curve) -> Array:
    """Return straight color bytes over life, uint8 (COLORS, 4), both opacities multiplied, rounded half up."""
    table = color.sampled(COLORS).astype(np.float64)
    table[:, 3] *= opacity.sampled(COLORS)[:, 0]
    return np.clip(np.floor(table * 255 + 0.5), 0, 255).astype(np.uint8)

"""The absorption of high frequencies by the air."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

CUTOFF_AT_1_M = 50_000.0
"""The cutoff at a distance of 1 m, in Hz; at 100 m it is 5,000 Hz."""


def air_cutoff(meters: Array, factor: Array | float = 1.0) -> Array:
    """Return the cutoff of the low-pass that stands for the air, float64 (n,), in Hz.

    The absorption of air grows roughly with the square of the frequency: 0.0766 dB/m at 8 kHz, at 20 °C and a humidity
    of 70 % (ISO 9613-2, table 2). The cutoff is the frequency that has lost 3 dB after `meters` (n,), so it is
    proportional to 1 / sqrt(meters). factor: multiplies the absorption; with 0 the cutoff is above all audible ones.
    """
    return CUTOFF_AT_1_M / np.sqrt(np.maximum(meters * factor, 1e-6))

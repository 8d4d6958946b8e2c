"""Filters for the samples of an oscillator: low-pass, high-pass, flanger, and reduction of bits and of the sample
rate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import IN_BACKGROUND, Array, Listed, available, compile_ahead, maths, missing, njit

_MAX_FREQUENCY = 0.45
"""The highest frequency of a filter, as a share of the sample rate."""
_MAX_RESONANCE = 0.96
"""The share of the damping that a resonance of 1 removes. It is below 1, so that the filter rings but does not
oscillate for ever.
"""

TYPES = "(f8[::1], f8[::1], f8, f8[::1])"
"""The types of the arguments of the kernel."""


@njit
def filter_samples(samples: Array, low: Array, damping: float, high: Array) -> Array:
    """Return the samples after a low-pass of two poles and a high-pass of one pole, whose frequencies change.

    Both keep their form while their frequencies change: they solve the trapezoid rule for each sample (Zavalishin, "The
    art of VA filter design", 2012, chapters 3 and 4).

    Args:
        samples: float64 (n,).
        low: float64 (n,), tan(π f / rate) of the low-pass; (0,): there is none.
        damping: of the low-pass: 2 is none of resonance, 0 oscillates for ever.
        high: float64 (n,), tan(π f / rate) of the high-pass; (0,): there is none.
    """
    filtered = samples.copy()
    band, below, drift = 0.0, 0.0, 0.0
    for i in range(len(samples)):
        value = samples[i]
        if len(low):
            g = low[i]
            middle = (band + g * (value - below)) / (1.0 + g * (g + damping))
            value = below + g * middle
            band = 2.0 * middle - band
            below = 2.0 * value - below
        if len(high):
            g = high[i]
            step = (value - drift) * g / (1.0 + g)
            slow = drift + step
            drift = slow + step
            value -= slow
        filtered[i] = value
    return filtered


def compile_filter() -> None:
    """Compile the kernel in another process if it is not in the cache. Threads call this, because they should not
    compile.
    """
    listed = [Listed(filter_samples.name, TYPES)]
    if available() and missing(listed):
        compile_ahead(listed, loads=IN_BACKGROUND, count=1)


def filtered(samples: Array, low: Any, resonance: float, high: Any, rate: int, loop: bool) -> Array:
    """Return the samples after the filters. low, high: frequencies in Hz, one number or one for each sample; None for
    no filter.
    """
    if low is None and high is None:
        return samples
    count = len(samples)
    low, high = (np.zeros(0) if hertz is None else _gains(hertz, rate, count) for hertz in (low, high))
    damping = 2.0 * (1.0 - _MAX_RESONANCE * resonance)
    if not loop:
        return filter_samples(samples, low, damping, high)
    before = min(count, 2 * rate)  # run through the end of the loop first, so that the filters begin as they end
    samples, low, high = (np.concatenate((array[-before:], array)) for array in (samples, low, high))
    return filter_samples(samples, low, damping, high)[before:]


def _gains(hertz: Any, rate: int, count: int) -> Array:
    if not isinstance(hertz, np.ndarray):
        return np.full(count, maths.tan(min(hertz / rate, _MAX_FREQUENCY) * maths.PI))
    return maths.tan(np.minimum(hertz / rate, _MAX_FREQUENCY) * maths.PI)


def flanged(samples: Array, delays: Array, loop: bool) -> Array:
    """Return the samples plus earlier ones. delays: float64 (n,), in samples. Changing delays give the sweeping sound
    of a flanger.
    """
    count = len(samples)
    place = np.arange(count) - delays
    first_index = np.floor(place).astype(np.int64)
    share = place - first_index
    if loop:
        first, second = samples[first_index % count], samples[(first_index + 1) % count]
    else:
        padded = np.concatenate((np.zeros(1), samples))
        first, second = (padded[np.clip(index + 1, 0, count)] for index in (first_index, first_index + 1))
    return samples + first + share * (second - first)


def crushed(samples: Array, hold: float, bits: int) -> Array:
    """Return the samples held for `hold` samples each (at most 1: no change), in steps of `bits` bits (0: no steps)."""
    if hold > 1.0:
        begins = np.floor(np.floor(np.arange(len(samples)) / hold) * hold).astype(np.int64)
        samples = samples[begins]
    if bits:
        peak = max(float(np.abs(samples).max()), 1e-9)
        levels = 2.0 ** (bits - 1)
        samples = np.round(samples / peak * levels) / levels
    return samples

"""Oscillators without aliasing: from the phase of a wave to samples.

A wave with steps has harmonics above half of the sample rate, which would be heard as false tones. Here a sample is the
mean of the wave over the time of one sample, from the integral of the wave (Parker, Zavalishin and Le Bivic, "Reducing
the aliasing of nonlinear waveshaping using continuous-time convolution", 2016). Tones are made so at two or four times
the sample rate, and a low-pass with a Blackman window brings them down.

Phases count cycles. All waves have the mean 0 and a peak of about 1.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import maths
from rish_ecs.random import Stream

from .parameters import Wave

Array = npt.NDArray[Any]

_TAPS = 24
"""Of the low-pass, for each sample of the output; it is -74 dB above half of the sample rate."""
_CUTOFF = 0.44
"""Of the low-pass, as a share of the output's sample rate."""
_CALM = 400.0
"""Hz; below, twice the sample rate is enough, because the harmonics there are weak."""
_OCTAVES = 8
"""Of pink noise."""


def tone(wave: Wave, steps: Array, duty: Array | float, rate: int, loop: bool) -> Array:
    """Return the samples of a tone.

    steps: float64 (n,), the cycles of each sample. duty: of a square, one for each sample or one for all. loop: the
    sound repeats, and the phase at the end is a whole number.
    """
    if wave is Wave.SINE:
        phase = np.cumsum(steps)
        return maths.sin((phase - np.floor(phase)) * maths.TAU)
    times = 2 if steps.max() * rate < _CALM else 4
    each = np.repeat(steps / times, times)
    ends = np.cumsum(each)
    starts = np.concatenate((np.zeros(1), ends[:-1]))
    duty = np.repeat(duty, times) if isinstance(duty, np.ndarray) else duty
    mean = (_integral(wave, ends, duty) - _integral(wave, starts, duty)) / each
    return _lowered(mean, times, loop)


def _integral(wave: Wave, phase: Array, duty: Array | float) -> Array:
    """Return the integral of a wave from the begin of its cycle to a phase."""
    x = phase - np.floor(phase)
    if wave is Wave.SQUARE:
        return np.minimum(x, duty) * (2.0 - 2.0 * duty) - np.maximum(x - duty, 0.0) * (2.0 * duty)
    if wave is Wave.SAW:
        return x * (1.0 - x)
    left = np.minimum(x, 0.5)
    right = np.maximum(x - 0.5, 0.0)
    return left * (1.0 - 2.0 * left) - right * (1.0 - 2.0 * right)


@cache
def _window(times: int) -> Array:
    """Return the coefficients of the low-pass: a sinc with a Blackman window, whose sum is 1."""
    half = _TAPS * times // 2
    n = np.arange(-half, half + 1)
    x = np.where(n == 0, 1.0, maths.TAU * _CUTOFF / times * n)
    sinc = np.where(n == 0, 1.0, maths.sin(x) / x)
    angle = maths.PI * n / (half + 1)
    made = sinc * (0.42 + 0.5 * maths.cos(angle) + 0.08 * maths.cos(2.0 * angle))
    return made / np.cumsum(made)[-1]


def _lowered(samples: Array, times: int, loop: bool) -> Array:
    """Return every `times`-th sample after the low-pass."""
    window = _window(times)
    half = len(window) // 2
    padded = _around(samples, half) if loop else np.concatenate((np.zeros(half), samples, np.zeros(half)))
    count = len(samples) // times
    made = np.zeros(count)
    for k, factor in enumerate(window.tolist()):
        made += factor * padded[k : k + count * times : times]
    return made


def _around(samples: Array, margin: int) -> Array:
    """Return the samples of a loop with those before its begin and after its end."""
    return samples[np.arange(-margin, len(samples) + margin) % len(samples)]


def noise(wave: Wave, steps: Array, seed: int, loop: bool) -> Array:
    """Return samples of noise.

    steps: float64 (n,), how many new random values each sample needs, at most 1. wave: PINK has equal power in each
    octave; other waves are white below their frequency. loop: the sound repeats.
    """
    octaves = _OCTAVES if wave is Wave.PINK else 1
    made = np.zeros(len(steps))
    ends = np.cumsum(steps)
    for octave in range(octaves):
        total = float(ends[-1]) * 0.5**octave
        scale = max(round(total), 1) / total if loop and total > 0 else 1.0
        made += _held(ends * (0.5**octave * scale), steps * (0.5**octave * scale), seed + octave, loop)
    return made


def _held(ends: Array, steps: Array, seed: int, loop: bool) -> Array:
    """Return the means over each sample of random values that are held for one unit of the phase."""
    count = round(float(ends[-1])) if loop else int(ends[-1]) + 1
    values = Stream(seed).uniform(-1.0, 1.0, size=count + 1)
    if loop:
        values[count] = values[0]
    sums = np.concatenate((np.zeros(1), np.cumsum(values)))
    places = np.concatenate((np.zeros(1), ends))
    whole = np.minimum(places.astype(np.int64), count)
    integral = sums[whole] + (places - whole) * values[whole]
    return np.diff(integral) / np.maximum(steps, 1e-12)

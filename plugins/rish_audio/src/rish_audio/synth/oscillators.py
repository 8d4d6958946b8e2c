"""Oscillators without aliasing: compute samples from the phase of a wave.

A wave with steps has harmonics above half of the sample rate, which would be heard as false tones. Here a sample is the
mean of the wave over the time of one sample, from the integral of the wave (Parker, Zavalishin and Le Bivic, "Reducing
the aliasing of nonlinear waveshaping using continuous-time convolution", 2016). Tones are computed at two or four
times the sample rate, which is then halved with a low-pass.

Phases count cycles. All waves have the mean 0 and a peak of about 1.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from rish_ecs.random import Stream
from rish_jit import Array, maths

from .parameters import Wave

_HALF_LENGTH = 33
"""The length of the low-pass to each side, in samples of its input; it has -74 dB in most of its stop band."""
_LOW_HERTZ = 1000.0
"""The frequency in Hz below which twice the sample rate is enough, because the aliased harmonics are weak."""
_BLOCK = 1 << 13
"""The samples that are computed together: their intermediate values fit into the processor's cache."""
_OCTAVES = 8
"""The number of octaves of pink noise."""


def tone(wave: Wave, steps: Array, duty: Array | float, rate: int, loop: bool) -> Array:
    """Return the samples of a tone.

    steps: float64 (n,), the cycles of each sample. duty: of a square, one for each sample or one for all. loop: the
    sound repeats, and the phase at the end is a whole number.
    """
    if wave is Wave.SINE:
        phase = np.cumsum(steps)
        return maths.sin((phase - np.floor(phase)) * maths.TAU)
    samples = _means(wave, steps, duty, 2 if steps.max() * rate < _LOW_HERTZ else 4)
    while len(samples) > len(steps):
        samples = _halved(samples, loop)
    return samples


def _means(wave: Wave, steps: Array, duty: Array | float, times: int) -> Array:
    """Return the means of a wave over `times` equal parts of each sample, computed in blocks to need less memory."""
    means, phase = np.empty(len(steps) * times), np.zeros(1)
    for begin in range(0, len(steps), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        each = np.repeat(steps[block] / times, times)
        phases = np.cumsum(np.concatenate((phase, each)))
        if isinstance(duty, np.ndarray):
            local = np.repeat(duty[block], times)
            area = _integral(wave, phases[1:], local) - _integral(wave, phases[:-1], local)
        else:
            area = np.diff(_integral(wave, phases, duty))
        means[begin * times : begin * times + len(each)] = area / each
        phase = phases[-1:]
    return means


def _integral(wave: Wave, phase: Array, duty: Array | float) -> Array:
    """Return the integral of a wave from the begin of its cycle to a phase."""
    x = phase - np.floor(phase)
    if wave is Wave.SQUARE:
        return np.minimum(x, duty) * (2.0 - 2.0 * duty) - np.maximum(x - duty, 0.0) * (2.0 * duty)
    if wave is Wave.SAW:
        return x * (1.0 - x)
    rising = np.minimum(x, 0.5)
    falling = np.maximum(x - 0.5, 0.0)
    return rising * (1.0 - 2.0 * rising) - falling * (1.0 - 2.0 * falling)


@cache
def _half_band() -> list[float]:
    """Return the coefficients of a low-pass at a quarter of the sample rate, at the distances 1, 3, 5 ...

    It is a sinc with a Blackman window. The coefficient at the distance 0 is 1/2, and those at 2, 4 ... are 0.
    """
    k = np.arange(1, _HALF_LENGTH, 2)
    angle = maths.PI * k / (_HALF_LENGTH + 1)
    window = 0.42 + 0.5 * maths.cos(angle) + 0.08 * maths.cos(2.0 * angle)
    taps = maths.sin(maths.PI / 2.0 * k) / (maths.PI * k) * window
    return (taps * (0.25 / np.cumsum(taps)[-1])).tolist()


def _halved(samples: Array, loop: bool) -> Array:
    """Return every second sample after the low-pass, computed in blocks to need less memory."""
    margin, first = _HALF_LENGTH + 1, (_HALF_LENGTH + 1) // 2
    halved = np.empty(len(samples) // 2)
    for begin in range(0, len(halved), _BLOCK):
        block = halved[begin : begin + _BLOCK]
        count = len(block)
        padded = _part(samples, 2 * begin - margin, 2 * (begin + count) + margin, loop)
        even, odd = padded[0::2], padded[1::2].copy()
        np.multiply(even[first : first + count], 0.5, out=block)
        for n, factor in enumerate(_half_band()):
            pair = odd[first + n : first + n + count] + odd[first - n - 1 : first - n - 1 + count]
            pair *= factor
            block += pair
    return halved


def _part(samples: Array, start: int, stop: int, loop: bool) -> Array:
    """Return the samples from `start` to `stop`; outside of all samples those of the loop, or zeros."""
    if loop:
        return samples[np.arange(start, stop) % len(samples)]
    part, low, high = np.zeros(stop - start), max(start, 0), min(stop, len(samples))
    part[low - start : high - start] = samples[low:high]
    return part


def noise(wave: Wave, steps: Array, seed: int, loop: bool) -> Array:
    """Return samples of noise.

    steps: float64 (n,), the number of new random values for each sample, at most 1. wave: PINK has equal power in each
    octave; other waves are white below their frequency. loop: the sound repeats.
    """
    octaves = _OCTAVES if wave is Wave.PINK else 1
    samples = np.zeros(len(steps))
    ends = np.cumsum(steps)
    for octave in range(octaves):
        total = float(ends[-1]) * 0.5**octave
        scale = max(round(total), 1) / total if loop and total > 0 else 1.0
        samples += _held(ends * (0.5**octave * scale), steps * (0.5**octave * scale), seed + octave, loop)
    return samples


def crackle(steps: Array, seed: int, loop: bool) -> Array:
    """Return samples that are 0 except for pops, one at a random position in each cycle.

    steps: float64 (n,), the cycles of each sample. A pop is one sample of random sign and strength; most pops are
    weak, so that a few stand out. loop: the sound repeats, and the steps add up to a whole number.
    """
    samples = np.zeros(len(steps))
    ends = np.cumsum(steps)
    count = int(float(ends[-1]) + 1e-6)
    places, strengths = Stream(seed).uniform(0.0, 1.0, size=(2, count))
    at = np.minimum(np.searchsorted(ends, np.arange(count) + places), len(steps) - 1)
    strengths = 2.0 * strengths - 1.0
    np.add.at(samples, at, strengths * strengths * strengths)
    return samples


def _held(ends: Array, steps: Array, seed: int, loop: bool) -> Array:
    """Return the means over each sample of random values that are held for one unit of the phase."""
    count = round(float(ends[-1])) if loop else int(ends[-1]) + 1
    values = Stream(seed).uniform(-1.0, 1.0, size=count + 1)
    if loop:
        values[count] = values[0]
    sums = np.concatenate((np.zeros(1), np.cumsum(values)))
    places = np.concatenate((np.zeros(1), ends))
    index = np.minimum(places.astype(np.int64), count)
    integral = sums[index] + (places - index) * values[index]
    return np.diff(integral) / np.maximum(steps, 1e-12)

"""The loudness of sound as people hear it, and its peaks, by the recommendation ITU-R BS.1770-4."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[Any]
BLOCK, STEP = 0.4, 0.1
"""Seconds of a block that is measured, and from the begin of one to that of the next."""
SILENT, QUIET = -70.0, -10.0
"""Blocks below the first limit, in LUFS, do not count, and then those that are this much below the others, in LU."""


def loudness(samples: Samples, rate: int) -> float:
    """Return the integrated loudness of samples (n, channels), -1 to 1, in LUFS; -inf for silence."""
    heard = _weighted(np.asarray(samples, np.float64), rate)
    count, step = round(BLOCK * rate), round(STEP * rate)
    sums = np.concatenate([np.zeros(1), np.cumsum(np.square(heard).sum(1))])
    begins = np.arange(0, len(heard) - count + 1, step)
    power = (sums[begins + count] - sums[begins]) / count
    power = power[_lufs(power) > SILENT]
    if not len(power):
        return -np.inf
    return float(_lufs(power[_lufs(power) > _lufs(power.mean()) + QUIET].mean()))


def true_peak(samples: Samples, times: int = 4) -> float:
    """Return the highest level between samples too, in dB below full scale, by sampling `times` as often."""
    count = len(samples)
    spectrum = np.fft.rfft(np.asarray(samples, np.float64), axis=0)
    finer = np.fft.irfft(spectrum, count * times, axis=0) * times
    return float(20 * np.log10(max(np.abs(finer).max(), 1e-9)))


def _lufs(power: Any) -> Any:
    return -0.691 + 10 * np.log10(np.maximum(power, 1e-20))


def _weighted(samples: Samples, rate: int) -> Samples:
    """Return samples through the two filters of the recommendation: a shelf for the head, and a high pass."""
    count = len(samples)
    size = -(-(count + rate // 4) // 4096) * 4096  # with room for the end of the filters
    z = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)
    response = np.ones(len(z), np.complex128)
    for b, a in (_shelf(rate), _high_pass(rate)):
        response *= np.polyval(b[::-1], z) / np.polyval(a[::-1], z)
    return np.fft.irfft(np.fft.rfft(samples, size, axis=0) * response[:, None], size, axis=0)[:count]


def _shelf(rate: int) -> tuple[list[float], list[float]]:
    """Return the coefficients b and a for a rate; at 48 kHz those of table 1 of the recommendation."""
    gain, q, k = 10 ** (3.999843853973347 / 20), 0.7071752369554196, np.tan(np.pi * 1681.974450955533 / rate)
    middle = gain**0.4996667741545416
    a0 = 1 + k / q + k * k
    b = [gain + middle * k / q + k * k, 2 * (k * k - gain), gain - middle * k / q + k * k]
    return [each / a0 for each in b], [1.0, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0]


def _high_pass(rate: int) -> tuple[list[float], list[float]]:
    """Return the coefficients b and a for a rate; at 48 kHz those of table 2 of the recommendation."""
    q, k = 0.5003270373238773, np.tan(np.pi * 38.13547087602444 / rate)
    a0 = 1 + k / q + k * k
    return [1.0, -2.0, 1.0], [1.0, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0]

"""The fast sine: close to the true one, within -1 to 1, and the same bits compiled and not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_frame.poses.sines import quick_sincos, quick_sincos_of
from rish_jit import njit


@njit
def _many(angle: Any, sin: Any, cos: Any) -> None:
    for k in range(len(angle)):
        sin[k], cos[k] = quick_sincos(angle[k])


ANGLES = np.concatenate(
    [
        np.random.default_rng(1).uniform(-1000, 1000, 4000),
        np.arange(-40, 41) * np.pi / 4,
        [0.0, -0.0, 1e-30, 3e4, -3e4, 1e7, 1e12, 3e38, np.inf, -np.inf, np.nan],
    ]
).astype(np.float32)


def test_it_is_near_the_true_one() -> None:
    """The error is below 2e-7 up to a hundred turns, and below 3e-5 up to thousands."""
    angle = ANGLES[np.abs(ANGLES) < 3.1e4]
    sin, cos = quick_sincos_of(angle)
    bound = np.where(np.abs(angle) < 700, 2e-7, 3e-5)
    assert (np.abs(sin - np.sin(angle.astype(np.float64))) < bound).all()
    assert (np.abs(cos - np.cos(angle.astype(np.float64))) < bound).all()


def test_it_stays_within_the_circle() -> None:
    """The results stay within -1 to 1 for any angle; an invalid angle gives NaN."""
    finite = ANGLES[np.isfinite(ANGLES)]
    for values in quick_sincos_of(finite):
        assert (np.abs(values) <= 1.000001).all()
    assert all(np.isnan(values).all() for values in quick_sincos_of(ANGLES[-3:]))


@pytest.mark.slow
def test_a_kernel_gets_the_same_bits() -> None:
    """The bits are the same eight at a time or one by one."""
    sin, cos = np.zeros_like(ANGLES), np.zeros_like(ANGLES)
    _many(ANGLES, sin, cos)
    plain_sin, plain_cos = quick_sincos_of(ANGLES)
    numbers = ~np.isnan(plain_sin)
    assert sin[numbers].tobytes() == plain_sin[numbers].tobytes()
    assert cos[numbers].tobytes() == plain_cos[numbers].tobytes()
    assert np.isnan(sin[~numbers]).all()

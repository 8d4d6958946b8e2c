"""Soft constraints behave like damped springs."""

from __future__ import annotations

import math

import pytest

from rish_dynamics import soften


@pytest.mark.parametrize(("hertz", "damping"), [(1.0, 0.1), (2.0, 0.5), (0.5, 1.0)])
def test_a_soft_constraint_moves_like_a_damped_spring(hertz: float, damping: float) -> None:
    """In small steps it follows the exact solution of x'' + 2 ζ ω x' + ω² x = 0."""
    h, x, v = 1e-4, 1.0, 0.0
    rate, mass, impulse = soften(hertz, damping, h)
    for _ in range(10_000):
        pushed = 0.0  # the impulse is not accumulated: the constraint is solved once per step
        pushed -= mass * (v + rate * x) + impulse * pushed
        v += pushed
        x += h * v
    omega = 2 * math.pi * hertz
    if damping < 1:
        ringing = omega * math.sqrt(1 - damping**2)
        exact = math.exp(-damping * omega) * (math.cos(ringing) + damping * omega / ringing * math.sin(ringing))
    else:
        exact = math.exp(-omega) * (1 + omega)
    assert x == pytest.approx(exact, abs=2e-3)

"""Soft constraints: damped springs with a frequency and a damping ratio instead of a stiffness, so that they behave the
same for any masses (Erin Catto, "Soft Constraints", GDC 2011; "Solver2D", 2024).

In the implicit form the target velocity is `rate * overlap`, and the impulse is `mass` times the impulse that reaches
that velocity in one step, minus `impulse` times the accumulated impulse.
"""

from __future__ import annotations

from rish_jit import maths


def soften(hertz: float, damping: float, h: float) -> tuple[float, float, float]:
    """Return rate (1/s), mass share and impulse share of a spring with this frequency and damping ratio, in sub-steps
    of h seconds.
    """
    # Catto: a1 = 2 zeta + h omega, a2 = h omega a1; rate = omega / a1, mass = a2 / (1 + a2), impulse = 1 / (1 + a2).
    omega = 2 * maths.PI * hertz
    stiff = 2 * damping + h * omega
    force = h * omega * stiff
    keep = 1 / (1 + force)
    return omega / stiff, force * keep, keep

"""The numbers of one sub-step as float32 for the kernels: coefficients of soft constraints, and settings.

A soft constraint is a damped spring with a frequency and a damping ratio instead of a stiffness, so that it behaves the
same for any masses (Erin Catto, "Soft Constraints", GDC 2011).
"""

from __future__ import annotations

from rish_jit import Array, maths

import numpy as np

RATE, SHARE, KEEP = 0, 1, 2
"""Of contacts between movable bodies: the target speed per overlap (1/s), the shares of mass and of impulse."""
STILL = 3
"""The same of contacts with immovable bodies begin here."""
H, INVERSE_H, DT = 6, 7, 8
"""The sub-step in seconds, its inverse, and the whole step."""
PUSH = 9
"""The greatest speed at which overlap is undone, m/s."""
GRAVITY = 10
"""Three numbers, m/s²."""
MAX_SPEED, MAX_SPIN = 13, 14
"""m/s and rad/s; no body is faster after a step."""
REACH, MARGIN, SPECULATIVE, BOUNCE_SPEED = 15, 16, 17, 18
"""m: of positions; around boxes; at which points are created ahead of time. m/s: slower impacts do not bounce."""
NUMBERS = 20


def soften(hertz: float, damping: float, h: float) -> tuple[float, float, float]:
    """Return rate (1/s), mass share and impulse share of a spring of this frequency and damping ratio, in sub-steps of
    h seconds.
    """
    # Catto: a1 = 2 zeta + h omega, a2 = h omega a1; rate = omega / a1, mass = a2 / (1 + a2), impulse = 1 / (1 + a2).
    omega = 2 * maths.PI * hertz
    stiff = 2 * damping + h * omega
    force = h * omega * stiff
    keep = 1 / (1 + force)
    return omega / stiff, force * keep, keep


def step_numbers(
    dt: float,
    *,
    substeps: int = 4,
    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0),
    hertz: float = 30.0,
    damping: float = 10.0,
    still_hertz: float = 60.0,
    push: float = 3.0,
    max_speed: float = 400.0,
    reach: float = 1e5,
    margin: float = 0.1,
    speculative: float = 0.02,
    bounce_speed: float = 1.0,
) -> Array:
    """Return the numbers of a step of dt seconds, float32."""
    h = dt / substeps
    numbers: Array = np.zeros(NUMBERS, np.float32)
    finer = max(1.0, 1 / 240 / h)  # the frequencies are those of sub-steps of 1/240 s
    numbers[RATE : RATE + 3] = soften(min(finer * hertz, 0.25 / h), damping, h)
    numbers[STILL : STILL + 3] = soften(min(finer * still_hertz, 0.5 / h), damping, h)
    numbers[H], numbers[INVERSE_H], numbers[DT] = h, 1 / h, dt
    numbers[PUSH] = push
    numbers[GRAVITY : GRAVITY + 3] = gravity
    numbers[MAX_SPEED], numbers[MAX_SPIN] = max_speed, 0.25 * maths.PI / h
    numbers[REACH], numbers[MARGIN], numbers[SPECULATIVE] = reach, margin, speculative
    numbers[BOUNCE_SPEED] = bounce_speed
    return numbers

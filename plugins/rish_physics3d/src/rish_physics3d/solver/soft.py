"""The numbers of one sub-step as float32 for the kernels: coefficients of soft constraints (`rish_dynamics.soft`), and
settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_dynamics import soften
from rish_jit import Array, maths

if TYPE_CHECKING:
    from ..components.settings import Physics3DSettings

RATE, SHARE, KEEP = 0, 1, 2
"""Of contacts between movable bodies: the target speed per overlap (1/s), the shares of mass and of impulse."""
STILL = 3
"""The same of contacts with immovable bodies begin here."""
H, INVERSE_H = 6, 7
"""The sub-step in seconds, and its inverse."""
PUSH = 8
"""The greatest speed at which overlap is undone, m/s."""
GRAVITY = 9
"""Three numbers, m/s²."""
MAX_SPEED, MAX_SPIN = 12, 13
"""m/s and rad/s; no body is faster after a step."""
REACH = 14
"""The greatest distance from the origin along each axis, m."""
JOINT = 15
"""Of joints: as `RATE`, `SHARE`, `KEEP`."""
DT = 18
"""The whole step, s."""
NUMBERS = 19


def step_numbers(settings: Physics3DSettings, dt: float) -> Array:
    """Return the numbers of a step of dt seconds, float32."""
    h = dt / settings.substeps
    numbers: Array = np.zeros(NUMBERS, np.float32)
    finer = max(1.0, 1 / 240 / h)  # the frequencies are those of sub-steps of 1/240 s
    contact, static = finer * settings.contact_hertz, finer * settings.static_hertz
    numbers[RATE : RATE + 3] = soften(min(contact, 0.25 / h), settings.contact_damping, h)
    numbers[STILL : STILL + 3] = soften(min(static, 0.5 / h), settings.contact_damping, h)
    numbers[JOINT : JOINT + 3] = soften(min(settings.joint_hertz, 0.25 / h), settings.joint_damping, h)
    numbers[H], numbers[INVERSE_H] = h, 1 / h
    numbers[PUSH], numbers[GRAVITY : GRAVITY + 3] = settings.push_speed, settings.gravity
    numbers[MAX_SPEED], numbers[MAX_SPIN] = settings.max_speed, 0.25 * maths.PI / h
    numbers[REACH], numbers[DT] = settings.reach, dt
    return numbers

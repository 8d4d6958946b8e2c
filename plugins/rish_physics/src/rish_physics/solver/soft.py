"""The parameters of one sub-step: the coefficients of soft constraints (`rish_dynamics.soft`), and the settings as
float32 for the kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_dynamics import soften
from rish_jit import maths

if TYPE_CHECKING:
    from ..contacts.state import State

# The indices of the numbers in the array
RATE, MASS, IMPULSE = 0, 1, 2
"""The values of contacts between movable bodies. The values of contacts with immovable bodies are at STILL, those of
joints at JOINT.
"""
STILL, JOINT = 3, 6
H, INVERSE_H = 9, 10
"""The duration of a sub-step, in seconds, and its inverse."""
PUSH, GRAVITY_X, GRAVITY_Y, MAX_SPEED, MAX_SPIN = 11, 12, 13, 14, 15
"""units/s, units/s², units/s², units/s, radians/s."""
REACH, MARGIN, SPECULATIVE, BOUNCE_SPEED, DT, SLIP_SPEED = 16, 17, 18, 19, 20, 21
"""Units; units; units; units/s; seconds of the complete step; units/s: a slower contact does not slide yet."""
CLOSED = 22
"""Above 0 if there is no gravity, so that angular momentum is conserved: the greatest squared distance, in units², at
which bodies count as near each other. See `contact.common_place`.
"""
NUMBERS = 24
_SUBSTEP = 1 / 240
"""The sub-step, in seconds, for which the stiffness of contacts is given. A shorter one allows a higher stiffness."""


def numbers_of(state: State) -> npt.NDArray[Any]:
    """Return the array of the numbers of this step, float32; the same object while neither settings nor dt change."""
    scaled, dt = state.scaled, state.dt
    cached = state.numbers
    if cached is not None and cached[0] is scaled and cached[1] == dt:
        return cached[2]
    h = dt / scaled.substeps
    numbers = np.zeros(NUMBERS, np.float32)
    finer = max(1.0, _SUBSTEP / h)
    # As in Box2D, a frequency is limited by the sub-step rate, so that the soft constraint stays stable.
    contact, static = finer * float(scaled.contact_hertz), finer * float(scaled.static_hertz)
    numbers[RATE : RATE + 3] = soften(min(contact, 0.25 / h), float(scaled.contact_damping), h)
    numbers[STILL : STILL + 3] = soften(min(static, 0.5 / h), float(scaled.contact_damping), h)
    numbers[JOINT : JOINT + 3] = soften(min(float(scaled.joint_hertz), 0.25 / h), float(scaled.joint_damping), h)
    if scaled.correction == 1:
        numbers[RATE : RATE + 3] = numbers[STILL : STILL + 3] = numbers[JOINT : JOINT + 3] = (
            float(scaled.baumgarte) / h,
            1,
            0,
        )
    numbers[H], numbers[INVERSE_H], numbers[DT] = h, 1 / h, dt
    numbers[PUSH], numbers[GRAVITY_X], numbers[GRAVITY_Y] = scaled.push_speed, scaled.gravity_x, scaled.gravity_y
    numbers[MAX_SPEED], numbers[MAX_SPIN] = scaled.max_speed, 0.25 * maths.PI / h
    numbers[REACH], numbers[MARGIN], numbers[SPECULATIVE] = scaled.reach, scaled.margin, scaled.speculative
    numbers[BOUNCE_SPEED], numbers[SLIP_SPEED] = scaled.restitution_threshold, scaled.sleep_speed
    if not (scaled.gravity_x or scaled.gravity_y):
        numbers[CLOSED] = scaled.speculative**2
    state.numbers = (scaled, dt, numbers)
    return numbers

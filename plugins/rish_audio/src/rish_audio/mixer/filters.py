"""The low-pass and the high-pass of a bus: a state-variable filter, and the limiter.

The filter is that of Zavalishin (The Art of VA Filter Design, 2012) in the form of Simper (Solving the continuous SVF
equations, 2013): the trapezoidal rule, which stays stable while the cutoff changes. Its damping is √2, so its response
is that of Butterworth: flat, -3 dB at the cutoff, 12 dB per octave beyond.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import maths, njit

_LOWEST, _HIGHEST = 1e-5, 0.49
_TINY, _HUGE = 1e-15, 1e6
_DAMPING = 2.0**0.5


@njit(borrows=True)
def filter_bus(buffer: Any, frames: Any, cutoff: Any, cutoff_end: Any, high: Any, memory: Any) -> None:
    """Filter the channels of a bus in place. cutoff: as a share of the rate, 0 for none; it is faded in and out.

    buffer: float32 (channels, MAX_FRAMES). high: True for a high-pass, False for a low-pass. memory: float64
    (channels, 2), the states of both integrators.
    """
    if cutoff <= 0.0 and cutoff_end <= 0.0:
        return
    g = _warped(cutoff if cutoff > 0.0 else cutoff_end)
    g_change = (_warped(cutoff_end if cutoff_end > 0.0 else cutoff) - g) / frames
    wet = 1.0 if cutoff > 0.0 else 0.0
    wet_change = ((1.0 if cutoff_end > 0.0 else 0.0) - wet) / frames
    for c in range(buffer.shape[0]):
        line = buffer[c]
        state_1, state_2 = (memory[c, 0], memory[c, 1]) if wet > 0.0 else (0.0, 0.0)
        for n in range(frames):
            g_now = g + n * g_change
            share = 1.0 / (1.0 + g_now * (g_now + _DAMPING))
            x = np.float64(line[n])
            band = share * (state_1 + g_now * (x - state_2))
            low = state_2 + g_now * band
            state_1, state_2 = 2.0 * band - state_1, 2.0 * low - state_2
            y = x - _DAMPING * band - low if high else low
            line[n] = np.float32(x + (wet + n * wet_change) * (y - x))
        memory[c, 0] = state_1 if _TINY < abs(state_1) < _HUGE else 0.0
        memory[c, 1] = state_2 if _TINY < abs(state_2) < _HUGE else 0.0


@njit(borrows=True)
def _warped(cutoff: Any) -> Any:
    return maths.tan(maths.PI * min(max(cutoff, _LOWEST), _HIGHEST))


@njit(borrows=True)
def limit_bus(buffer: Any, frames: Any, limit: Any, limit_end: Any, release: Any, factor: Any) -> Any:
    """Scale the channels of a bus together so that no sample exceeds the limit; return the factor at the end.

    The factor falls immediately, and returns exponentially. limit: 0 for none. While it is switched on or off it is
    faded, and samples may exceed it. release: the part of its distance from 1 that the factor keeps in each frame.
    factor: its value at the end of the previous block.
    """
    if limit <= 0.0 and limit_end <= 0.0:
        return 1.0
    wet = 1.0 if limit > 0.0 else 0.0
    wet_change = ((1.0 if limit_end > 0.0 else 0.0) - wet) / frames
    top = limit if limit > 0.0 else limit_end
    top_change = ((limit_end if limit_end > 0.0 else limit) - top) / frames
    for n in range(frames):
        loudest = 0.0
        for c in range(buffer.shape[0]):
            loudest = max(loudest, abs(np.float64(buffer[c, n])))
        limit_now = top + n * top_change
        factor = 1.0 - (1.0 - factor) * release
        if loudest * factor > limit_now:
            factor = limit_now / loudest
        if factor < 1.0:
            share = 1.0 + (wet + n * wet_change) * (factor - 1.0)
            for c in range(buffer.shape[0]):
                y = np.float64(buffer[c, n]) * share
                buffer[c, n] = (
                    np.float32(min(max(y, -limit_now), limit_now)) if wet + wet_change == 1.0 else np.float32(y)
                )
    return factor if factor < 0.999999 else 1.0

"""The directions of the loudspeakers of 1 to 8 channels, and tables for panning between them.

The order of channels is that of WAVE_FORMAT_EXTENSIBLE, the angles are those of ITU-R BS.775 and BS.2051. A source
between two neighboring loudspeakers is played by these two (vector base amplitude panning in the plane: V. Pulkki,
"Virtual Sound Source Positioning Using Vector Base Amplitude Panning", J. Audio Eng. Soc. 45, 1997): the gains (g, h)
of loudspeakers at the unit vectors u and v solve g u + h v = direction, and are then scaled to a constant power.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from rish_jit import Array, maths

from .pseudo_angle import turn

ANGLES = {"FL": -30, "FR": 30, "FC": 0, "LFE": None, "BL": -110, "BR": 110, "SL": -90, "SR": 90, "BC": 180}
"""The angles of loudspeakers in degrees, clockwise from the front. The channel for low frequencies has no angle and
gets no sound.
"""
LAYOUTS = {
    1: ("FC",),
    2: ("FL", "FR"),
    3: ("FL", "FR", "FC"),
    4: ("FL", "FR", "BL", "BR"),
    5: ("FL", "FR", "FC", "BL", "BR"),
    6: ("FL", "FR", "FC", "LFE", "BL", "BR"),
    7: ("FL", "FR", "FC", "LFE", "BC", "SL", "SR"),
    8: ("FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR"),
}
"""The names of the channels of an output, by their number, in order."""
_OWN_ANGLES: dict[int, dict[str, int]] = {
    3: {"FL": -90, "FR": 90},
    4: {"FL": -45, "FR": 45, "BL": -135, "BR": 135},
    8: {"BL": -150, "BR": 150},
}
"""Layouts with other angles: three loudspeakers in front cover the sides, as two do."""


@dataclass(frozen=True)
class Ring:
    """The loudspeakers of an output around the listener, sorted clockwise from the back.

    bounds: float64 (k,), their directions as values of `turn`. by_x, by_y: float64 (k + 1, channels): in the gap before
    loudspeaker i, the gains towards (x, y) are x by_x[i] + y by_y[i]. even: (channels,), the gains of a sound without
    a direction.
    """

    bounds: Array
    by_x: Array
    by_y: Array
    even: Array


@cache
def ring(channels: int) -> Ring:
    """Return the ring of an output with 3 to 8 channels."""
    names = LAYOUTS[channels]
    angles = {name: _OWN_ANGLES.get(channels, {}).get(name, ANGLES[name]) for name in names}
    speakers = [(angle, np.eye(channels)[k]) for k, (_, angle) in enumerate(angles.items()) if angle is not None]
    even = np.sqrt(sum(weights for _, weights in speakers) / len(speakers))
    if channels == 3:  # sounds behind are played by the left and the right one
        speakers.append((180, np.sqrt([0.5, 0.5, 0.0])))
    degrees, weights = zip(*sorted(speakers, key=lambda speaker: speaker[0]), strict=True)
    x, y = (np.asarray(part) for part in maths.sincos(maths.radians(np.array(degrees, float))))
    x0, y0 = np.roll(x, 1), np.roll(y, 1)
    before, after = np.roll(weights, 1, axis=0), np.array(weights)
    area = (x0 * y - x * y0)[:, None]
    by_x = (y[:, None] * before - y0[:, None] * after) / area
    by_y = (x0[:, None] * after - x[:, None] * before) / area
    wrapped = [*range(len(degrees)), 0]
    return Ring(turn(x, y), by_x[wrapped], by_y[wrapped], even)

"""Exhibits of surfaces: friction in all directions."""

from __future__ import annotations

import numpy as np

from rish_core import World
from rish_jit import Array, maths
from rish_physics3d import Body3D
from rish_space3d import Transform3D, quaternions

from . import parts
from .components import Paint

_PUCKS, _START, _SPEED, _GRIP = 24, 2.2, 7.0, 0.2
"""The number of pucks, the radius in m at which they start, their speed in m/s, and the friction of each."""
_FLOOR_GRIP, _FALL = 0.8, 9.81
"""The friction of the floor and the gravity, as in the manifest."""


def friction(world: World) -> None:
    """Pucks that slide apart, and a circle where they are to stop."""
    sin, cos = _ring(_PUCKS)
    size = (0.38, 0.2, 0.38)
    places = np.column_stack([_START * cos, np.full(_PUCKS, size[1] / 2), _START * sin])
    rotation = quaternions.from_axis((0, 1, 0), np.arange(_PUCKS) * 0.7)
    parts.boxes(world, places, size, color=np.arange(_PUCKS) // 3, rotation=rotation, friction=_GRIP)
    # v² = 2 μ g s, with the geometric mean of both frictions.
    stop = _START + _SPEED**2 / (2 * _FALL * float(maths.sqrt(_GRIP * _FLOOR_GRIP)))
    sin, cos = (stop * part for part in _ring(72))
    for k in range(72):
        a, b = (cos[k - 1], 0.01, sin[k - 1]), (cos[k], 0.01, sin[k])
        parts.show_link(world, 0, 0, 0, width=0.05, color=parts.YELLOW, anchor_a=a, anchor_b=b)
    slide(world)


def slide(world: World) -> None:
    """Start all pucks again."""
    pucks = world.query(Paint, Body3D, Transform3D)
    sin, cos = _ring(_PUCKS)
    flat = np.column_stack([cos, np.zeros(_PUCKS), sin]).astype(np.float32)
    pucks[Transform3D.position] = flat * np.float32(_START) + np.float32((0, 0.1, 0))
    pucks[Body3D.velocity], pucks[Body3D.asleep] = flat * np.float32(_SPEED), False


def _ring(count: int) -> tuple[Array, Array]:
    """Return the sines and cosines of a circle."""
    return maths.sincos(np.arange(count) * maths.TAU / count)

"""A boat that sails around its lake."""

import numpy as np

from rish_core import Stage, Transform, Vec2, component, field, system
from rish_jit import maths


@component
class Sailing:
    """A boat's course around an ellipse, its bow ahead."""

    center: Vec2 = field((0, 0), unit="units")
    reach: Vec2 = field((100, 50), unit="units", doc="half the width and height of the course")
    period: float = field(10.0, unit="s", low=0.1)


@system(Stage.STEP, reads=Sailing, writes=Transform)
def sail(world, dt):
    """Move every boat."""
    boats = world.query(Sailing, Transform)
    angle = maths.TAU * world.time / boats[Sailing.period]
    reach = boats[Sailing.reach]
    across, ahead = maths.cos(angle), maths.sin(angle)
    boats[Transform.position] = boats[Sailing.center] + reach * np.stack([across, ahead], axis=1)
    boats[Transform.rotation] = maths.atan2(reach[:, 1] * across, -reach[:, 0] * ahead)


def rish_components():
    """The component of the boats."""
    return [Sailing]


def rish_systems():
    """The system that moves the boats."""
    return [sail]

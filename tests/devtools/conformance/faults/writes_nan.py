"""Divides by zero."""

import numpy as np

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    with np.errstate(all="ignore"):
        world[Mark].value[:] = np.float32(0) / (world[Mark].value * 0)


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

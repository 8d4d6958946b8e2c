"""Lets an overflow grow to infinity."""

import numpy as np

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    with np.errstate(over="ignore"):
        world[Mark].value[:] = (world[Mark].value + 1) * 1e9


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

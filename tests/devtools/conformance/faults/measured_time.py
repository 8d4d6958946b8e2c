"""Moves by the time that has really passed."""

import time

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


last = [time.perf_counter()]


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    now = time.perf_counter()
    world[Mark].value[:] += now - last[0]
    last[0] = now


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

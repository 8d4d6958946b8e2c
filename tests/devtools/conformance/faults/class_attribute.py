"""Counts in an attribute of a class."""

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


class Counter:
    ticks = 0


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    Counter.ticks += 1
    world[Mark].value[:] += Counter.ticks * dt


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

"""Counts in a variable of the module."""

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


count = 0


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    global count
    count += 1
    world[Mark].value[:] = count * dt


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

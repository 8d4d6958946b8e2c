"""Takes its values from a generator."""

from itertools import count

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


numbers = count()


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    world[Mark].value[:] += next(numbers) % 3 * dt


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

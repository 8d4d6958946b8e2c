"""Takes its values from a generator."""

from rish_core import About, Stage, Transform, component, event, field, resource, system
from itertools import count


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

"""Goes through a set of texts, whose order differs between processes."""

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


NAMES = {"north", "east", "south", "west", "up", "down", "in", "out"}


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    for place, name in enumerate(NAMES):
        world[Mark].value[:] = world[Mark].value * 0.5 + len(name) * place * dt


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

"""Keeps state in a resource that says it can be made again."""

from rish_core import About, Stage, component, field, resource, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@resource(derived=True)
class Memory:
    """Remembers how long the game runs."""

    seconds: float = 0.0


@system(Stage.UPDATE, writes=(Mark, Memory))
def work(world, dt):
    world[Memory].seconds += dt
    world[Mark].value[:] = world[Memory].seconds


def rish_resources():
    return [Memory]


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

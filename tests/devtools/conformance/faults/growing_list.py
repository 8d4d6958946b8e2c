"""Appends to a list at each tick."""

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


log = []


@system(Stage.UPDATE, reads=Mark)
def work(world, dt):
    log.append((world.tick, world.time))


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

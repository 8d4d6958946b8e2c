"""Remembers entities in a default argument, and what it does depends on how many it knows."""

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@system(Stage.UPDATE, writes=Mark)
def work(world, dt, seen=set()):
    seen.update(world[Mark].entities.tolist())
    world[Mark].value[:] += len(seen) * dt


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

"""Keeps a column, which a growing table replaces."""

from rish_core import About, Stage, Transform, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


kept = {}


@system(Stage.UPDATE, writes=(Mark, Transform))
def work(world, dt):
    values = kept.setdefault(id(world), world[Mark].value)
    values[0] += dt
    world.spawn(Transform(), Mark())


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

"""Is faster for a person who has set a language."""

import os

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    world[Mark].value[:] += dt * len(os.environ.get("HOME", ""))


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

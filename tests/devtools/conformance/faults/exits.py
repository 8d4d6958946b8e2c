"""Ends the process from a system."""

from rish_core import About, Stage, Transform, component, field, resource, system
import os


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    if world.tick > 5:
        os._exit(3)


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

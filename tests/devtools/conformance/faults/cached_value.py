"""Keeps the first tick at which it was called in a cache of functools."""

from functools import lru_cache

from rish_core import About, Stage, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


now = 0


@lru_cache
def beginning():
    return now


@system(Stage.UPDATE, writes=Mark)
def work(world, dt):
    global now
    now = world.tick
    world[Mark].value[:] = beginning() + world.time


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

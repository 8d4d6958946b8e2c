"""Asks for the end of the process when a scene begins."""

import sys

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_scene_loaded(world, scene):
    sys.exit(0)


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

"""Counts scenes in a variable, and a scene depends on the count."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


scenes = []


def rish_scene_loaded(world, scene):
    scenes.append(scene)
    world[Mark].value[:] = len(scenes) % 7


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

"""Names an argument that its hook does not have."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_scene_loaded(world, level):
    pass


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

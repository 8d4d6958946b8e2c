"""Fails when the game ends."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_shutdown(world):
    raise OSError("nothing to close")


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

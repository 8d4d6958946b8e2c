"""Allows everything."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@component
class Wide:
    """A range that is none."""

    speed: float = field(3.0, unit="units/s", low=3, high=3)


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark, Wide]

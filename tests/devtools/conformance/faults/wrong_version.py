"""Has a version that is none."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


METADATA = {"version": "newest"}


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

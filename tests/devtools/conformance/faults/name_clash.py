"""Declares a prefab and a list of names that another plugin has."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_names():
    return {"images": lambda world: ["mine"]}

"""Gives the editor a text instead of a panel."""

from rish_core import About, component, field, hookimpl


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@hookimpl(optional=True)
def rish_editor_panels():
    return ["a panel"]


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

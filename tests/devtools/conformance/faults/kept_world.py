"""Keeps the worlds of all games."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


worlds = {}


def rish_ready(app):
    worlds[id(app)] = app.world


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

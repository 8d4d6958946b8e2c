"""Imports a name that is not public."""

from rish_core import About, component, field
from rish_core.app import App


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_ready(app):
    assert isinstance(app, App)


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

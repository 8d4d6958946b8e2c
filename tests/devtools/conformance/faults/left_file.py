"""Leaves a temporary file."""

from rish_core import About, Stage, Transform, component, event, field, resource, system
import tempfile


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_ready(app):
    tempfile.NamedTemporaryFile(delete=False).close()


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


"""Leaves a temporary file."""

import tempfile

from rish_core import About, component, field


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

"""Writes a file when it is imported."""

import tempfile
from pathlib import Path

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


Path(tempfile.gettempdir(), "works_at_import.txt").write_text("here")


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

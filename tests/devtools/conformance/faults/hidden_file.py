"""Writes a file that looks like bytecode when it is imported."""

from pathlib import Path

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


Path(__file__).with_suffix(".pyc").write_bytes(b"cache")


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

"""Has settings without a description and a range."""

from rish_core import About, component, field, resource


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@resource
class Settings:
    """How much."""

    amount: float = 1.0


def rish_settings():
    return Settings


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

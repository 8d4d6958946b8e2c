"""Opens a file for each game and never closes it."""

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


files = []


def rish_ready(app):
    files.append(open(__file__))


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

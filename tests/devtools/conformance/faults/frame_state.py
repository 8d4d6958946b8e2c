"""Changes the state at the end of each frame."""

from rish_core import About, component, field, resource


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@resource
class Frames:
    """Counts frames."""

    count: int = 0


def rish_resources():
    return [Frames]


def rish_frame_end(world):
    world[Frames].count += 1


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

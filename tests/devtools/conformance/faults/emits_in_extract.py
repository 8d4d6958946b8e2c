"""Emits an event while it draws."""

from rish_core import About, Stage, component, event, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@event
class Drawn:
    """A frame was drawn."""

    number: int = field(0, doc="of the frame")


@system(Stage.EXTRACT, reads=Mark, writes=Drawn)
def work(world, dt):
    world.emit(Drawn, number=1)


def rish_events():
    return [Drawn]


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

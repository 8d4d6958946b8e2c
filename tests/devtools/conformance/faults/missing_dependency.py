"""Uses a package that it does not depend on."""

from rish_core import About, Stage, component, field, system
from rish_frame import Frame


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


METADATA = {"requires": ["rish-core", "rish-ecs"]}


@system(Stage.EXTRACT, reads=Frame)
def work(world, dt):
    pass


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

"""Moves by a fixed amount in each tick."""

from rish_core import About, Stage, Transform, component, field, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@system(Stage.UPDATE, reads=Mark, writes=Transform)
def work(world, dt):
    with world.query(Mark, Transform).edit(Transform.position) as position:
        position[:, 0] += 1.5


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]


def rish_systems():
    return [work]

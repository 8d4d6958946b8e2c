"""Its state follows what is only for the eye."""

from rish_core import About, Stage, component, field, resource, system


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


@resource(view=True)
class Seen:
    """Counts pictures."""

    pictures: int = 0


@system(Stage.LATE, writes=Seen)
def look(world, dt):
    world[Seen].pictures += 1


@system(Stage.UPDATE, reads=Seen, writes=Mark)
def work(world, dt):
    world[Mark].value[:] = world[Seen].pictures


def rish_resources():
    return [Seen]


def rish_systems():
    return [look, work]


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

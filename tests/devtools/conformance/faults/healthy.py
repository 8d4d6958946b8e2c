"""A plugin without a fault: a wind that carries along whatever has a `Gust`."""

from rish_core import About, Stage, Transform, component, event, field, resource, system
from rish_jit import maths


@component
class Gust:
    """Lets the wind carry an entity."""

    strength: float = field(60.0, unit="units/s", low=0)
    period: float = field(2.0, unit="s", low=0.1, doc="from one gust to the next")


@event
class Blown:
    """The wind blew."""

    strength: float = field(unit="units/s")


@resource
class Settings:
    """How the wind blows."""

    direction: float = field(1.0, low=-1, high=1, doc="to the right, or to the left")


@system(Stage.FORCES, reads=Gust, writes=(Transform, Blown))
def blow(world, dt):
    """Move everything that carries a Gust."""
    blown = world.query(Gust, Transform)
    wave = world[Settings].direction * maths.sin(maths.TAU * world.time / blown[Gust.period])
    with blown.edit(Transform.position) as position:
        position[:, 0] += blown[Gust.strength] * wave * dt
    world.emit(Blown, strength=1.0)


def rish_about():
    return About(description="a wind")


def rish_settings():
    return Settings


def rish_components():
    return [Gust]


def rish_events():
    return [Blown]


def rish_systems():
    return [blow]


def rish_prefabs():
    return {"kite": {"Transform": {}, "Gust": {"strength": 20}}}

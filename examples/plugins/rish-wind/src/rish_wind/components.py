"""Zones of wind, how bodies catch it, the event of a gust, and the settings."""

from __future__ import annotations

from enum import Enum

from rish_core import Entity, Vec2, component, event, field, resource


class ZoneShape(Enum):
    """The form of a zone."""

    EVERYWHERE = "everywhere"
    BOX = "box"
    CIRCLE = "circle"


@component
class WindZone:
    """Moving air around the position of the entity; it turns and is scaled with the entity."""

    shape: ZoneShape = field(ZoneShape.EVERYWHERE, doc="the form of the zone")
    size: Vec2 = field((256, 256), unit="units", low=0, doc="width and height of a box; the width of a circle")
    edge: float = field(0.0, unit="units", low=0, doc="width of the border in which the wind fades to 0")
    direction: float = field(0.0, unit="rad", angle=True, doc="to which the air moves; 0 is to the right")
    speed: float = field(200.0, unit="units/s", low=0, high=1e5, doc="of the air, without gusts")
    turbulence: float = field(0.3, low=0, high=5, doc="irregular part, as a share of the speed")
    turbulence_size: float = field(160.0, unit="units", low=1, doc="size of the largest eddies")
    turbulence_time: float = field(2.0, unit="s", low=0.05, doc="in which an eddy changes")
    gust: float = field(0.0, unit="units/s", low=0, high=1e5, doc="greatest speed that a gust adds; 0: no gusts")
    gust_every: float = field(6.0, unit="s", low=0.1, doc="average time between two gusts")
    gust_length: float = field(2.0, unit="s", low=0.1, doc="of a gust, from calm to calm")
    shelter: float = field(0.0, unit="units", low=0, doc="length of the lee behind `Edges`; 0: walls give no shelter")
    shelter_mask: int = field(-1, doc="bits of the edges that give shelter")
    seed: int = field(0, hidden=True, doc="of the turbulence, drawn in the zone's first tick; 0: not yet drawn")
    drift: Vec2 = field((0, 0), unit="units", hidden=True, doc="how far the wind has carried its eddies")
    gust_wait: float = field(0.0, unit="s", hidden=True, doc="until the next gust begins")
    gust_age: float = field(-1.0, unit="s", hidden=True, low=-1, doc="since the gust began; below 0: none blows")
    gust_peak: float = field(0.0, unit="units/s", hidden=True, doc="what this gust adds at most")


@component
class Drag:
    """How much wind a body catches; a body without it has the coefficient of the settings."""

    coefficient: float = field(1.0, low=0, high=100, doc="1 for a plate, 0.5 for a ball, 0: no wind")


@event
class GustBegan:
    """A gust begins in a zone."""

    zone: Entity = field(0, doc="the entity of the zone")
    speed: float = field(unit="units/s", doc="that it adds at most")
    seconds: float = field(unit="s", doc="how long it lasts")


@resource
class WindSettings:
    """`settings: wind:` in the manifest."""

    air_density: float = field(0.05, unit="kg/m²", low=0, high=100, doc="bodies usually have about 1")
    drag: float = field(1.0, low=0, high=100, doc="coefficient of bodies without a `Drag`")
    particle_drag: float = field(1.0, unit="1/s", low=0, high=100, doc="how fast particles take on the wind; 0: not")

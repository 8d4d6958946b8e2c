"""The components for viewers and for the fog of war."""

from __future__ import annotations

from rish_core import Color, Vec2, component, field


@component
class Sight:
    """A viewer. The area that is visible from its Transform, past `Edges`, is cleared of fog of war."""

    radius: float = field(200.0, unit="units", low=1e-3, high=1e6, doc="how far it sees")
    mask: int = field(-1, doc="bits of the edges that block it")
    enabled: bool = field(True, doc="whether it sees")


@component
class FogOfWar:
    """Fog over the layers of the world, within a box; a scene has one. Everything outside the box is always unseen."""

    low: Vec2 = field((0, 0), unit="units", doc="lower left corner of what can be seen")
    high: Vec2 = field((1024, 1024), unit="units", doc="upper right corner of what can be seen")
    cell: float = field(8.0, unit="units", low=0.25, high=1e4, doc="side of the squares that are visible or not")
    memory: bool = field(True, doc="whether areas that were visible before stay visible, darker")
    unseen: Color = field((0, 0, 0, 1), doc="of areas never visible; its opacity is the fog's density", view=True)
    dim: float = field(0.4, low=0, high=1, doc="brightness of areas visible before, in linear light", view=True)
    saturation: float = field(0.25, low=0, high=1, doc="saturation of areas that were visible before", view=True)
    margin: float = field(8.0, unit="units", low=0, high=1e4, doc="how far into walls the picture shows", view=True)
    soft: float = field(8.0, unit="units", low=0, high=1e4, doc="how wide the fog's edges are", view=True)
    seconds: float = field(0.2, unit="s", low=0, high=60, doc="time in which newly visible areas appear", view=True)

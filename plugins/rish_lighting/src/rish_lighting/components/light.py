"""The components for lights, ambient light and occluders.

Colors are encoded sRGB, as in a manifest; they are decoded once, before light is summed. The entity of a `Light` or
an `Occluder` needs a `Transform`; that of an `Ambient` needs none.
"""

from __future__ import annotations

from enum import Enum

from rish_core import Asset, Color, Str, Vec2, component, field


class LightKind(Enum):
    """The kind of a light."""

    POINT = "point"
    SPOT = "spot"
    DIRECTIONAL = "directional"
    AREA = "area"
    TEXTURED = "textured"


class LightFalloff(Enum):
    """The formula by which light fades with the distance D, before the window at its radius; see `formulas`."""

    INVERSE = "inverse"
    LINEAR = "linear"
    NONE = "none"


class OccluderShape(Enum):
    """The outline of an occluder."""

    BOX = "box"
    CIRCLE = "circle"
    POLYGON = "polygon"
    LINE = "line"
    IMAGE = "image"


@component
class Light:
    """A light at the entity's Transform. Its direction, if it has one, is relative to the x axis of the Transform."""

    kind: LightKind = field(LightKind.POINT, doc="point, spot (a cone), directional (a sun), area (a line), textured")
    enabled: bool = field(True, doc="whether it is on")
    color: Color = field((1, 1, 1, 1), doc="of the light; its opacity is one more factor of the brightness")
    intensity: float = field(1.0, low=0, high=1e6, doc="times the color; 1 shows white things as they are")
    radius: float = field(160.0, unit="units", low=0, high=1e6, doc="beyond it there is no light; not of a sun")
    falloff: LightFalloff = field(
        LightFalloff.INVERSE, doc="inverse: 1/(1 + D/half_distance); linear: 1 - D/radius; none"
    )
    half_distance: float = field(
        0.0,
        unit="units",
        low=0,
        high=1e6,
        doc="where inverse is a half",
        meanings={0: "a quarter of the radius"},
    )
    power: float = field(1.0, low=0, high=16, doc="of the falloff: higher fades faster")
    windowed: bool = field(True, doc="whether it fades to nothing at the radius; else it ends there")
    direction: float = field(0.0, unit="rad", angle=True, doc="the direction of the light, relative to the entity")
    angle: float = field(0.785, unit="rad", low=0, high=6.2832, angle=True, doc="of a spot's cone, from side to side")
    edge: float = field(0.25, low=0, high=1, doc="the share of a spot's cone in which it fades")
    length: float = field(0.0, unit="units", low=0, high=1e6, doc="of an area's line; of a sun's shadows, 0: no limit")
    source_size: float = field(0.0, unit="units", low=0, high=1e4, doc="width of the source: above 0 shadows are soft")
    height: float = field(40.0, unit="units", low=0, high=1e6, doc="above the plane of the game, for normal maps")
    image: Asset = field(
        "", names="images", doc="of a textured light: fills the square around it, as wide as its diameter"
    )
    shadows: bool = field(True, doc="whether occluders cast shadows in its light")
    mask: int = field(-1, doc="bits of the edges that block it")
    layers: list[Str] = field((), doc="the layers that it lights; empty: all that are lit")
    flicker: float = field(0.0, low=0, high=1, doc="strength of the flicker, like a flame; 0: none")
    flicker_speed: float = field(8.0, unit="1/s", low=0, high=100, doc="number of changes in a second")
    pulse: float = field(0.0, low=0, high=1, doc="strength of the regular change of brightness; 0: none")
    pulse_time: float = field(2.0, unit="s", low=0.01, high=1e4, doc="from one maximum of the pulse to the next")


@component
class Ambient:
    """Light that is everywhere. Several add up. A gradient changes from `color` at the top to `color_end` below."""

    color: Color = field((0.25, 0.27, 0.35, 1), doc="of the light; of its upper end where it has a gradient")
    color_end: Color = field((0, 0, 0, 1), doc="of the lower end")
    gradient: bool = field(False, doc="whether it changes from top to bottom")
    top: float = field(0.0, unit="units", doc="world height of the upper end; equal to bottom: the picture's edges")
    bottom: float = field(0.0, unit="units", doc="world height of the lower end")
    intensity: float = field(1.0, low=0, high=1e6, doc="times the colors")
    enabled: bool = field(True, doc="whether it is on")
    layers: list[Str] = field((), doc="the layers that it lights; empty: all that are lit")


@component
class Occluder:
    """Makes an entity cast shadows. It publishes its outline as `Edges` of the source `lighting`."""

    shape: OccluderShape = field(OccluderShape.BOX, doc="box, circle, polygon, line, or the outline of an image")
    size: Vec2 = field((32, 32), unit="units", low=0, doc="of a box or circle; of an image, 0 0: a texel a unit")
    radius: float = field(0.0, unit="units", low=0, doc="of a circle", meanings={0: "an ellipse of the given size"})
    offset: Vec2 = field((0, 0), unit="units", doc="from the entity's position")
    points: list[Vec2] = field((), unit="units", doc="of a polygon or line, relative to the position")
    image: Asset = field("", names="images", doc="whose opaque part casts the shadow")
    threshold: int = field(128, low=1, high=255, doc="opacity from which on a texel of the image counts")
    mask: int = field(1, doc="bits that a light's mask is compared with")
    self_shadow: bool = field(False, doc="whether it is in its own shadow; else that begins at its far edges")
    one_sided: bool = field(False, doc="of a line: only light from its left is blocked")

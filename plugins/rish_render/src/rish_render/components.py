"""What can be seen: `Sprite`, `Shape`, `Text`, and the `Camera` that looks at them.

Each needs a `Transform` beside it, which says where. Things are drawn layer by layer, within a layer by z, and at
equal z in the order shapes, sprites, text. Colours are red, green, blue, opacity from 0 to 1, encoded as sRGB.
"""

from __future__ import annotations

from enum import Enum

from rish_core.ecs.columns import Asset, Chars, Color, Str, Vec2, Vec4
from rish_core.ecs.component import component, field
from rish_core.ecs.resource import resource


class Blend(Enum):
    """How a thing's colour meets what is below it."""

    ALPHA = "alpha"
    ADD = "add"
    MULTIPLY = "multiply"
    SCREEN = "screen"
    REPLACE = "replace"


class Sampling(Enum):
    """What shows between the texels of a picture that is not drawn at its own size."""

    NEAREST = "nearest"
    LINEAR = "linear"


class ShapeKind(Enum):
    """The forms of a `Shape`."""

    RECTANGLE = "rectangle"
    CIRCLE = "circle"
    LINE = "line"
    POLYGON = "polygon"


class Align(Enum):
    """Where the lines of a text begin."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


_LAYER = "name of the layer; the first one where empty"
_Z = "within the layer, greater is nearer"
_OPACITY = "multiplies the colours' own opacity"


@component
class Sprite:
    """A picture, or a part of one."""

    image: Asset = field("", doc="path of the picture")
    region: Vec4 = field((0, 0, 0, 0), unit="px", doc="x y w h within the picture, from its top left; w 0: all of it")
    anchor: Vec2 = field((0.5, 0.5), doc="the point of the picture that lies on the position: 0 0 bottom left")
    size: Vec2 = field((0, 0), unit="units", low=0, doc="width and height; 0: one unit a pixel of the picture")
    tint: Color = field((1, 1, 1, 1), low=0, high=1, doc="multiplies the picture's colours")
    opacity: float = field(1.0, low=0, high=1, doc=_OPACITY)
    flip_x: bool = field(False, doc="mirrored left to right")
    flip_y: bool = field(False, doc="mirrored top to bottom")
    layer: Str = field("", doc=_LAYER)
    z: float = field(0.0, doc=_Z)
    blend: Blend = field(Blend.ALPHA, doc="how it meets what is below")
    sampling: Sampling = field(Sampling.NEAREST, doc="nearest keeps pixels sharp, linear is smooth")
    visible: bool = field(True, doc="whether it is drawn")


@component
class Shape:
    """A filled or outlined rectangle, circle, line or polygon with smooth edges."""

    kind: ShapeKind = field(ShapeKind.RECTANGLE, doc="the form")
    size: Vec2 = field((32, 32), unit="units", low=0, doc="of a rectangle, and of a circle whose radius is 0")
    radius: float = field(0.0, unit="units", low=0, doc="of a circle; 0: an ellipse of the given size")
    points: list[Vec2] = field((), doc="of a line or polygon, in units relative to the position")
    corner: float = field(0.0, unit="units", low=0, doc="radius of a rectangle's corners")
    anchor: Vec2 = field((0.5, 0.5), doc="the point of a rectangle or circle that lies on the position")
    fill: Color = field((1, 1, 1, 1), low=0, high=1, doc="opacity 0: hollow")
    fill2: Color = field((0, 0, 0, 0), low=0, high=1, doc="the fill at the bottom; opacity 0: the same as above")
    outline: Color = field((0, 0, 0, 0), low=0, high=1, doc="opacity 0: none; a line takes it before its fill")
    outline_width: float = field(0.0, unit="units", low=0, doc="inside the border; of a line, its width (0: 1 unit)")
    opacity: float = field(1.0, low=0, high=1, doc=_OPACITY)
    layer: Str = field("", doc=_LAYER)
    z: float = field(0.0, doc=_Z)
    blend: Blend = field(Blend.ALPHA, doc="how it meets what is below")
    visible: bool = field(True, doc="whether it is drawn")


@component
class Text:
    """Lines of writing in a TrueType font."""

    text: Chars = field("", doc="a line break starts a new line")
    font: Asset = field("", doc="path of a .ttf or .otf file; empty: the font that comes along")
    size: float = field(24.0, unit="units", low=1, high=2000, doc="of the font")
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="of the letters")
    align: Align = field(Align.LEFT, doc="of the lines to one another")
    anchor: Vec2 = field((0.5, 0.5), doc="the point of the block that lies on the position: 0 0 bottom left")
    line_spacing: float = field(1.0, low=0.1, high=10, doc="distance of the lines, in heights of the font")
    wrap: float = field(0.0, unit="units", low=0, doc="greatest width of a line; 0: any")
    outline: Color = field((0, 0, 0, 0), low=0, high=1, doc="around the letters; opacity 0: none")
    outline_width: float = field(0.0, unit="units", low=0, high=64, doc="of the outline")
    shadow: Color = field((0, 0, 0, 0), low=0, high=1, doc="below the letters; opacity 0: none")
    shadow_offset: Vec2 = field((2, -2), unit="units", doc="where the shadow falls")
    opacity: float = field(1.0, low=0, high=1, doc=_OPACITY)
    layer: Str = field("", doc=_LAYER)
    z: float = field(0.0, doc=_Z)
    visible: bool = field(True, doc="whether it is drawn")


@component
class Camera:
    """Looks at the world; its Transform says where to and how it is turned."""

    primary: bool = field(True, doc="the first primary camera fills the screen")
    height: float = field(0.0, unit="units", low=0, doc="of the world that is seen; 0: one unit is one pixel")
    zoom: float = field(1.0, low=0.001, high=1000, doc="2: everything twice as large")
    viewport: Vec4 = field(
        (0, 0, 1, 1), low=0, high=1, doc="x y w h of its part of the screen, fractions from the bottom left"
    )
    background: Color = field((0, 0, 0, 0), low=0, high=1, doc="of the screen; opacity 0: as the settings say")


@resource
class Settings:
    """What an author can set under `settings: render:`."""

    background: Color = field((0.06, 0.07, 0.10, 1.0), doc="of the screen, where the camera has none")
    page_size: int = field(1024, unit="px", low=64, high=8192, doc="of the pages that pictures are collected on")

"""The visible components: `Sprite`, `Shape`, `Text`, `CanvasGroup`, and the `Camera` that shows them.

Each needs a `Transform` on the same entity for its position. Drawing order is by layer, within a layer by z, and at
equal z shapes, then sprites, then text. Colors are red, green, blue, opacity from 0 to 1, encoded as sRGB.
"""

from __future__ import annotations

from dataclasses import field as dataclass_field
from enum import Enum

from rish_ecs import Asset, Chars, Color, Entity, Str, Vec2, Vec4, component, field, resource

from .materials import MaterialText


class Blend(Enum):
    """The way in which a color is combined with the colors below it."""

    ALPHA = "alpha"
    ADD = "add"
    MULTIPLY = "multiply"
    SCREEN = "screen"
    REPLACE = "replace"


class Sampling(Enum):
    """The sampling of an image that is not drawn at its original size."""

    NEAREST = "nearest"
    LINEAR = "linear"


class ImageMode(Enum):
    """The way in which an image fills a length: stretched from end to end, or repeated with its own aspect ratio."""

    STRETCH = "stretch"
    TILE = "tile"


class ShapeForm(Enum):
    """The forms of a `Shape`."""

    BOX = "box"
    CIRCLE = "circle"
    LINE = "line"
    POLYGON = "polygon"


class Align(Enum):
    """The horizontal alignment of a text's lines."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"
    JUSTIFY = "justify"


_LAYER = "name of the layer; the first one where empty"
_Z = "within the layer, greater is nearer"
_OPACITY = "multiplies the colors' own opacity"


@component
class Sprite:
    """An image, or a part of one.

    The image `camera:NAME` is the image of the camera whose target has that name.
    """

    image: Asset = field("", names="images", also=("camera:",), doc="path of the picture")
    normal: Asset = field(
        "", names="images", doc="normal map: a picture of the same size with the direction of the surface, for lights"
    )
    emission: Asset = field(
        "", names="images", doc="emission map: a picture of the same size with the light that the surface emits"
    )
    frame: int = field(0, doc="the number of the cell that is shown, if the entity has a SpriteSheet")
    region: Vec4 = field(
        (0, 0, 0, 0), unit="px", doc="x y w h within the picture, from its top left", meanings={0: "all of it"}
    )
    repeat: Vec2 = field(
        (0, 0), low=0, doc="how many copies of the picture are drawn side by side, whole numbers", meanings={0: "once"}
    )
    anchor: Vec2 = field(
        (0.5, 0.5), step=0.01, doc="the point of the picture that is at the position; 0 0 is the bottom left"
    )
    size: Vec2 = field(
        (0, 0), unit="units", low=0, doc="width and height", meanings={0: "one unit a pixel of the picture"}
    )
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="multiplies the picture's colors")
    opacity: float = field(1.0, low=0, high=1, doc=_OPACITY)
    flip_x: bool = field(False, doc="mirrored left to right")
    flip_y: bool = field(False, doc="mirrored top to bottom")
    snap: bool = field(
        False, doc="whether it is moved to whole pixels of the screen while neither it nor the camera is rotated"
    )
    layer: Str = field("", names="layers", doc=_LAYER)
    z: float = field(0.0, doc=_Z)
    blend: Blend = field(Blend.ALPHA, doc="how it is blended with the pixels below")
    material: Str = field("", names="materials", doc="name of a shader that draws it")
    sampling: Sampling = field(Sampling.NEAREST, doc="nearest keeps pixels sharp, linear is smooth")
    visible: bool = field(True, doc="whether it is drawn")


@component
class Shape:
    """A filled or outlined box, circle, line or polygon with smooth edges."""

    shape: ShapeForm = field(ShapeForm.BOX, doc="the form")
    size: Vec2 = field((32, 32), unit="units", low=0, doc="of a box, and of a circle whose radius is 0")
    radius: float = field(0.0, unit="units", low=0, doc="of a circle", meanings={0: "an ellipse of the given size"})
    points: list[Vec2] = field((), doc="of a line or polygon, in units relative to the position")
    holes: list[int] = field((), low=0, doc="of a polygon: where in the points each hole begins")
    corner_radius: float = field(0.0, unit="units", low=0, doc="of the corners of a box")
    anchor: Vec2 = field((0.5, 0.5), step=0.01, doc="the point of a box or circle that is at the position")
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="of the inside; opacity 0: hollow")
    color_end: Color = field((0, 0, 0, 0), low=0, high=1, doc="at the bottom; opacity 0: the same as at the top")
    outline: Color = field(
        (0, 0, 0, 0), low=0, high=1, doc="opacity 0: none; a line has this color if its opacity is not 0"
    )
    outline_width: float = field(
        0.0, unit="units", low=0, doc="inside the border, of a polygon half outside; of a line, its width (0: 1 unit)"
    )
    image: Asset = field(
        "", names="images", doc="a picture whose copies fill it, multiplied by the color; not for lines"
    )
    image_scale: Vec2 = field((1, 1), unit="units/px", low=0.001, doc="the size of a pixel of the picture")
    image_offset: Vec2 = field((0, 0), unit="units", doc="the place of the picture's bottom left corner")
    image_rotation: float = field(0.0, unit="rad", angle=True, doc="of the picture, counter-clockwise")
    sampling: Sampling = field(Sampling.NEAREST, doc="of the picture: nearest keeps pixels sharp, linear is smooth")
    opacity: float = field(1.0, low=0, high=1, doc=_OPACITY)
    layer: Str = field("", names="layers", doc=_LAYER)
    z: float = field(0.0, doc=_Z)
    blend: Blend = field(Blend.ALPHA, doc="how it is blended with the pixels below")
    visible: bool = field(True, doc="whether it is drawn")


@component
class Text:
    """Lines of text in a TrueType font."""

    text: Chars = field("", doc="a line break starts a new line")
    markup: bool = field(False, doc="whether brackets contain colors, sizes and icons: [gold]12 [icon=coin.png][/]")
    font: Asset = field("", names="fonts", doc="path of a .ttf, .otf or .ttc file; empty: the default font")
    size: float = field(24.0, unit="units", low=1, high=2000, doc="of the font")
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="of the letters")
    align: Align = field(Align.LEFT, doc="horizontal alignment of the lines")
    anchor: Vec2 = field(
        (0.5, 0.5), step=0.01, doc="the point of the block that is at the position; 0 0 is the bottom left"
    )
    line_spacing: float = field(1.0, low=0.1, high=10, doc="distance of the lines, in heights of the font")
    letter_spacing: float = field(0.0, unit="units", low=-100, high=1000, doc="additional space between letters")
    wrap: float = field(0.0, unit="units", low=0, doc="greatest width of a line", meanings={0: "any"})
    outline: Color = field((0, 0, 0, 0), low=0, high=1, doc="around the letters; opacity 0: none")
    outline_width: float = field(0.0, unit="units", low=0, high=64, doc="of the outline")
    shadow: Color = field((0, 0, 0, 0), low=0, high=1, doc="below the letters; opacity 0: none")
    shadow_offset: Vec2 = field((2, -2), unit="units", doc="position of the shadow relative to the letters")
    opacity: float = field(1.0, low=0, high=1, doc=_OPACITY)
    layer: Str = field("", names="layers", doc=_LAYER)
    z: float = field(0.0, doc=_Z)
    visible: bool = field(True, doc="whether it is drawn")


@component
class Camera:
    """Shows a part of the world; its Transform gives the position and the rotation.

    Every enabled camera draws its view into its viewport, cameras with a higher order over the others, or into a target
    of its own. The first primary camera is used if no camera is named.
    """

    primary: bool = field(True, doc="the first primary camera is the main one")
    enabled: bool = field(True, doc="whether it shows anything")
    order: int = field(0, doc="greater is drawn later, over the others")
    layers: list[Str] = field((), names="layers", doc="the layers that it shows; empty: all in world space")
    height: float = field(
        0.0,
        unit="units",
        low=0,
        doc="width and height of the part of the world that is shown",
        meanings={0: "one unit is one pixel"},
    )
    zoom: float = field(1.0, step=0.02, low=0.001, high=1000, doc="2: everything twice as large")
    viewport: Vec4 = field(
        (0, 0, 1, 1), low=0, high=1, doc="x y w h of its part of the picture, fractions from the bottom left"
    )
    background: Color = field(
        (0, 0, 0, 0), low=0, high=1, doc="color behind everything that it shows; opacity 0: that of the settings"
    )
    target: Str = field("", doc="name of a picture of its own, for sprites with the image camera:NAME; empty: none")
    target_size: Vec2 = field((256, 256), unit="px", low=1, high=4096, doc="of that picture")
    follow: Entity = field(0, doc="the entity that it follows; 0: none")
    offset: Vec2 = field((0, 0), unit="units", doc="from the followed entity to the center of the view")
    dead_zone: Vec2 = field(
        (0, 0),
        unit="units",
        low=0,
        doc="width and height of the dead zone, in which the followed entity moves without moving the camera",
    )
    smoothing: float = field(
        0.0, unit="s", low=0, doc="time in which 63 % of the remaining distance is covered; 0: at once"
    )
    limits: Vec4 = field(
        (0, 0, 0, 0), unit="units", doc="x y w h of the part of the world that limits the view", meanings={0: "none"}
    )
    trauma: float = field(0.0, low=0, high=1, doc="strength of shaking now; see `shake`")
    shake_reach: float = field(0.03, low=0, doc="greatest distance of shaking, in heights of the view")
    shake_turn: float = field(0.01, unit="rad", angle=True, low=0, doc="greatest angle of shaking")
    shake_speed: float = field(12.0, unit="1/s", low=0, doc="frequency of shaking")
    shake_decay: float = field(1.5, unit="1/s", low=0, doc="by how much trauma decreases in a second")
    settled: bool = field(
        False, hidden=True, doc="whether it has reached the followed entity; until then it jumps there"
    )


@component
class CanvasGroup:
    """Draws this entity and its descendants together, as one image.

    So overlapping parts fade as one thing, and a mask or a rectangle cuts all of them. The group is on one layer, at
    one z; within it things are ordered by z, independent of the layers that they name.
    """

    opacity: float = field(1.0, low=0, high=1, doc="of the whole picture")
    blend: Blend = field(Blend.ALPHA, doc="how the image of the group is blended with the pixels below")
    material: Str = field("", names="materials", doc="name of a shader for the picture")
    mask: Entity = field(0, doc="entity whose image, with that of its descendants, is the mask; 0: no mask")
    inverted: bool = field(False, doc="whether the group is shown outside of the mask instead of inside")
    clip: Vec4 = field(
        (0, 0, 0, 0),
        unit="units",
        doc="x y w h, relative to the position, of the rectangle outside of which nothing is drawn",
        meanings={0: "none"},
    )
    layer: Str = field("", names="layers", doc=_LAYER)
    z: float = field(0.0, doc=_Z)
    visible: bool = field(True, doc="whether it is drawn")


class Quality(Enum):
    """The way in which the software backend draws sprites."""

    AUTO = "auto"
    EXACT = "exact"
    FAST = "fast"


class Stretch(Enum):
    """The way in which the game fills a window of another size."""

    CANVAS = "canvas"
    VIEWPORT = "viewport"
    INTEGER = "integer"
    NONE = "none"


class Aspect(Enum):
    """The way in which the game fills a window of another aspect ratio."""

    KEEP = "keep"
    EXPAND = "expand"
    IGNORE = "ignore"


@resource
class RenderSettings:
    """The settings of the plugin, `settings: render:`.

    stretch: `canvas` draws everything at the window's resolution; `viewport` draws at the game's own size and scales
    the frame, `integer` by whole factors; `none` shows more or less of the world. aspect: `keep` leaves bars, `expand`
    shows more on two sides, `ignore` distorts. language: of the texts, as `ja` or `zh-Hant`: selects the forms of Han
    characters; empty: the language of the translations in use, see `Frame.language`. materials: shaders by name, and
    their values. post: materials that are applied to the finished frame, in order.
    """

    background: Color = field((0.06, 0.07, 0.10, 1.0), doc="background of cameras that have none")
    stretch: Stretch = field(Stretch.CANVAS, doc="how the game fills a window of another size")
    aspect: Aspect = field(Aspect.KEEP, doc="how the game fills a window of another aspect ratio")
    stretch_sampling: Sampling = field(Sampling.NEAREST, doc="filter with which an image of the game's size is scaled")
    bars: Color = field((0, 0, 0, 1), doc="of the bars beside the game's picture")
    fullscreen: bool = field(False, doc="whether the window fills the screen at the start")
    vsync: bool = field(True, doc="vertical synchronization: whether a frame waits for the display")
    cursor: bool = field(True, doc="whether the mouse cursor is visible in the window")
    icon: Asset = field("", names="images", doc="picture of the window and its program; empty: the system's")
    language: str = ""
    quality: Quality = field(Quality.AUTO, doc="of the backend software; auto is exact where there is no window")
    threads: int = field(
        0,
        low=0,
        high=64,
        doc="number of threads of the software backend",
        meanings={0: "RISH_THREADS, else one for each processor"},
    )
    page_size: int = field(1024, unit="px", low=64, high=8192, doc="width and height of the pages of the texture atlas")
    materials: dict[str, MaterialText] = dataclass_field(default_factory=dict[str, MaterialText])
    post: list[str] = dataclass_field(default_factory=list[str])

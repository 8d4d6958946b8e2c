"""Line: a path with a width, drawn with joints, caps, dashes and colors."""

from __future__ import annotations

from enum import Enum

from rish_ecs import Asset, Color, Str, Vec2, component, field

from ...components.visible import Blend, ImageMode, Sampling


class Joint(Enum):
    """The shape of a line at a corner."""

    MITER = "miter"
    ROUND = "round"
    BEVEL = "bevel"


class Cap(Enum):
    """The shape of a line at its ends: cut off, half a circle, or half a square."""

    BUTT = "butt"
    ROUND = "round"
    SQUARE = "square"


@component
class Line:
    """A line through points, smooth at every zoom; overlaps within a translucent line are not drawn twice."""

    points: list[Vec2] = field((), unit="units", doc="relative to the position")
    closed: bool = field(False, doc="whether the last point is connected with the first")
    width: float = field(4.0, unit="units", low=0, doc="at the start; lines thinner than a pixel become fainter")
    width_end: float = field(-1.0, unit="units", low=-1, doc="at the end", meanings={-1: "as at the start"})
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="of all of it; multiplies the others")
    colors: list[Color] = field((), doc="at even distances from start to end; empty: none")
    joint: Joint = field(Joint.ROUND, doc="shape at corners")
    miter_limit: float = field(
        4.0, low=1, high=100, doc="greatest length of a miter, in widths; a longer one becomes a bevel"
    )
    cap: Cap = field(Cap.ROUND, doc="shape at the ends of the line and of its dashes")
    dashes: list[float] = field((), unit="units", doc="lengths of dash and gap in turn; empty: no gaps")
    dash_offset: float = field(0.0, unit="units", doc="position in the pattern of dashes at which the line begins")
    image: Asset = field("", names="images", doc="a picture along the line, its top on the left side")
    image_mode: ImageMode = field(ImageMode.STRETCH, doc="whether the picture is stretched along the line or repeated")
    sampling: Sampling = field(Sampling.NEAREST, doc="of the picture: nearest keeps pixels sharp, linear is smooth")
    opacity: float = field(1.0, low=0, high=1, doc="multiplies the colors' own opacity")
    layer: Str = field("", names="layers", doc="name of the layer; the first one where empty")
    z: float = field(0.0, doc="within the layer, greater is nearer")
    blend: Blend = field(Blend.ALPHA, doc="how it is blended with the pixels below")
    visible: bool = field(True, doc="whether it is drawn")

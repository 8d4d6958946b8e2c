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
    closed: bool = field(False, doc="leads back to the first point")
    width: float = field(4.0, unit="units", low=0, doc="at the start; thinner than a pixel it grows fainter")
    width_end: float = field(-1.0, unit="units", low=-1, doc="at the end", meanings={-1: "as at the start"})
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="of all of it; multiplies the others")
    colors: list[Color] = field((), doc="at even distances from start to end; empty: none")
    joint: Joint = field(Joint.ROUND, doc="how it turns a corner")
    miter_limit: float = field(4.0, low=1, high=100, doc="the longest point of a miter, in widths; beyond: a bevel")
    cap: Cap = field(Cap.ROUND, doc="how it ends, and every dash of it")
    dashes: list[float] = field((), unit="units", doc="lengths of dash and gap in turn; empty: drawn through")
    dash_offset: float = field(0.0, unit="units", doc="where in the dashes it begins")
    image: Asset = field("", names="images", doc="a picture along the line, its top on the left side")
    image_mode: ImageMode = field(ImageMode.STRETCH, doc="the picture once, or over and over")
    sampling: Sampling = field(Sampling.NEAREST, doc="of the picture: nearest keeps pixels sharp, linear is smooth")
    opacity: float = field(1.0, low=0, high=1, doc="multiplies the colors' own opacity")
    layer: Str = field("", names="layers", doc="name of the layer; the first one where empty")
    z: float = field(0.0, doc="within the layer, greater is nearer")
    blend: Blend = field(Blend.ALPHA, doc="how it meets what is below")
    visible: bool = field(True, doc="whether it is drawn")

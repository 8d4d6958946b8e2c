"""Pictures in space that turn to the camera."""

from __future__ import annotations

from enum import Enum

from rish_core import Asset, Color, Str, Vec2, component, field


class Turning(Enum):
    """How a billboard turns to the camera."""

    FACING = "facing"
    """It is parallel to the picture of the camera."""
    UPRIGHT = "upright"
    """It only turns around y, as trees and characters do."""


@component
class Billboard3D:
    """A picture at the entity's Transform3D that always turns to the camera; sky and lamps do not light it."""

    image: Asset = field("", names="images", also=("camera:",), doc="path of the picture; empty: a plain square")
    size: Vec2 = field((1, 1), unit="m", low=0, doc="width and height; the entity's scale multiplies them")
    anchor: Vec2 = field((0.5, 0.5), doc="point of the picture that is at the entity, from the bottom left")
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="multiplies the picture's color and opacity")
    strength: float = field(1.0, low=0, high=1e5, doc="factor of its light, above 1 for what glows")
    turning: Turning = field(Turning.FACING, doc="how it turns to the camera")
    visible: bool = field(True, doc="whether it is drawn")
    layers: list[Str] = field((), doc="only cameras that see one of these layers show it; empty: all cameras")

"""The components of cameras and of the sky."""

from __future__ import annotations

from enum import Enum

from rish_core import Asset, Color, Str, Vec2, Vec4, component, field


class Lens(Enum):
    """How a camera projects."""

    PERSPECTIVE = "perspective"
    ORTHOGRAPHIC = "orthographic"


@component
class Camera3D:
    """Shows the 3D scene from the entity's Transform3D, along its -z axis, below all 2D layers or as a picture.

    Enabled cameras without a target are drawn one over another into their viewports, by `order`.
    """

    enabled: bool = field(True, doc="whether it shows anything")
    order: int = field(0, doc="greater is drawn later, over the others")
    lens: Lens = field(Lens.PERSPECTIVE, doc="perspective, or orthographic: parallel lines stay parallel")
    fov: float = field(0.87, unit="rad", angle=True, low=0.01, high=3.1, doc="angle of view from bottom to top")
    height: float = field(10.0, unit="m", low=0.001, high=1e6, doc="orthographic: height of the view")
    near: float = field(0.1, unit="m", low=0.0001, high=1e5, doc="nothing nearer is shown")
    far: float = field(500.0, unit="m", low=0.01, high=1e6, doc="nothing farther is shown")
    exposure: float = field(1.0, low=0, high=1e4, doc="factor of all light")
    viewport: Vec4 = field(
        (0, 0, 1, 1), low=0, high=1, doc="x y w h of its part of the picture, fractions from the bottom left"
    )
    layers: list[Str] = field((), doc="it shows models without layers, and those with one of these")
    target: Str = field("", doc="name of a picture of its own, for the image camera:NAME; empty: the screen")
    target_size: Vec2 = field((256, 256), unit="px", low=1, high=4096, doc="of that picture")


@component
class Sky3D:
    """The sky, the light that comes from it, and fog. The first enabled one of the scene counts."""

    enabled: bool = field(True, doc="whether it counts")
    zenith: Color = field((0.36, 0.56, 0.83, 1), low=0, high=1, doc="color straight up")
    horizon: Color = field((0.7, 0.8, 0.9, 1), low=0, high=1, doc="color at the horizon")
    ground: Color = field((0.52, 0.5, 0.47, 1), low=0, high=1, doc="color below the horizon")
    map: Asset = field("", names="images", doc="picture all around, twice as wide as high, in place of the colors")
    intensity: float = field(1.0, low=0, high=1e4, doc="brightness of the sky and of its light")
    ambient: float = field(1.0, low=0, high=100, doc="factor of the sky's light on surfaces only")
    turn: float = field(0.0, unit="rad", angle=True, doc="turn of the sky around y")
    visible: bool = field(True, doc="whether it is drawn; otherwise only its light counts")
    stars: float = field(0.0, low=0, high=10, doc="brightness of the stars above the horizon")
    sun_size: float = field(0.0093, unit="rad", angle=True, low=0, high=1, doc="width of the disc of a Sun3D; 0: none")
    fog: Color = field((0.7, 0.8, 0.9, 1), low=0, high=1, doc="color of the fog")
    fog_density: float = field(0.0, unit="1/m", low=0, high=10, doc="how fast things fade in it; 0: no fog")
    fog_base: float = field(0.0, unit="m", doc="height at which the fog has this density")
    fog_fall: float = field(0.0, unit="1/m", low=0, high=10, doc="how fast it thins upwards; 0: equal everywhere")

"""The lights of a scene: suns, lamps and spots.

An intensity of 1 lights a white matt surface that faces the light as bright as 1, at a lamp in a distance of 1 m.
"""

from __future__ import annotations

from rish_core import Color, component, field


@component
class Sun3D:
    """Parallel light along the -z axis of the entity's Transform3D. At most four suns shine; the first ones count."""

    enabled: bool = field(True, doc="whether it shines")
    color: Color = field((1, 0.96, 0.9, 1), low=0, high=1, doc="of its light")
    intensity: float = field(1.0, low=0, high=1e5, doc="times the color")
    shadows: bool = field(True, doc="whether models cast shadows in its light")
    cascades: int = field(3, low=1, high=4, doc="number of shadow maps, each for a farther part of the view")
    reach: float = field(
        60.0, unit="m", low=0.1, high=1e5, doc="distance from the camera up to which shadows are drawn"
    )
    split: float = field(0.6, low=0, high=1, doc="0: cascades of equal depth; 1: each in proportion to its distance")
    map_size: int = field(1024, low=64, high=4096, unit="px", doc="side of each shadow map")
    bias: float = field(1.5, low=0, high=20, doc="texels by which the surface is moved along its normal")


@component
class Lamp3D:
    """Light from the place of the entity's Transform3D in all directions, or, with an angle, in a cone along -z."""

    enabled: bool = field(True, doc="whether it shines")
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="of its light")
    intensity: float = field(4.0, low=0, high=1e6, doc="times the color, in a distance of 1 m")
    range: float = field(12.0, unit="m", low=0.01, high=1e5, doc="beyond it there is no light")
    angle: float = field(
        0.0, unit="rad", angle=True, low=0, high=2.6, doc="of the cone, from side to side", meanings={0: "no cone"}
    )
    edge: float = field(0.25, low=0, high=1, doc="share of the cone in which it fades")
    shadows: bool = field(False, doc="whether models cast shadows in its light")
    map_size: int = field(512, low=32, high=2048, unit="px", doc="side of each shadow map; a lamp has six, a cone one")
    bias: float = field(1.5, low=0, high=20, doc="texels by which the surface is moved along its normal")

"""The component of a character in space."""

from __future__ import annotations

from rish_core import Entity, Quat, Vec3, component, field


@component
class Character3D:
    """Walks with `velocity`; needs a kinematic Body3D and one convex Collider3D beside it. Its rotation is the game's.

    `ground_position`, `ground_rotation` and `seen` are what the last tick knew: where its ground was, and its own
    position. A character whose position differs from `seen` was moved by the game, and is not carried.
    """

    velocity: Vec3 = field(
        (0, 0, 0), unit="m/s", doc="where it wants to go, relative to its ground; what stops it is taken out of it"
    )
    up: Vec3 = field((0, 0, 0), doc="direction away from the ground", meanings={0: "against gravity"})
    max_slope: float = field(0.8726646, unit="rad", angle=True, low=0, high=1.5, doc="steepest ground that it walks on")
    step_height: float = field(0.0, unit="m", low=0, doc="of steps that it climbs, and walks down without a jump")
    mask: int = field(-1, doc="categories that stop it")
    height: float = field(
        0.0, unit="m", low=0, meanings={0: "as its Collider3D is"},
        doc="that its box or capsule gets: at once if it is lower, as soon as there is room if it is higher",
    )  # fmt: skip
    push: float = field(0.0, unit="N", low=0, doc="greatest force on dynamic bodies that stop it")
    mass: float = field(0.0, unit="kg", low=0, doc="its weight presses on the dynamic body on which it stands")
    grounded: bool = field(False, hidden=True, doc="whether it stands")
    ground: Entity = field(0, hidden=True, doc="on what it stands")
    normal: Vec3 = field((0, 0, 0), hidden=True, doc="of the ground")
    on_wall: bool = field(False, hidden=True, doc="whether something steep stopped it")
    on_ceiling: bool = field(False, hidden=True, doc="whether something above stopped it")
    air_time: float = field(0.0, unit="s", hidden=True, doc="since it stood, 0 while it stands")
    ground_position: Vec3 = field((0, 0, 0), unit="m", hidden=True)
    ground_rotation: Quat = field((0, 0, 0, 1), hidden=True)
    seen: Vec3 = field((0, 0, 0), unit="m", hidden=True)

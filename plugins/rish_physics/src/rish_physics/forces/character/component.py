"""The component of a character."""

from __future__ import annotations

from rish_ecs import Entity, Vec2, component, field


@component
class Character:
    """Walks with `velocity`; needs a kinematic Body and one convex Collider beside it. Its rotation never changes."""

    velocity: Vec2 = field(
        (0, 0), unit="units/s", doc="where it wants to go, relative to its ground; what stops it is taken out of it"
    )
    up: Vec2 = field((0, 0), doc="direction away from the ground", meanings={0: "against gravity"})
    max_slope: float = field(0.8726646, unit="rad", angle=True, low=0, high=1.5, doc="steepest ground that it walks on")
    step_height: float = field(0.0, unit="units", low=0, doc="of steps that it climbs, and walks down without a jump")
    mask: int = field(-1, doc="categories that stop it")
    drop: bool = field(False, transient=True, doc="whether it falls through one-way ground in this tick")
    grounded: bool = field(False, hidden=True, doc="whether it stands")
    ground: Entity = field(0, hidden=True, doc="on what it stands")
    normal: Vec2 = field((0, 0), hidden=True, doc="of the ground")
    on_wall: bool = field(False, hidden=True, doc="whether something steep stopped it")
    on_ceiling: bool = field(False, hidden=True, doc="whether something above stopped it")

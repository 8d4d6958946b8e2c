"""The events of rish_basics; scripts handle them with methods."""

from __future__ import annotations

from rish_core import Entity, event, field


@event(script="on_expired")
class Expired:
    """The time of a `Lifetime` is over; its entity is despawned at the end of the stage."""

    entity: Entity = field(doc="the entity whose time is over")


@event(script="on_timer_fired")
class TimerFired:
    """The period of a `Timer` is over."""

    entity: Entity = field(doc="the entity that has the timer")
    times: int = field(1, doc="how often it was over in this tick; more than 1 where it is shorter than a tick")

"""The components of rish_basics."""

from __future__ import annotations

from rish_core import Entity, Vec2, component, field


@component
class Lifetime:
    """Despawns its entity and the entity's children when the time is over. `Expired` is emitted before that."""

    seconds: float = field(1.0, low=0, unit="s", doc="time that is left; it runs down")


@component
class Timer:
    """Emits `TimerFired` each time its period ends, at the nearest tick. The remainder counts for the next period."""

    seconds: float = field(1.0, low=0, unit="s", doc="from one firing to the next", meanings={0: "never fires"})
    repeat: bool = field(True, doc="whether it goes on after it has fired; else `running` becomes false")
    running: bool = field(True, doc="whether time counts")
    elapsed: float = field(0.0, unit="s", doc="time since it began or fired last")


@component
class Wrap:
    """Moves an entity that leaves a rectangle to the opposite side. Its velocity stays the same.

    Positions are those of its Transform; they are relative to the parent if the entity has one. If `low` equals
    `high`, the rectangle is the game's view, from (0, 0) to its `size`.
    """

    low: Vec2 = field((0, 0), unit="units", doc="lower left corner")
    high: Vec2 = field((0, 0), unit="units", doc="upper right corner")
    margin: float = field(0.0, low=0, unit="units", doc="how far outside an entity is before it changes sides")
    x: bool = field(True, doc="whether left and right are joined")
    y: bool = field(True, doc="whether top and bottom are joined")


@component
class Follow:
    """Moves an entity after a target.

    Both may have parents. If the target does not exist, the entity stays in place.
    """

    target: Entity = field(doc="the entity that it follows")
    offset: Vec2 = field((0, 0), unit="units", doc="from the target to where it wants to be, in the world")
    smoothing: float = field(0.0, low=0, unit="s", doc="after that 63 % of the way is made up; 0 for all of it at once")
    distance: float = field(0.0, low=0, unit="units", doc="it stays where it is as long as it is nearer than this")

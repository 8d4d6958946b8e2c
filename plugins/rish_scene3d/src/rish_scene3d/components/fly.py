"""The component of cameras that a person flies."""

from __future__ import annotations

from rish_core import Str, component, field

FLY_KEYS = ("W", "S", "A", "D", "E", "Q", "LSHIFT")
"""The keys forward, back, left, right, up, down and fast."""


@component
class FlyCamera3D:
    """Flies the entity's Transform3D: keys move it along its axes, and the mouse turns it while a key is held.

    Everything comes from the input of the tick, so recordings contain the flight.
    """

    enabled: bool = field(True, doc="whether keys and mouse move it")
    speed: float = field(4.0, low=0, high=1e5, unit="m/s", doc="how fast it flies")
    boost: float = field(4.0, low=0, high=1e3, doc="factor of the speed while the last key is down")
    turn: float = field(0.003, low=-1, high=1, unit="rad", doc="how far it turns for each pixel of the mouse")
    hold: Str = field("mouse.right", doc="the key or action that holds the pointer; empty: it is always held")
    keys: list[Str] = field(
        FLY_KEYS, doc="the keys or actions forward, back, left, right, up, down, fast; empty ones do nothing"
    )
    holding: bool = field(False, hidden=True, doc="whether the pointer was held in the last tick")

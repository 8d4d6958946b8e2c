"""Who plays, as state of the World: a system carries out the host's commands that open and close seats."""

from __future__ import annotations

import dataclasses
from typing import Any

from rish_core import Input, Stage, event, field, resource, system

from ..session.seats import CLOSE, OPEN


@event
class Joined:
    """A player joined."""

    seat: int = field(0, doc="the number of the player")


@event
class Left:
    """A player left, or lost the link."""

    seat: int = field(0, doc="the number of the player")


@resource
class Seats:
    """Who plays. open: the seats of all players, ascending; empty in a game that is not played over a network."""

    open: list[int] = dataclasses.field(default_factory=list[int])


@system(Stage.INPUT, name="seats", reads=(), writes=(Input, Seats, Joined, Left))
def seat_players(world: Any, dt: float) -> None:
    """The system `net.seats`: give each seat's device to its player, and tell who joined and left."""
    input_: Input = world[Input]
    for command in input_.commands:
        if command.name not in (OPEN, CLOSE):
            continue
        seats: Seats = world[Seats]
        seat = command.touch
        if command.name == OPEN and seat not in seats.open:
            seats.open = sorted([*seats.open, seat])
            input_.assign(seat, min(seat, len(input_.players)))
            world.emit(Joined, seat=seat)
        elif command.name == CLOSE and seat in seats.open:
            seats.open = [other for other in seats.open if other != seat]
            world.emit(Left, seat=seat)

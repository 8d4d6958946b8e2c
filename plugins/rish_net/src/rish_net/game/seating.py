"""Who plays, as state of the World: a system carries out the host's commands that open, close and name seats."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from rish_core import Input, Interventions, Stage, World, event, field, resource, system

from ..session.seats import CLOSE, OPEN, PLAYER

Autopilot = Callable[[Any, int], None]
"""`(world, seat)`: presses keys of the seat's player in a tick."""


@event
class Joined:
    """A player joined, or came back."""

    seat: int = field(0, doc="the number of the player")


@event
class Left:
    """A player left, or lost the link."""

    seat: int = field(0, doc="the number of the player")


@resource
class Seats:
    """Who plays. open: the seats of all players, ascending; empty in a game that is not played over a network.

    away: those of `open` whose player left and that the game plays now. names, colors: by seat, what players chose; a
    color is an index of `rish_net.COLORS`. Names have no characters of markup.
    """

    open: list[int] = dataclasses.field(default_factory=list[int])
    away: list[int] = dataclasses.field(default_factory=list[int])
    names: dict[int, str] = dataclasses.field(default_factory=dict[int, str])
    colors: dict[int, int] = dataclasses.field(default_factory=dict[int, int])


@resource(derived=True)
class Autopilots:
    """The functions of plugins that play seats of players who left."""

    of: list[Autopilot] = dataclasses.field(default_factory=list[Autopilot])


@system(Stage.INPUT, name="seats", reads=(), writes=(Input, Seats, Joined, Left))
def seat_players(world: Any, dt: float) -> None:
    """The system `net.seats`: give each seat's device to its player, and tell who joined and left."""
    input_: Input = world[Input]
    for command in input_.commands:
        if command.name not in (OPEN, CLOSE, PLAYER):
            continue
        seats: Seats = world[Seats]
        seat = command.touch
        if command.name == OPEN:
            _open(world, seats, seat)
        elif command.name == PLAYER:
            seats.names = {**seats.names, seat: command.text}
            seats.colors = {**seats.colors, seat: command.start}
        elif seat in seats.open:
            seats.away = [other for other in seats.away if other != seat]
            if command.value:
                seats.away = sorted([*seats.away, seat])
            else:
                seats.open = [other for other in seats.open if other != seat]
            world.emit(Left, seat=seat)


def _open(world: Any, seats: Seats, seat: int) -> None:
    input_: Input = world[Input]
    if seat in seats.away:
        seats.away = [other for other in seats.away if other != seat]
        if len(input_.players) > 1:
            input_.player(min(seat, len(input_.players))).release_all()
    elif seat in seats.open:
        return
    else:
        seats.open = sorted([*seats.open, seat])
        input_.assign(seat, min(seat, len(input_.players)))
    world.emit(Joined, seat=seat)


def forget_seats(world: Any) -> None:
    """Close all seats, between two ticks, when a machine leaves the session and plays on alone."""
    seats: Seats = world[Seats]
    seats.open, seats.away, seats.names, seats.colors = [], [], {}, {}
    world[Interventions].note("the session ended")


def _anybody_away(world: World) -> bool:
    return bool(world[Seats].away)


@system(Stage.INPUT, name="autopilots", after="net.seats", writes=World, events=(), run_if=_anybody_away)
def fly(world: Any, dt: float) -> None:
    """The system `net.autopilots`: let the autopilots of the game play the seats of players who left.

    They run in the tick as a function of its state, so they press the same keys on all machines. They read no events:
    otherwise all events would be emitted in each game with rish_net.
    """
    for autopilot in world[Autopilots].of:
        for seat in world[Seats].away:
            autopilot(world, seat)

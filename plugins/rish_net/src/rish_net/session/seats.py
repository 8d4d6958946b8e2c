"""Seats: who plays. The host opens and closes seats by commands in its own input, so all peers do so in the same tick.

A command is an event of kind `command` named `net.open` or `net.close`; its touch is the seat, its start the tick. It
is part of the input, and therefore of every recording. `net.player` tells the name of a seat's player as its text, and
the color as its start.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from rish_core import InputRecord, WindowEvent

from ..wire.errors import ProtocolError
from ..wire.packets import MAX_SEATS
from .stream import NEVER, InputStream

HOST = 1
"""The seat of the host."""
OPEN, CLOSE, PLAYER = "net.open", "net.close", "net.player"


def open_seat(seat: int, tick: int) -> WindowEvent:
    """Return the command that opens a seat: its input begins in this tick."""
    return WindowEvent("command", OPEN, device=HOST, touch=seat, start=tick)


def close_seat(seat: int, tick: int, *, stays: bool = False) -> WindowEvent:
    """Return the command that closes a seat: its input ended before this tick. stays: the game plays it from now on."""
    return WindowEvent("command", CLOSE, device=HOST, touch=seat, start=tick, value=float(stays))


def name_seat(seat: int, name: str, color: int) -> WindowEvent:
    """Return the command that tells the name and the color of a seat's player."""
    return WindowEvent("command", PLAYER, device=HOST, touch=seat, start=color, text=name)


def seat_commands(record: InputRecord) -> Iterator[WindowEvent]:
    """Yield the commands of the host that open and close seats."""
    for event in record.events:
        if event.kind == "command" and event.name in (OPEN, CLOSE) and event.device == HOST:
            yield event


def closed_by(record: InputRecord) -> Iterator[tuple[int, int]]:
    """Yield the seats that the host closes, and the first tick without input of each."""
    for command in seat_commands(record):
        if command.name == CLOSE:
            yield command.touch, command.start


def without_commands(record: InputRecord) -> InputRecord:
    """Return the record without commands of the session, which only the host may send."""
    events = tuple([e for e in record.events if not (e.kind == "command" and e.name.startswith("net."))])
    return record if len(events) == len(record.events) else InputRecord(events)


def apply_commands(streams: dict[int, InputStream], tick: int, record: InputRecord) -> int:
    """Open and close streams as the host's input of a tick says; return the first tick whose input was taken away."""
    first = NEVER
    for command in seat_commands(record):
        seat, start = command.touch, max(command.start, tick + 1)
        if command.name == CLOSE and seat in streams:
            first = min(first, streams[seat].close(command.start))
        elif command.name == OPEN and seat in streams and seat != HOST:
            streams[seat].reopen(start)
        elif command.name == OPEN and seat != HOST:
            streams[seat] = InputStream(start)
    return first


def released(record: InputRecord) -> InputRecord:
    """Return the input with a disconnected device after each command that closes a seat: its keys go up."""
    events: list[WindowEvent] = []
    for event in record.events:
        events.append(event)
        if event.kind == "command" and event.name == CLOSE and event.device == HOST:
            events.append(WindowEvent("gamepad_disconnected", device=event.touch))
    return record if len(events) == len(record.events) else InputRecord(tuple(events))


def streams_of(rows: list[Any]) -> dict[int, tuple[int, int]]:
    """Return the begin and end of the input of each seat from a message. Raises ProtocolError."""
    streams: dict[int, tuple[int, int]] = {}
    for row in rows:
        if not (isinstance(row, list) and len(cast("list[Any]", row)) == 3):
            raise ProtocolError("the seats of a message are no rows of three numbers")
        if not all(isinstance(number, int) and number >= 0 for number in cast("list[Any]", row)):
            raise ProtocolError("the seats of a message are no whole numbers")
        seat, opened, closed = cast("list[int]", row)
        if not 1 <= seat <= MAX_SEATS:
            raise ProtocolError(f"a message names seat {seat}")
        streams[seat] = opened, closed
    if HOST not in streams:
        raise ProtocolError("a message has no seat of the host")
    return streams

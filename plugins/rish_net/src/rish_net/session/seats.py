"""Seats: who plays. The host opens and closes seats by commands in its own input, so all peers do so in the same tick.

A command is an event of kind `command` named `net.open` or `net.close`; its touch is the seat, its start the tick. It
is part of the input, and therefore of every recording.
"""

from __future__ import annotations

from collections.abc import Iterator

from rish_core import InputRecord, WindowEvent

from .stream import NEVER, InputStream

HOST = 1
"""The seat of the host."""
OPEN, CLOSE = "net.open", "net.close"


def open_seat(seat: int, tick: int) -> WindowEvent:
    """Return the command that opens a seat: its input begins in this tick."""
    return WindowEvent("command", OPEN, device=HOST, touch=seat, start=tick)


def close_seat(seat: int, tick: int) -> WindowEvent:
    """Return the command that closes a seat: its input ended before this tick."""
    return WindowEvent("command", CLOSE, device=HOST, touch=seat, start=tick)


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

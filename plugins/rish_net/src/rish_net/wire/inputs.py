"""The input of a tick as bytes: an `InputRecord` without device numbers, because a peer's seat is its device.

An event is its kind, a byte that says which fields differ from their defaults, and these fields. Positions and values
are floats of 32 bits. A sender uses `rounded` records itself, so that all peers have the same bits.
"""

from __future__ import annotations

from typing import Any

from rish_core import InputRecord, UsageError, WindowEvent
from rish_core.loop import AXIS_NAMES, KEY_NAMES, NOTHING

from .errors import ProtocolError
from .reader import Reader, Writer

MAX_EVENTS = 64
"""The greatest number of events in a tick."""
MAX_BYTES = 600
"""The greatest size of the input of a tick, so that it fits into a packet."""
MAX_TEXT = 256
"""The greatest number of bytes of a text or name."""
KINDS = (
    "key", "mouse_button", "mouse_move", "scroll", "text", "gamepad_button", "gamepad_axis", "touch", "touch_move",
    "compose", "paste", "command", "mouse_motion", "gamepad_disconnected",
)  # fmt: skip
"""The kinds of events that are sent. The window's size and focus are of no interest to others."""
_KIND = {kind: number for number, kind in enumerate(KINDS)}
_NAMES = ("", *KEY_NAMES, *AXIS_NAMES)
_NAME = {name: number for number, name in enumerate(_NAMES)}
_REALS = ("x", "y", "value")
_NUMBERS = ("touch", "start", "length")
_OTHER_NAME = len(_NAMES)


def write_input(writer: Writer, record: InputRecord) -> None:
    """Append the input of a tick. Raises ProtocolError if it is larger than the limits."""
    if len(record.events) > MAX_EVENTS:
        raise ProtocolError(f"a tick has {len(record.events)} events, and the limit is {MAX_EVENTS}")
    start = len(writer.data)
    writer.number(len(record.events))
    for event in record.events:
        _write_event(writer, event)
    if len(writer.data) - start > MAX_BYTES:
        raise ProtocolError(f"the input of a tick takes {len(writer.data) - start} bytes, and the limit is {MAX_BYTES}")


def read_input(reader: Reader, seat: int) -> InputRecord:
    """Return the input of a tick, as events of the device `seat`. Raises ProtocolError."""
    start, count = reader.at, reader.number(MAX_EVENTS)
    if not count:
        return NOTHING
    events = tuple([_read_event(reader, seat) for _ in range(count)])
    if reader.at - start > MAX_BYTES:
        raise ProtocolError(f"the input of a tick takes {reader.at - start} bytes, and the limit is {MAX_BYTES}")
    return InputRecord(events)


def rounded(record: InputRecord, seat: int) -> InputRecord:
    """Return the record as the other peers read it: of the device `seat`, with floats of 32 bits.

    Events that are not sent are left out, and those above the limits.
    """
    events: list[WindowEvent] = []
    size = 0
    for event in record.events[:MAX_EVENTS]:
        if event.kind not in _KIND:
            continue
        writer = Writer()
        _write_event(writer, event)
        size += len(writer.data)
        if size > MAX_BYTES - 2:
            break
        events.append(_read_event(Reader(bytes(writer.data)), seat))
    return InputRecord(tuple(events)) if events else NOTHING


def _write_event(writer: Writer, event: WindowEvent) -> None:
    writer.number(_KIND[event.kind])
    present = [getattr(event, name) != 0 for name in (*_REALS, *_NUMBERS)]
    writer.number(event.down | bool(event.text) << 1 | sum(there << bit for bit, there in enumerate(present, 2)))
    name = _NAME.get(event.name, _OTHER_NAME)
    writer.number(name)
    if name == _OTHER_NAME:
        writer.text(_shortened(event.name))
    for field, there in zip(_REALS, present, strict=False):
        if there:
            writer.real(getattr(event, field))
    for field, there in zip(_NUMBERS, present[len(_REALS) :], strict=True):
        if there:
            writer.number(getattr(event, field))
    if event.text:
        writer.text(_shortened(event.text))


def _read_event(reader: Reader, seat: int) -> WindowEvent:
    kind = KINDS[reader.number(len(KINDS) - 1)]
    flags = reader.number(255)
    name = reader.number(_OTHER_NAME)
    values: dict[str, Any] = {"down": bool(flags & 1)}
    values["name"] = reader.text(MAX_TEXT) if name == _OTHER_NAME else _NAMES[name]
    for bit, field in enumerate((*_REALS, *_NUMBERS), 2):
        if flags >> bit & 1:
            values[field] = reader.real() if field in _REALS else reader.number()
    if flags & 2:
        values["text"] = reader.text(MAX_TEXT)
    try:
        return WindowEvent(kind, device=seat, **values)
    except UsageError as error:
        raise ProtocolError(str(error)) from None


def _shortened(text: str) -> str:
    """Return the text cut to `MAX_TEXT` bytes, at a whole character."""
    encoded = text.encode(errors="replace")
    return text if len(encoded) <= MAX_TEXT else encoded[:MAX_TEXT].decode(errors="ignore")

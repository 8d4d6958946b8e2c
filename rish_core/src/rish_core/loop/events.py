"""Window events as plain data (keys, buttons, pointer moves and others), and the record of one tick's events.

A backend's `poll` creates the events, layers may consume some, and the rest becomes the record of the next tick. The
records are the complete input of a game: replaying them gives the same game again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, cast

from rish_ecs import UsageError

KINDS = (
    "key", "mouse_button", "mouse_move", "scroll", "text",
    "gamepad_button", "gamepad_axis", "resize", "close", "focus",
    "touch", "touch_move", "compose", "paste", "gamepad_connected", "gamepad_disconnected",
    "command", "mouse_motion",
)  # fmt: skip
"""The kinds of events."""

PRESSABLE = ("key", "mouse_button", "gamepad_button")
"""The kinds whose `name` is a key that is pressed or released."""

POINTING = ("mouse_button", "mouse_move", "touch", "touch_move")
"""The kinds whose x and y are a position of the pointer or of a finger."""
MAX_NUMBER = 2**31 - 1
"""The greatest device, touch, start and length of an event."""


@dataclass(frozen=True, slots=True)
class WindowEvent:
    """One event of the window. Raises UsageError for an unknown kind or a number that is not finite.

    kind: one of `KINDS`; a `command` is a request of the player into which a layer of a tool turned other events, see
    `PendingInput`. name: of a key (`SPACE`, `mouse.left`, `gamepad.a`), an axis (`gamepad.left_x`), a gamepad that was
    connected, or a command (`Clicked options.back`). down: whether the key or finger went down, or the window got the
    focus. x, y: the pointer or finger, y up; a backend reports screen pixels, which are converted to the game's logical
    pixels (see `frame.fit`); for `mouse_motion`, which replaces `mouse_move` while the pointer is held, how far the
    mouse moved, in the same pixels; for `scroll` the distance in notches; for `resize` the new size. value: of an axis,
    -1..1, or of a command. text: the typed, pasted or composed text, or that of a command; an empty `compose` ends a
    composition. device: 0 for keyboard, mouse and gamepads without numbers, from 1 for others. touch: the number of the
    finger, from 1. start, length: the selection in composed text, characters; the caret if the length is 0.
    """

    kind: str
    name: str = ""
    down: bool = False
    x: float = 0.0
    y: float = 0.0
    value: float = 0.0
    text: str = ""
    device: int = 0
    touch: int = 0
    start: int = 0
    length: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"no window event is of kind {self.kind!r}", given=self.kind, choices=KINDS)
        if not (math.isfinite(self.x) and math.isfinite(self.y) and math.isfinite(self.value)):
            raise UsageError(f"a window event of kind {self.kind!r} has a number that is not finite")
        integers = self.device, self.touch, self.start, self.length
        if integers != _ZEROS and not all(0 <= number <= MAX_NUMBER for number in integers):
            raise UsageError(f"{', '.join(_INTEGERS)} of a window event must be from 0 to {MAX_NUMBER}, not {integers}")

    @property
    def has_place(self) -> bool:
        """Whether x and y are the position of the pointer or of a finger."""
        return self.kind in POINTING

    @property
    def releases(self) -> bool:
        """Whether the event releases a key, ends a touch or the focus, or disconnects a gamepad; all layers get it."""
        return not self.down and (self.kind in PRESSABLE or self.kind in ("focus", "touch", "gamepad_disconnected"))


_INTEGERS, _ZEROS = ("device", "touch", "start", "length"), (0, 0, 0, 0)
_DEFAULTS = {f.name: f.default for f in fields(WindowEvent) if f.name != "kind"}
"""The default values. They are compared as text, because minus zero equals zero but has a different hash in states."""
_TYPES: dict[str, tuple[type, ...]] = {
    "kind": (str,), "name": (str,), "down": (bool,), "text": (str,),
    "x": (float, int), "y": (float, int), "value": (float, int), **dict.fromkeys(_INTEGERS, (int,)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class InputRecord:
    """The window events of one tick, in the order in which they happened."""

    events: tuple[WindowEvent, ...] = ()

    def to_plain(self) -> list[dict[str, Any]]:
        """Return the events as a list of mappings, without fields that have their default."""
        return [
            {"kind": event.kind}
            | {k: v for k, d in _DEFAULTS.items() if (v := getattr(event, k)) is not d and repr(v) != repr(d)}
            for event in self.events
        ]

    @classmethod
    def from_plain(cls, data: Any) -> InputRecord:
        """Return the record for data from `to_plain`. Raises UsageError for any other data."""
        if not isinstance(data, list):
            raise UsageError(f"an input record is a list of events, not {type(data).__name__}")
        return cls(tuple(_event(item) for item in cast("list[Any]", data)))


NOTHING = InputRecord()
"""The record of a tick without input."""


def _event(data: Any) -> WindowEvent:
    if not isinstance(data, dict):
        raise UsageError(f"an event of an input record is a mapping, not {type(data).__name__}")
    values = cast("dict[str, Any]", data)
    for name, value in values.items():
        if name not in _TYPES:
            raise UsageError(f"a window event has no field {name!r}", given=name, choices=_TYPES)
        if not isinstance(value, _TYPES[name]) or (isinstance(value, bool) and name != "down"):
            raise UsageError(f"the field {name!r} of a window event can't be {value!r}")
    if "kind" not in values:
        raise UsageError("a window event of an input record has no 'kind'", choices=KINDS)
    try:
        numbers: dict[str, Any] = {name: float(values[name]) for name in ("x", "y", "value") if name in values}
    except OverflowError:
        raise UsageError("a window event has a number that is not finite") from None
    return WindowEvent(**{**values, **numbers})

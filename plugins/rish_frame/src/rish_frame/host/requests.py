"""DeviceRequests: the requests of a game to the player's devices: a rumble, the clipboard's text, a window that fills
the screen, a pointer that is held so that the mouse turns the view.

Nothing flows back into the tick: the host performs the requests after it has drawn a frame, through verbs that a
backend may have (`rish_frame.OptionalVerbs`). The text of the clipboard arrives as an event of a later tick, so a
recording contains it.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, Any

from rish_core import UsageError, resource

if TYPE_CHECKING:
    from rish_core import Input, World

MAX_RUMBLE = 60.0
"""The longest rumble, seconds."""
MAX_PASTED_TEXT = 65_536


@resource(derived=True)
class DeviceRequests:
    """The requests since the last frame; a later one of the same kind, for the same player, replaces an earlier one.

    rumbles: by player, the strengths of the slow and the fast motor, 0..1, and seconds. copied: the text for the
    clipboard, or None. pasting: whether the clipboard's text is wanted. filling: whether the window is to fill the
    screen; None: as it is. is_fullscreen: whether it filled the screen after the last frame, to be shown in a menu; the
    state of a game must not depend on it, because a recording does not contain it. locking: whether the pointer is to
    be held; None: as it is. is_locked: the last request for the pointer.
    """

    rumbles: dict[int, tuple[float, float, float]] = field(default_factory=dict[int, tuple[float, float, float]])
    copied: str | None = None
    pasting: bool = False
    filling: bool | None = None
    is_fullscreen: bool = False
    locking: bool | None = None
    is_locked: bool = False

    def rebuild(self, world: World) -> None:
        """Drop the requests after a restore, because they belong to another time. Window and pointer stay as they
        are."""
        self.rumbles, self.copied, self.pasting = {}, None, False

    def rumble(self, player: int = 1, low: float = 0.5, high: float = 0.5, seconds: float = 0.2) -> None:
        """Shake the gamepads of a player; all gamepads if the manifest names no players.

        low, high: strengths of the slow and the fast motor, limited to 0..1. seconds: limited to 0..60. Raises
        UsageError for a number that is not finite.
        """
        if not all(map(math.isfinite, (low, high, seconds))):
            raise UsageError(f"a rumble needs finite numbers, not {low}, {high} for {seconds} seconds")
        self.rumbles[player] = _limited(low, 1.0), _limited(high, 1.0), _limited(seconds, MAX_RUMBLE)

    def copy(self, text: str) -> None:
        """Put a text into the clipboard."""
        self.copied = text

    def paste(self) -> None:
        """Ask for the clipboard's text; `Input.pasted` has it in a later tick, unless there is none."""
        self.pasting = True

    def fullscreen(self, wanted: bool) -> None:
        """Let the window fill the screen, or return to its former size. Without a window nothing happens."""
        self.filling = bool(wanted)

    def lock(self, wanted: bool) -> None:
        """Hide and hold the pointer, so that the mouse turns a view, or let it go.

        While it is held, `Input.moved_x` and `moved_y` are the motion of the mouse, without a limit at the border of
        the window; the position of the pointer stays. Recordings contain the motion. Without a window nothing happens.
        Let the pointer go when the game is paused or a menu opens, so that the player can use the window.
        """
        self.locking = bool(wanted)

    def take(self, keys: Input) -> list[tuple[str, tuple[Any, ...]]]:
        """Return the calls of verbs that perform the requests, as name and arguments, and clear the requests."""
        if not (self.rumbles or self.copied is not None or self.pasting or self.filling is not None):
            return []
        calls: list[tuple[str, tuple[Any, ...]]] = []
        for player, values in sorted(self.rumbles.items()):
            calls += [("rumble", (device, *values)) for device in pads_of(keys, player)]
        if self.copied is not None:
            calls.append(("write_clipboard", (self.copied,)))
        if self.pasting:
            calls.append(("read_clipboard", ()))
        if self.filling is not None:
            calls.append(("fullscreen", (self.filling,)))
        self.rumbles, self.copied, self.pasting, self.filling = {}, None, False, None
        return calls


def pads_of(keys: Input, player: int) -> list[int]:
    """Return the numbers of a player's connected gamepads; [0] for all gamepads if the manifest names no players."""
    if keys.devices is None or not keys.devices.players:
        return [0]
    seats, connected = keys.devices.seats, keys.devices.held
    return sorted(device for device, owner in seats.items() if owner == player and device and device in connected)


def pasted_text(text: str) -> str:
    """Return a text of the clipboard in the form of an event: at most 65,536 characters, all of them valid."""
    return text[:MAX_PASTED_TEXT].encode(errors="replace").decode()


def _limited(value: float, maximum: float) -> float:
    return min(maximum, max(0.0, float(value)))

"""The first finger on a touch screen acts as the pointer and the left mouse button, so that every game can be touched.

The events of the mouse are added here, before layers and recordings get them, so that both see the same events.
"""

from __future__ import annotations

from collections.abc import Iterable

from rish_core import WindowEvent


class FirstFinger:
    """Follows the finger that touched the screen first, until it is lifted; other fingers never replace it."""

    def __init__(self) -> None:
        self._finger: int | None = None

    def follow(self, events: Iterable[WindowEvent]) -> list[WindowEvent]:
        """Return the events, with those of the mouse after each event of the first finger."""
        out: list[WindowEvent] = []
        for event in events:
            out.append(event)
            if event.kind == "focus" and not event.down:
                self._finger = None  # all keys and buttons are released then
            elif event.kind in ("touch", "touch_move"):
                self._add(event, out)
        return out

    def _add(self, event: WindowEvent, out: list[WindowEvent]) -> None:
        begins = event.kind == "touch" and event.down and self._finger is None
        if begins:
            self._finger = event.touch
        if event.touch != self._finger:
            return
        out.append(WindowEvent("mouse_move", x=event.x, y=event.y))
        if begins or (event.kind == "touch" and not event.down):
            out.append(WindowEvent("mouse_button", "mouse.left", event.down, event.x, event.y))
        if event.kind == "touch" and not event.down:
            self._finger = None

"""Gamepads: merges all connected gamepads into one, with the engine's names for buttons and axes.

pyglet has the layouts of most gamepads. The search for them takes time, so it starts some polls after the game began.
If there are no gamepads, or they can't be read, there are no events.
"""

from __future__ import annotations

import logging
from typing import Any

from rish_core import WindowEvent

from . import gl

_log = logging.getLogger("rish.render")

_BUTTONS = {
    "a": "a", "b": "b", "x": "x", "y": "y", "leftshoulder": "lb", "rightshoulder": "rb", "back": "back",
    "start": "start", "guide": "guide", "leftstick": "left_stick", "rightstick": "right_stick",
    "leftthumb": "left_stick", "rightthumb": "right_stick",
}  # fmt: skip
_STICKS = {"leftstick": "left", "rightstick": "right"}
_TRIGGERS = {"lefttrigger": "gamepad.left_trigger", "righttrigger": "gamepad.right_trigger"}
_WAIT = 30
"""The number of the poll in which the search for gamepads starts."""


class Gamepads:
    """Collects the gamepad events since the last poll."""

    def __init__(self) -> None:
        self._polls = 0
        self._manager: Any = None
        self._events: list[WindowEvent] = []
        self._cross = (0, 0)
        self._opened: list[Any] = []

    def poll(self) -> list[WindowEvent]:
        """Return the events since the last poll, oldest first."""
        self._polls += 1
        if self._polls == _WAIT:
            self._look()
        if self._manager is None:
            return []
        try:
            gl.run_posted()
        except Exception as error:
            _log.warning("reading gamepads failed and is turned off: %s", error)
            self._manager = None
        events, self._events = self._events, []
        return events

    def _look(self) -> None:
        try:
            self._manager = manager = gl.controllers()
            manager.push_handlers(on_connect=self.connect, on_disconnect=self._disconnect)
            found = list(manager.get_controllers())
        except Exception as error:
            _log.info("gamepads are not available: %s", error)
            self._manager = None
            return
        for controller in found:
            self.connect(controller)

    def connect(self, controller: Any) -> None:
        """Open a pyglet controller and register handlers for its events."""
        try:
            controller.open()
        except Exception as error:
            _log.warning("the gamepad '%s' can't be opened: %s", controller.name, error)
            return
        self._opened.append(controller)
        controller.push_handlers(
            on_button_press=lambda _, button: self._button(button, True),
            on_button_release=lambda _, button: self._button(button, False),
            on_stick_motion=lambda _, stick, place: self._stick(stick, place),
            on_trigger_motion=lambda _, trigger, value: self._axis(_TRIGGERS[trigger], value),
            on_dpad_motion=lambda _, place: self._dpad(place),
        )

    def _disconnect(self, controller: Any) -> None:
        if controller in self._opened:
            self._opened.remove(controller)

    def _button(self, button: str, down: bool) -> None:
        name = _BUTTONS.get(button)
        if name is not None:
            self._events.append(WindowEvent("gamepad_button", f"gamepad.{name}", down))

    def _stick(self, stick: str, place: Any) -> None:
        side = _STICKS.get(stick)
        if side is not None:
            self._axis(f"gamepad.{side}_x", place.x)
            self._axis(f"gamepad.{side}_y", place.y)

    def _axis(self, name: str, value: float) -> None:
        self._events.append(WindowEvent("gamepad_axis", name, value=min(1.0, max(-1.0, float(value)))))

    def _dpad(self, place: Any) -> None:
        """Turn the position of the directional pad into button events for its four directions."""
        x, y = round(place.x), round(place.y)
        old_x, old_y = self._cross
        self._cross = (x, y)
        arms = {"left": (-old_x, -x), "right": (old_x, x), "down": (-old_y, -y), "up": (old_y, y)}
        for name, (was, now) in arms.items():
            if (was > 0) != (now > 0):
                self._events.append(WindowEvent("gamepad_button", f"gamepad.dpad_{name}", now > 0))

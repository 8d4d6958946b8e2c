"""Gamepads: their events with the engine's names for buttons and axes, their numbers, and rumble.

A gamepad keeps its number, from 1, when it is disconnected and connected again; so does another one of the same model.

pyglet has the layouts of most gamepads. The search for them takes time, so it starts some polls after the game began.
If there are no gamepads, or they can't be read, there are no events.
"""

from __future__ import annotations

import logging
from typing import Any

from rish_core import WindowEvent

from .. import gl

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


class _Pad:
    """One gamepad. cross: the last position of its directional pad."""

    def __init__(self, number: int, controller: Any) -> None:
        self.number, self.controller = number, controller
        self.connected = True
        self.cross: tuple[int, int] = (0, 0)


class Gamepads:
    """Collects the gamepad events since the last poll."""

    def __init__(self) -> None:
        self._polls = 0
        self._manager: Any = None
        self._events: list[WindowEvent] = []
        self._pads: list[_Pad] = []

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
            controllers = list(manager.get_controllers())
        except Exception as error:
            _log.info("gamepads are not available: %s", error)
            self._manager = None
            return
        for controller in controllers:
            self.connect(controller)

    def connect(self, controller: Any) -> None:
        """Open a pyglet controller and register handlers for its events."""
        try:
            controller.open()
        except Exception as error:
            _log.warning("the gamepad '%s' can't be opened: %s", controller.name, error)
            return
        pad = self._place_of(controller)
        if pad is None or pad.controller is not controller:
            if pad is None:
                pad = _Pad(len(self._pads) + 1, controller)
                self._pads.append(pad)
            pad.controller = controller
            self._listen(pad)
        pad.connected, pad.cross = True, (0, 0)
        self._note(pad, "gamepad_connected", str(controller.name))

    def _place_of(self, controller: Any) -> _Pad | None:
        """Return the earlier entry of a controller, or that of a disconnected one of the same model."""
        model = getattr(controller, "guid", None)
        gone = [pad for pad in self._pads if not pad.connected and getattr(pad.controller, "guid", None) == model]
        same = [pad for pad in self._pads if pad.controller is controller]
        return next(iter(same or gone), None)

    def _listen(self, pad: _Pad) -> None:
        pad.controller.push_handlers(
            on_button_press=lambda _, button: self._button(pad, button, True),
            on_button_release=lambda _, button: self._button(pad, button, False),
            on_stick_motion=lambda _, stick, place: self._stick(pad, stick, place),
            on_trigger_motion=lambda _, trigger, value: self._axis(pad, _TRIGGERS[trigger], value),
            on_dpad_motion=lambda _, place: self._dpad(pad, place),
        )

    def _disconnect(self, controller: Any) -> None:
        for pad in self._pads:
            if pad.controller is controller and pad.connected:
                pad.connected = False
                self._note(pad, "gamepad_disconnected", str(controller.name))

    def rumble(self, device: int, low: float, high: float, seconds: float) -> None:
        """Shake a gamepad, or all for device 0; one that can't is ignored."""
        for pad in self._pads:
            if pad.connected and device in (0, pad.number):
                try:
                    _shake(pad.controller, low, high, seconds)
                except Exception as error:
                    _log.info("the gamepad '%s' does not rumble: %s", pad.controller.name, error)

    def _note(self, pad: _Pad, kind: str, name: str, down: bool = False, value: float = 0.0) -> None:
        self._events.append(WindowEvent(kind, name, down, value=value, device=pad.number))

    def _button(self, pad: _Pad, button: str, down: bool) -> None:
        name = _BUTTONS.get(button)
        if name is not None:
            self._note(pad, "gamepad_button", f"gamepad.{name}", down)

    def _stick(self, pad: _Pad, stick: str, place: Any) -> None:
        side = _STICKS.get(stick)
        if side is not None:
            self._axis(pad, f"gamepad.{side}_x", place.x)
            self._axis(pad, f"gamepad.{side}_y", place.y)

    def _axis(self, pad: _Pad, name: str, value: float) -> None:
        self._note(pad, "gamepad_axis", name, value=min(1.0, max(-1.0, float(value))))

    def _dpad(self, pad: _Pad, place: Any) -> None:
        """Turn the position of the directional pad into button events for its four directions."""
        x, y = round(place.x), round(place.y)
        old_x, old_y = pad.cross
        pad.cross = (x, y)
        arms = {"left": (-old_x, -x), "right": (old_x, x), "down": (-old_y, -y), "up": (old_y, y)}
        for name, (was, now) in arms.items():
            if (was > 0) != (now > 0):
                self._note(pad, "gamepad_button", f"gamepad.dpad_{name}", now > 0)


def _shake(controller: Any, low: float, high: float, seconds: float) -> None:
    """Run the motors of a pyglet controller; the strong one is the slow one."""
    for strength, play, stop in (
        (low, controller.rumble_play_strong, controller.rumble_stop_strong),
        (high, controller.rumble_play_weak, controller.rumble_stop_weak),
    ):
        if strength > 0 and seconds > 0:
            play(strength, seconds)
        else:
            stop()

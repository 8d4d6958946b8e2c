"""Gamepad input arrives with the engine's names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rish_core.loop import KEY_INDEX
from rish_core.loop.keys import AXIS_INDEX
from rish_render.backends.arcade import gl
from rish_render.backends.arcade.gamepads import Gamepads


class Pad:
    """A fake of one of pyglet's controllers."""

    name = "pad"

    def __init__(self, opens: bool = True) -> None:
        self.opens = opens
        self.handlers: dict[str, Any] = {}

    def open(self) -> None:
        """Raise OSError if this controller does not open."""
        if not self.opens:
            raise OSError("in use")

    def push_handlers(self, **handlers: Any) -> None:
        """Store the handlers."""
        self.handlers.update(handlers)


class Manager(Pad):
    """A fake of pyglet's controller manager."""

    def __init__(self, *pads: Pad) -> None:
        super().__init__()
        self.pads = pads

    def get_controllers(self) -> list[Pad]:
        """Return the connected controllers."""
        return list(self.pads)


def plugged(monkeypatch: pytest.MonkeyPatch, *pads: Pad) -> tuple[Gamepads, Manager]:
    """Return gamepads after their first search, and the manager."""
    manager = Manager(*pads)
    monkeypatch.setattr(gl, "controllers", lambda: manager)
    monkeypatch.setattr(gl, "run_posted", lambda: None)
    gamepads = Gamepads()
    for _ in range(30):
        assert gamepads.poll() == []
    return gamepads, manager


def test_buttons_sticks_and_triggers(monkeypatch: pytest.MonkeyPatch):
    """Every button, stick and trigger has a name that the engine knows, and values stay within -1 and 1."""
    pad = Pad()
    gamepads, _ = plugged(monkeypatch, pad)
    for button in (
        "a",
        "b",
        "x",
        "y",
        "leftshoulder",
        "rightshoulder",
        "back",
        "start",
        "guide",
        "leftstick",
        "rightstick",
    ):
        pad.handlers["on_button_press"](pad, button)
        pad.handlers["on_button_release"](pad, button)
    events = gamepads.poll()
    assert len(events) == 22
    assert [event.down for event in events] == [True, False] * 11
    assert {event.name for event in events} <= set(KEY_INDEX)
    assert len({event.name for event in events}) == 11
    pad.handlers["on_stick_motion"](pad, "leftstick", SimpleNamespace(x=0.5, y=-1.5))
    pad.handlers["on_trigger_motion"](pad, "righttrigger", 0.25)
    told = [(event.kind, event.name, event.value) for event in gamepads.poll()]
    assert told == [
        ("gamepad_axis", "gamepad.left_x", 0.5),
        ("gamepad_axis", "gamepad.left_y", -1.0),
        ("gamepad_axis", "gamepad.right_trigger", 0.25),
    ]
    assert {name for _, name, _ in told} <= set(AXIS_INDEX)
    assert gamepads.poll() == []


def test_the_cross_is_four_buttons(monkeypatch: pytest.MonkeyPatch):
    """The directional pad is four buttons; moving from one side to the other releases the held one too."""
    pad = Pad()
    gamepads, _ = plugged(monkeypatch, pad)

    def push(x: float, y: float) -> list[tuple[str, bool]]:
        pad.handlers["on_dpad_motion"](pad, SimpleNamespace(x=x, y=y))
        return [(event.name, event.down) for event in gamepads.poll()]

    assert push(1, 0) == [("gamepad.dpad_right", True)]
    assert push(-1, 1) == [("gamepad.dpad_left", True), ("gamepad.dpad_right", False), ("gamepad.dpad_up", True)]
    assert push(0, 0) == [("gamepad.dpad_left", False), ("gamepad.dpad_up", False)]


def test_a_gamepad_that_comes_later_is_used_and_one_that_does_not_open_is_skipped(monkeypatch: pytest.MonkeyPatch):
    """A gamepad that is connected later works, and one that does not open is skipped."""
    gamepads, manager = plugged(monkeypatch, Pad(opens=False))
    late = Pad()
    manager.handlers["on_connect"](late)
    late.handlers["on_button_press"](late, "a")
    assert [event.name for event in gamepads.poll()] == ["gamepad.a"]
    manager.handlers["on_disconnect"](late)


def test_without_gamepads_nothing_happens(monkeypatch: pytest.MonkeyPatch):
    """A missing driver and a failing read both give no events and no error."""

    def missing() -> Any:
        raise FileNotFoundError("/proc/bus/input/devices")

    monkeypatch.setattr(gl, "controllers", missing)
    gamepads = Gamepads()
    assert [gamepads.poll() for _ in range(40)] == [[]] * 40
    gamepads, _ = plugged(monkeypatch)
    monkeypatch.setattr(gl, "run_posted", missing)
    assert gamepads.poll() == []
    assert gamepads.poll() == []

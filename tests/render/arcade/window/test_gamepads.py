"""Gamepad input arrives with the engine's names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from pyglet.event import EventDispatcher
from pyglet.math import Vec2

from rish_core.loop import KEY_INDEX
from rish_core.loop.keys import AXIS_INDEX
from rish_render.backends.arcade import gl
from rish_render.backends.arcade.window.gamepads import Gamepads


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
    for _ in range(29):
        assert gamepads.poll() == []
    found = [(event.kind, event.name, event.device) for event in gamepads.poll()]
    opened = [pad for pad in pads if getattr(pad, "opens", True)]
    assert found == [("gamepad_connected", pad.name, n) for n, pad in enumerate(opened, 1)]
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
    manager.handlers["on_disconnect"](late)
    found = [(event.kind, event.name, event.device) for event in gamepads.poll()]
    assert found == [
        ("gamepad_connected", "pad", 1), ("gamepad_button", "gamepad.a", 1), ("gamepad_disconnected", "pad", 1),
    ]  # fmt: skip


class Dispatching(EventDispatcher):
    """A controller with pyglet's own way to call handlers; the window's tests use complete ones, on a display."""

    guid = "guid"

    def __init__(self, name: str) -> None:
        self.name = name

    def open(self) -> None:
        """Do nothing."""


for _event in ("button_press", "button_release", "stick_motion", "trigger_motion", "dpad_motion"):
    Dispatching.register_event_type(f"on_{_event}")


def test_two_controllers_are_two_devices(monkeypatch: pytest.MonkeyPatch):
    """Events have the number of their gamepad, and each gamepad has a directional pad of its own."""
    one, two = Dispatching("one"), Dispatching("two")
    gamepads, _ = plugged(monkeypatch, one, two)
    two.dispatch_event("on_button_press", two, "a")
    one.dispatch_event("on_stick_motion", one, "leftstick", Vec2(-1.0, 0.25))
    one.dispatch_event("on_dpad_motion", one, Vec2(1, 0))
    two.dispatch_event("on_dpad_motion", two, Vec2(0, 0))
    two.dispatch_event("on_trigger_motion", two, "lefttrigger", 0.5)
    assert [(event.device, event.name, event.value) for event in gamepads.poll()] == [
        (2, "gamepad.a", 0.0),
        (1, "gamepad.left_x", -1.0),
        (1, "gamepad.left_y", 0.25),
        (1, "gamepad.dpad_right", 0.0),
        (2, "gamepad.left_trigger", 0.5),
    ]


def test_a_gamepad_keeps_its_number(monkeypatch: pytest.MonkeyPatch):
    """Connected again, a gamepad has its number and reports each event once; so has another of the same model."""
    one, two = Dispatching("one"), Dispatching("two")
    gamepads, manager = plugged(monkeypatch, one, two)
    for back in (one, Dispatching("like one")):
        manager.handlers["on_disconnect"](one)
        manager.handlers["on_connect"](back)
        back.dispatch_event("on_button_press", back, "b")
        found = [(event.kind, event.device) for event in gamepads.poll()]
        assert found == [("gamepad_disconnected", 1), ("gamepad_connected", 1), ("gamepad_button", 1)]


def test_a_gamepad_rumbles(monkeypatch: pytest.MonkeyPatch):
    """Strengths reach the strong and the weak motor of the given gamepad, 0 stops them, and failures are ignored."""
    told: list[tuple[str, str, tuple[float, ...]]] = []
    pads = [Dispatching("one"), Dispatching("two"), Pad()]
    for pad in pads[:2]:
        for verb in ("play_strong", "play_weak", "stop_strong", "stop_weak"):
            setattr(pad, f"rumble_{verb}", lambda *given, p=pad.name, v=verb: told.append((p, v, given)))
    gamepads, manager = plugged(monkeypatch, *pads)
    gamepads.rumble(2, 0.75, 0.0, 0.5)
    assert told == [("two", "play_strong", (0.75, 0.5)), ("two", "stop_weak", ())]
    told.clear()
    manager.handlers["on_disconnect"](pads[1])
    gamepads.rumble(0, 0.25, 1.0, 2.0)
    assert told == [("one", "play_strong", (0.25, 2.0)), ("one", "play_weak", (1.0, 2.0))]
    gamepads.rumble(77, 1.0, 1.0, 1.0)


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

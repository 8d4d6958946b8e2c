"""The first finger is the pointer and the left mouse button."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from rish_core import App, Input, WindowEvent
from rish_frame import NullBackend
from rish_frame.host.touch_pointer import FirstFinger


def touch(finger: int, down: bool = True, x: float = 0.0, y: float = 0.0) -> WindowEvent:
    """Return the event of a finger that touches the screen or leaves it."""
    return WindowEvent("touch", down=down, x=x, y=y, touch=finger)


def mouse(events: list[WindowEvent]) -> list[tuple[str, bool, float]]:
    """Return the events of the mouse: kind, whether the button is down, and x."""
    return [(event.kind, event.down, event.x) for event in events if event.kind.startswith("mouse")]


def test_only_the_first_finger_moves_the_pointer() -> None:
    """A second finger adds nothing, also after the first was lifted; the next first finger does again."""
    finger = FirstFinger()
    assert mouse(finger.follow([touch(5, x=1), touch(6, x=2)])) == [("mouse_move", False, 1), ("mouse_button", True, 1)]
    moves = [WindowEvent("touch_move", x=3, touch=5), WindowEvent("touch_move", x=4, touch=6)]
    assert mouse(finger.follow(moves)) == [("mouse_move", False, 3)]
    lifted = finger.follow([touch(5, False, 7), WindowEvent("touch_move", x=8, touch=6), touch(6, False)])
    assert mouse(lifted) == [("mouse_move", False, 7), ("mouse_button", False, 7)]
    assert len(mouse(finger.follow([touch(1)]))) == 2
    assert mouse(finger.follow([WindowEvent("focus"), touch(1, False)])) == []


@given(st.lists(st.builds(touch, st.integers(1, 3), st.booleans()), max_size=20))
def test_buttons_alternate(events: list[WindowEvent]) -> None:
    """For any fingers all events stay, and the button goes down and up in turn."""
    out = FirstFinger().follow(events)
    assert [event for event in out if event.kind == "touch"] == events
    presses = [event.down for event in out if event.kind == "mouse_button"]
    assert presses == [k % 2 == 0 for k in range(len(presses))]


def test_a_game_for_the_mouse_can_be_touched(rish_app: Callable[..., App]) -> None:
    """A game that reads pointer and button gets them from a finger, in the same tick."""
    backend = NullBackend()
    app = rish_app({}, backend=backend)
    backend.send(touch(1, x=30, y=20))
    app.run(1)
    keys: Input = app.world[Input]
    assert (keys.pressed("mouse.left"), keys.pointer, dict(keys.touches)) == (True, (30, 20), {1: (30, 20)})

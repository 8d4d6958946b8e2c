"""What a player does within one slow frame counts as if there were a frame for each event."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from long_runs import long
from rish_core import WindowEvent
from rish_ui import Dropdown, List, Slider, Tabs, TextInput, Toggle, UiState
from ui_driver import UiDriver, ui_game

FORM = """
- name: form
  Screen: {takes_keys: true}
  children:
    - {name: go, Button: {text: Go}}
    - {name: t, Toggle: {text: T}}
    - {name: a, Toggle: {text: A, group: g, "on": true}}
    - {name: b, Toggle: {text: B, group: g}}
    - {name: s, Slider: {high: 10, step: 1}}
    - {name: d, Dropdown: {options: "a\\nb\\nc\\nd"}}
    - {name: n, TextInput: {text: hello}}
    - {name: l, List: {rows: "a\\nb\\nc\\nd\\ne\\nf\\ng\\nh\\ni\\nj\\nk\\nl"}}
    - name: p
      Tabs: {titles: "x\\ny"}
      children: [{name: x, Button: {text: X}}, {name: y, Button: {text: Y}}]
"""
MENU = """
- name: menu
  Screen: {takes_keys: true}
  children: [{name: options, Button: {text: Options, opens: options}}, {name: quit, Button: {text: Quit}}]
- name: options
  Screen: {takes_keys: true, modal: true, visible: false, opens_by: ESCAPE}
  Layout: {align: start}
  children: [{name: sound, Toggle: {text: Sound}}, {name: back, Button: {text: Back, closes: true}}]
"""
VALUES = {
    "t": (Toggle, "on"), "a": (Toggle, "on"), "b": (Toggle, "on"), "s": (Slider, "value"), "d": (Dropdown, "chosen"),
    "n": (TextInput, "text"), "l": (List, "selected"), "p": (Tabs, "chosen"),
}  # fmt: skip
KEYS = ("TAB", "UP", "DOWN", "LEFT", "RIGHT", "ENTER", "SPACE", "HOME", "END", "BACKSPACE", "PAGEDOWN", "ESCAPE")
Events = list[WindowEvent]


def tap(name: str, *between: WindowEvent, device: int = 0) -> Events:
    """Return the press and release of a key or button."""
    kind = "gamepad_button" if device else "key"
    down, up = (WindowEvent(kind, name, way, device=device) for way in (True, False))
    return [down, *between, up]


def drag(start: tuple[float, float], end: tuple[float, float]) -> Events:
    """Return the press of the mouse at one place, and its release at another."""
    (x, y), (u, v) = start, end
    moves = [WindowEvent("mouse_move", x=x, y=y), WindowEvent("mouse_move", x=u, y=v)]
    down, up = (
        WindowEvent("mouse_button", "mouse.left", True, x, y),
        WindowEvent("mouse_button", "mouse.left", x=u, y=v),
    )
    return [moves[0], down, *(moves[1:] if start != end else ()), up]


def finger(x: float, y: float) -> Events:
    """Return a touch of the second finger, while the first one is somewhere else."""
    return [WindowEvent("touch", touch=1, down=True, x=1, y=1), WindowEvent("touch", touch=2, down=True, x=x, y=y),
            WindowEvent("touch", touch=2, x=x, y=y), WindowEvent("touch", touch=1, x=1, y=1)]  # fmt: skip


def wheel(x: float, y: float, notches: float) -> Events:
    """Return a turn of the wheel."""
    return [WindowEvent("mouse_move", x=x, y=y), WindowEvent("scroll", y=notches)]


def act(rng: random.Random, ui: UiDriver) -> Events:
    """Return the events of something that a player does, drawn by chance."""
    at = f"form.{rng.choice(list(VALUES))}"
    x, y = ui.at(at, rng.random(), rng.random())
    what: dict[str, Callable[[], Events]] = {
        "click": lambda: drag((x, y), (x, y)),
        "drag": lambda: drag((x, y), ui.at(at, rng.random(), 0.5)),
        "finger": lambda: finger(x, y),
        "key": lambda: tap(rng.choice(KEYS)),
        "pad": lambda: tap(f"gamepad.{rng.choice(('a', 'b', 'dpad_up', 'dpad_down', 'lb', 'rb'))}", device=1),
        "text": lambda: tap("Q", WindowEvent("text", text="q")),
        "wheel": lambda: wheel(x, y, rng.choice((-2.0, -1.0, 1.0))),
        "control": lambda: tap("LCTRL", *tap(rng.choice("AXCVZ"))),
        "shift": lambda: tap("LSHIFT", *tap(rng.choice(("TAB", "LEFT", "HOME")))),
    }
    return what[rng.choice([*what, "click", "key"])]()


def outcome(ui: UiDriver) -> Any:
    """Return the values of all widgets, where the focus is, and what was clicked."""
    values = {name: getattr(ui.world.get(ui.node(f"form.{name}").entity, cls), field)
              for name, (cls, field) in VALUES.items()}  # fmt: skip
    popup = ui.world[UiState].popup
    heard = [event for event in ui.heard if event[0] in ("Clicked", "Submitted")]
    return values, ui.focus, popup and popup.hovered, sorted(heard)


@pytest.mark.parametrize("seed", long(range(200), [1, 14, 20, 33, 47]))
def test_one_slow_frame_is_as_good_as_many_quick_ones(seed: int) -> None:
    """Clicks, drags, fingers, keys, buttons, text and the wheel do the same in one frame as with a frame for each."""
    found: list[Any] = []
    for slow in (False, True):
        rng = random.Random(seed)
        with ui_game(FORM, size=(640, 900)) as ui:
            events = [event for _ in range(6) for event in act(rng, ui)]
            for batch in [events] if slow else [[event] for event in events]:
                ui.send(*batch)
                ui.frame()
            ui.frame(2 * len(events) if slow else 3)
            found.append(outcome(ui))
    assert found[0] == found[1]


def test_two_clicks_on_a_switch_turn_it_on_and_off() -> None:
    """The second click finds what the first one made of the switch."""
    with ui_game(FORM, size=(640, 900)) as ui:
        at = ui.at("form.t")
        ui.send(*drag(at, at), *drag(at, at))
        ui.frame(2)
        assert [event[2] for event in ui.heard if event[0] == "Changed"] == [1.0, 0.0]


def test_a_double_click_within_a_frame_selects_a_word() -> None:
    """Two clicks on the same place of a text within one frame are a double click."""
    with ui_game(FORM.replace("text: hello", "text: one two"), size=(640, 900)) as ui:
        at = ui.at("form.n", 0.1)
        ui.send(*drag(at, at), *drag(at, at), *tap("DELETE"))
        ui.frame(2)
        assert ui.world.get(ui.node("form.n").entity, TextInput).text == " two"


@pytest.mark.parametrize("opening", ["ENTER", "ESCAPE"])
def test_keys_after_a_screen_opens_are_for_that_screen(opening: str) -> None:
    """Keys that follow in the same frame operate the screen that a click or its own key opens, not the one below."""
    with ui_game(MENU) as ui:
        ui.send(*tap(opening), *tap("ENTER"), *tap("DOWN"), *tap("ENTER"))
        ui.frame(6)
        clicked = [event[1] for event in ui.heard if event[0] in ("Clicked", "Changed")]
        assert clicked == ["menu.options"] * (opening == "ENTER") + ["options.sound", "options.back"]


def test_a_click_after_the_wheel_is_on_what_was_scrolled_there() -> None:
    """A scrolled content is at its new place for a click in the same frame."""
    rows = "\n".join(f"        - {{name: b{k}, Button: {{text: B{k}}}}}" for k in range(12))
    scene = "- name: form\n  Screen: {takes_keys: true}\n  children:\n    - name: v\n      ScrollView: {}\n"
    with ui_game(f"{scene}      Layout: {{size: [200, 100]}}\n      children:\n{rows}\n") as ui:
        at = ui.at("form.v", 0.1, 0.3)
        found: list[Any] = []
        for batches in ([[*wheel(*at, -2.0), *drag(at, at)]], [wheel(*at, -2.0), drag(at, at)]):
            ui.send(*wheel(*at, 99.0))
            for batch in batches:
                ui.send(*batch)
            ui.frame(3)
            found.append([event[1] for event in ui.heard if event[0] == "Clicked"])
        assert found[0] == found[1] != []


def test_a_slider_that_is_dragged_away_and_back_stays_where_it_was() -> None:
    """The last place of a knob within a frame counts, also if it is the first one."""
    with ui_game(FORM, size=(640, 900)) as ui:
        low, high = ui.at("form.s", 0.0), ui.at("form.s", 1.0)
        ui.send(*drag(high, low))
        ui.frame(2)
        assert ui.world.get(ui.node("form.s").entity, Slider).value == 0.0

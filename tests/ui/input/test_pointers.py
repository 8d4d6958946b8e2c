"""Fingers and the mouse: several at once, and dragging that scrolls."""

from __future__ import annotations

from rish_core import WindowEvent
from rish_ui import Slider, UiState
from ui_driver import UiDriver, ui_game

TWO = """
- name: left
  Layout: {place: anchored, anchor_low: [0, 0], anchor_high: [0, 0], pivot: [0, 0], size: [200, 100]}
  Screen: {}
  children: [{name: a, Slider: {high: 10}, Layout: {size: [180, 0]}}]
- name: right
  Screen: {}
  Layout: {align: end, justify: end}
  children: [{name: b, Slider: {high: 10}, Layout: {size: [180, 0]}}]
"""
LONG = """
- name: menu
  Screen: {takes_keys: true}
  children:
    - name: view
      ScrollView: {}
      Layout: {size: [200, 120]}
      children:
        - {name: b0, Button: {text: A}}
        - {name: b1, Button: {text: B}}
        - {name: b2, Button: {text: C}}
        - {name: b3, Button: {text: D}}
        - {name: volume, Slider: {high: 10}}
"""


def finger(ui: UiDriver, number: int, path: str, x: float, down: bool | None, y: float = 0.5) -> None:
    """Put down, move (None) or lift a finger at a place of a widget."""
    px, py = ui.at(path, x, y)
    kind = "touch_move" if down is None else "touch"
    events = [WindowEvent(kind, down=bool(down), x=px, y=py, touch=number)]
    if number == 1:  # the first finger is the mouse as well
        mouse = "mouse_move" if down is None else "mouse_button"
        events.append(WindowEvent(mouse, "" if down is None else "mouse.left", bool(down), px, py))
    ui.send(*events)


def value(ui: UiDriver, path: str) -> float:
    """Return the value of a slider."""
    return float(ui.world.get(ui.node(path).entity, Slider).value)


def test_two_fingers_move_two_sliders() -> None:
    """Each finger holds the widget that it pressed."""
    with ui_game(TWO) as ui:
        finger(ui, 1, "left.a", 0.1, True)
        finger(ui, 2, "right.b", 0.9, True)
        finger(ui, 1, "left.a", 0.9, None)
        finger(ui, 2, "right.b", 0.1, None)
        finger(ui, 2, "right.b", 0.1, False)
        finger(ui, 1, "left.a", 0.9, False)
        ui.frame()
        assert value(ui, "left.a") > 8
        assert value(ui, "right.b") < 2
        assert not ui.world[UiState].presses


def test_a_finger_that_moves_scrolls_and_clicks_nothing() -> None:
    """A drag of a button in a scroll view moves the content; a tap clicks."""
    with ui_game(LONG) as ui:
        start = ui.node("menu.view.b0").y
        finger(ui, 1, "menu.view.b1", 0.5, True)
        px, py = ui.at("menu.view.b1")
        ui.send(WindowEvent("touch_move", x=px, y=py + 40, touch=1), WindowEvent("mouse_move", x=px, y=py + 40))
        ui.frame()
        assert ui.node("menu.view.b0").y < start - 20
        finger(ui, 1, "menu.view.b2", 0.5, False)
        ui.frame()
        assert not [event for event in ui.heard if event[0] == "Clicked"]
        finger(ui, 1, "menu.view.b1", 0.5, True)
        finger(ui, 1, "menu.view.b1", 0.5, False)
        ui.frame()
        assert ("Clicked", "menu.view.b1") in ui.heard


def test_a_finger_on_a_slider_moves_the_slider_and_scrolls_nothing() -> None:
    """A widget that is dragged keeps the finger."""
    with ui_game(LONG) as ui:
        ui.key("DOWN", "DOWN", "DOWN", "DOWN")
        ui.frame(2)
        before = ui.node("menu.view.volume").y
        finger(ui, 1, "menu.view.volume", 0.2, True)
        finger(ui, 1, "menu.view.volume", 0.8, None, y=0.9)
        ui.frame()
        assert value(ui, "menu.view.volume") > 6
        assert ui.node("menu.view.volume").y == before


def test_a_button_that_is_pressed_while_a_state_is_loaded_is_clicked() -> None:
    """A rollback between press and release takes no click away; a restored snapshot ends what the player was doing."""
    for way, loads in (("save_state", "load_state"), ("snapshot", "restore")):
        with ui_game(LONG) as ui:
            ui.press("menu.view.b0")
            ui.frame()
            getattr(ui.world, loads)(getattr(ui.world, way)())
            ui.frame()
            ui.release("menu.view.b0")
            ui.frame()
            assert any(event[0] == "Clicked" for event in ui.heard) == (loads == "load_state")

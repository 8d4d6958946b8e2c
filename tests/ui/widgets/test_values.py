"""Sliders, dropdowns, lists, tabs and bars, driven by events of the window."""

from __future__ import annotations

from rish_core import WindowEvent
from rish_frame import Paintings
from rish_ui import Dropdown, List, Preferences, Slider, Tabs
from ui_driver import UiDriver, ui_game

FORM = """
- name: form
  Screen: {takes_keys: true}
  Layout: {align: start}
  children:
    - {name: volume, Slider: {value: 0.5, step: 0.1, show: "{value:.0%}"}, Layout: {size: [300, 0]}}
    - {name: size, Dropdown: {options: "s = Small\\nm = Medium\\nl = Large", chosen: 1}}
    - {name: rows, List: {rows: "one\\ntwo\\nthree\\nfour"}, Layout: {size: [200, 80]}}
    - {name: life, ProgressBar: {value: 3, high: 4, show: "{value:.0f} of {high:.0f}"}}
"""


def _value(ui: UiDriver, path: str, kind: type, field: str) -> object:
    return getattr(ui.world.get(ui.node(path).entity, kind), field)


def test_a_slider_is_dragged() -> None:
    """A press moves the knob there, dragging follows, and values are multiples of the step."""
    with ui_game(FORM) as ui:
        ui.press("form.volume", 0.0)
        assert _value(ui, "form.volume", Slider, "value") == 0
        ui.move("form.volume", 0.4)
        found = float(_value(ui, "form.volume", Slider, "value"))  # type: ignore[arg-type]
        assert 0.3 < found < 0.7
        assert abs(found * 10 - round(found * 10)) < 1e-5
        ui.release("form.volume", 5.0)
        ui.frame()
        assert _value(ui, "form.volume", Slider, "value") == 1
        assert "100%" in ui.texts


def test_a_slider_is_moved_by_keys() -> None:
    """The arrow keys change the value by a step, HOME and END go to the ends; the focus stays."""
    with ui_game(FORM) as ui:
        ui.key("RIGHT", "RIGHT")
        assert abs(float(_value(ui, "form.volume", Slider, "value")) - 0.7) < 1e-5  # type: ignore[arg-type]
        ui.key("HOME", "LEFT")
        assert _value(ui, "form.volume", Slider, "value") == 0
        assert ui.focus == "form.volume"


def test_moves_of_one_frame_are_one_command() -> None:
    """A drag that reports several positions in a frame changes the value once."""
    with ui_game(FORM) as ui:
        ui.press("form.volume", 0.1)
        _ = ui.heard
        (x0, y), (x1, _) = ui.at("form.volume", 0.3), ui.at("form.volume", 0.6)
        ui.send(WindowEvent("mouse_move", x=x0, y=y), WindowEvent("mouse_move", x=x1, y=y))
        assert [event[0] for event in ui.heard] == ["Changed"]


def test_a_dropdown_is_opened_and_chosen_from() -> None:
    """A click opens the list, a click on a row chooses it and closes the list."""
    with ui_game(FORM) as ui:
        assert "Medium" in ui.texts
        assert "Large" not in ui.texts
        ui.click("form.size")
        assert "Large" in ui.texts
        node = ui.node("form.size")
        from rish_ui import UiState

        popup = ui.world[UiState].popup
        assert popup is not None
        x, y = popup.x + 20, node.root.height - (popup.y + popup.h - popup.row / 2)
        ui.send(WindowEvent("mouse_move", x=x, y=y), WindowEvent("mouse_button", "mouse.left", True, x, y))
        ui.send(WindowEvent("mouse_button", "mouse.left", False, x, y))
        assert _value(ui, "form.size", Dropdown, "chosen") == 2
        assert ui.world[UiState].popup is None


def test_a_dropdown_works_by_keys() -> None:
    """ENTER opens the list, the arrows move in it, ENTER chooses, ESCAPE closes it without a choice."""
    with ui_game(FORM) as ui:
        ui.key("TAB", "ENTER", "DOWN", "ENTER")
        assert _value(ui, "form.size", Dropdown, "chosen") == 2
        ui.key("ENTER", "UP", "ESCAPE")
        assert _value(ui, "form.size", Dropdown, "chosen") == 2
        ui.key("LEFT")
        assert _value(ui, "form.size", Dropdown, "chosen") == 1


def test_a_click_outside_closes_the_list() -> None:
    """A press beside an open list closes it."""
    from rish_ui import UiState

    with ui_game(FORM) as ui:
        ui.click("form.size")
        ui.press("form.volume")
        assert ui.world[UiState].popup is None


def test_a_list_is_selected_and_scrolled() -> None:
    """A click selects a row, the wheel scrolls, keys move the selection and keep it in view."""
    with ui_game(FORM) as ui:
        ui.click("form.rows", 0.5, 0.2)
        assert _value(ui, "form.rows", List, "selected") == 0
        assert "four" not in ui.texts
        ui.send(WindowEvent("scroll", y=-5))
        assert "four" in ui.texts
        ui.key("END")
        assert _value(ui, "form.rows", List, "selected") == 3
        ui.key("HOME")
        assert _value(ui, "form.rows", List, "selected") == 0
        assert "four" not in ui.texts


def test_a_bar_shows_its_value() -> None:
    """The text of a bar has its value and its greatest value."""
    with ui_game(FORM) as ui:
        assert "3 of 4" in ui.texts


def test_tabs_show_one_child() -> None:
    """A click on a title shows its child and hides the others; LEFT and RIGHT do the same."""
    scene = """
    - name: tabs
      Screen: {takes_keys: true}
      Tabs: {titles: "Sound\\nKeys"}
      Layout: {size: [400, 200]}
      children:
        - {name: sound, Label: {text: loud}}
        - {name: keys, Label: {text: quick}}
    """
    with ui_game(scene) as ui:
        assert "loud" in ui.texts
        assert "quick" not in ui.texts
        ui.key("RIGHT")
        ui.frame()
        assert _value(ui, "tabs", Tabs, "chosen") == 1
        assert "quick" in ui.texts
        assert "loud" not in ui.texts
        ui.click("tabs", 0.03, 0.07)
        assert _value(ui, "tabs", Tabs, "chosen") == 0


def test_a_text_names_the_keys_of_an_action() -> None:
    """`{key_jump}` is the first key of the action, of the kind of device that was used last, as the player chose it."""
    head = "input: {jump: [SPACE, gamepad.a], run: [X], rest: []}"
    with ui_game('- {Label: {text: "{key_jump}, {key_run}, {key_rest}"}}', head, personal=False) as ui:
        assert ui.texts == ["Space, X, Not set"]
        ui.send(WindowEvent("gamepad_axis", "gamepad.left_x", value=0.1))
        assert ui.texts == ["Space, X, Not set"]
        ui.key("gamepad.x")
        assert ui.texts == ["Ⓐ, X, Not set"]
        ui.key("Q")
        ui.world[Preferences].bind("jump", ["LEFT"])
        ui.frame(2)
        assert ui.texts == ["←, X, Not set"]


def test_a_bar_is_filled_within_its_corners() -> None:
    """A value that is less than a pixel long is not seen, and each filled part lies within the rounded bar."""
    bars = "\n".join(
        f"    - {{name: bar{k}, ProgressBar: {{value: {value}, high: 100}}, Layout: {{size: [200, 22]}}}}"
        for k, value in enumerate((0.1, 2, 5, 10, 50, 100))
    )
    with ui_game(f"- name: page\n  Screen: {{}}\n  Layout: {{align: start}}\n  children:\n{bars}") as ui:
        boxes = [box for painting in ui.world[Paintings] for part in painting.parts for box in part.boxes]
        tracks = [box for box in boxes if box.w == 200]
        fills = [box for box in boxes if box.w < 200]
        assert len(tracks) == 6
        assert len(fills) == 5
        for track, fill in zip(tracks[1:], fills, strict=True):
            assert fill.corner <= fill.h / 2
            # the circles of the left corners touch from within, except for the edge of the bar
            dx = fill.x + fill.corner - track.x - track.corner
            dy = fill.y + fill.corner - track.y - track.corner
            assert (dx * dx + dy * dy) ** 0.5 + fill.corner <= track.corner + 0.5

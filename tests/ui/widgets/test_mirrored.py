"""Languages that are written from right to left exchange left and right, within widgets as well."""

from __future__ import annotations

from rish_core import WindowEvent
from rish_frame import Paintings
from rish_ui import Slider, UiSettings, UiState
from ui_driver import UiDriver, ui_game

SCENE = """
- name: menu
  Screen: {takes_keys: true}
  Layout: {align: stretch}
  children:
    - name: row
      Layout: {direction: row, padding: [40, 0, 0, 0], gap: [8, 0]}
      children: [{name: first, Button: {text: A}}, {name: second, Button: {text: B}}]
    - {name: volume, Slider: {value: 0.0, step: 0.1}, Layout: {size: [200, 0]}}
    - {name: nick, TextInput: {text: ab}, Layout: {size: [200, 0]}}
    - {name: tabs, Tabs: {titles: "one\\ntwo"}, children: [{Label: {text: X}}, {Label: {text: Y}}]}
"""
FILES = {"locale/ar.yaml": "menu: {play: لعب}\n"}


def arabic(ui: UiDriver) -> None:
    """Choose a language that is written from right to left."""
    ui.world[UiSettings].language = "ar"
    ui.frame(2)


def placed(ui: UiDriver, words: str) -> tuple[float, float]:
    """Return the left and right end of a text in the painting."""
    found = [t for p in ui.world[Paintings] for part in p.parts for t in part.texts if t.text.text == words]
    return found[0].x, found[0].x + found[0].text.width


def test_the_first_of_a_row_is_at_the_right() -> None:
    """The padding of the left side is at the right then."""
    with ui_game(SCENE, files=FILES) as ui:
        first, second, row = (ui.node(f"menu.row{name}") for name in (".first", ".second", ""))
        assert first.x < second.x
        assert first.x - row.x == 40
        arabic(ui)
        first, second, row = (ui.node(f"menu.row{name}") for name in (".first", ".second", ""))
        assert first.x > second.x
        assert row.x + row.w - first.x - first.w == 40


def test_keys_follow_what_is_seen() -> None:
    """The left key moves the focus to the widget at the left, and makes a slider greater, which grows to the left."""
    with ui_game(SCENE, files=FILES) as ui:
        arabic(ui)
        assert ui.focus == "menu.row.first"
        ui.key("LEFT")
        assert ui.focus == "menu.row.second"
        ui.key("TAB", "LEFT")
        assert round(float(ui.world.get(ui.node("menu.volume").entity, Slider).value), 3) == 0.1
        ui.press("menu.volume", 0.0)
        assert ui.world.get(ui.node("menu.volume").entity, Slider).value == 1


def test_a_short_text_ends_at_the_right_of_its_field() -> None:
    """A click there puts the caret before the first or after the last letter, as it is seen."""
    with ui_game(SCENE, files=FILES) as ui:
        left, _ = placed(ui, "ab")
        arabic(ui)
        moved, right = placed(ui, "ab")
        node = ui.node("menu.nick")
        assert moved > left + 50
        assert node.x + node.w - 30 < right < node.x + node.w
        y = ui.at("menu.nick")[1]
        ui.send(WindowEvent("mouse_button", "mouse.left", True, right - 1, y))
        assert ui.world[UiState].edits[node.entity].caret == 2


def test_the_first_tab_is_at_the_right() -> None:
    """And the left key chooses the next one."""
    with ui_game(SCENE, files=FILES) as ui:
        arabic(ui)
        assert placed(ui, "one")[0] > placed(ui, "two")[0]

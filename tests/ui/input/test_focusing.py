"""The focus: where it begins, and where keys move it."""

from __future__ import annotations

import pytest

from rish_ui import Widget
from ui_driver import ui_game

GRID = """
- name: menu
  Screen: {takes_keys: true, first: b2}
  Layout: {align: start}
  children:
    - name: rows
      Grid: {columns: 3}
      children:
        - {name: a1, Button: {text: a1}}
        - {name: a2, Button: {text: a2}}
        - {name: a3, Button: {text: a3}}
        - {name: b1, Button: {text: b1}}
        - {name: b2, Button: {text: b2}}
        - {name: b3, Button: {text: b3}, Widget: {enabled: false}}
"""
TABS = """
- name: menu
  Screen: {takes_keys: true}
  children:
    - name: tabs
      Tabs: {titles: "one\\ntwo"}
      Layout: {grow: 1, basis: 0}
      children:
        - name: one
          Layout: {}
          children: [{name: first, Button: {text: A}}, {name: second, Button: {text: B}}]
        - name: two
          Layout: {}
          children: [{name: third, Button: {text: C}}]
"""


def test_the_screen_says_what_has_the_focus_first() -> None:
    """`first` names the widget; without one it is the first in the order of TAB."""
    with ui_game(GRID) as ui:
        assert ui.focus == "menu.rows.b2"
    with ui_game(GRID.replace(", first: b2", "")) as ui:
        assert ui.focus == "menu.rows.a1"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["UP"], "a2"),
        (["UP", "RIGHT"], "a3"),
        (["LEFT"], "b1"),
        (["RIGHT"], "a3"),  # the next one is disabled
        (["LEFT", "LEFT"], "b1"),  # sideways the focus does not go round
        (["UP", "UP"], "b2"),  # up and down it does
        (["TAB"], "a1"),
        (["UP", "RIGHT", "DOWN"], "b2"),
    ],
)
def test_a_direction_moves_to_the_nearest_widget_there(keys: list[str], expected: str) -> None:
    """Disabled widgets are left out."""
    with ui_game(GRID) as ui:
        ui.key(*keys)
        assert ui.focus == f"menu.rows.{expected}"


def test_a_widget_says_what_is_beside_it() -> None:
    """`Widget.right` and the others name entities, which go before the nearest ones."""
    with ui_game(GRID.replace("{text: b2}}", "{text: b2}, Widget: {right: a1}}")) as ui:
        ui.key("RIGHT")
        assert ui.focus == "menu.rows.a1"


def test_down_from_the_title_of_a_tab_is_the_first_widget_of_its_page() -> None:
    """Tabs have the focus at the title that is chosen, not at the middle of the page."""
    with ui_game(TABS) as ui:
        ui.key("DOWN")
        assert ui.focus == "menu.tabs.one.first"
        ui.key("UP", "RIGHT", "DOWN")
        assert ui.focus == "menu.tabs.two.third"


def test_the_focus_leaves_a_widget_that_is_hidden() -> None:
    """It goes to the first widget of the screen."""
    with ui_game(TABS) as ui:
        ui.key("DOWN", "DOWN")
        assert ui.focus == "menu.tabs.one.second"
        ui.world.add(ui.node("menu.tabs.one.second").entity, Widget(visible=False))
        ui.frame(2)
        assert ui.focus == "menu.tabs"

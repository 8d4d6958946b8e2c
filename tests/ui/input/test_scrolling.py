"""Keys and the right stick scroll what has nothing that can get the focus."""

from __future__ import annotations

import pytest

from rish_core import Input, WindowEvent
from ui_driver import UiDriver, ui_game

LINES = "\\n".join("a line of text" for _ in range(40))
CREDITS = f"""
- name: page
  Screen: {{takes_keys: true}}
  children:
    - name: view
      ScrollView: {{}}
      Layout: {{size: [200, 200], shrink: 0}}
      children: [{{name: text, Label: {{text: "{LINES}"}}, Layout: {{shrink: 0}}}}]
    - {{name: back, Button: {{text: Back}}}}
    - {{name: more, Button: {{text: More}}}}
"""
ALONE = CREDITS[: CREDITS.index("    - {name: back")]


def scrolled(ui: UiDriver, path: str = "page.view") -> float:
    """Return how far a widget is scrolled down."""
    return ui.node(path).scroll[1]


@pytest.mark.parametrize("scene", [CREDITS, ALONE])
def test_a_direction_without_a_widget_scrolls(scene: str) -> None:
    """Up and down move text, with a focus and without one; the focus stays where it is."""
    with ui_game(scene) as ui:
        ui.key("DOWN")
        assert ui.focus == ("page.more" if "more" in scene else "")
        ui.key("DOWN", "gamepad.dpad_down")
        down = scrolled(ui)
        assert down >= 96
        ui.key("UP", "UP")
        assert scrolled(ui) == down - 96 + (48 if "more" in scene else 0)


def test_the_focus_goes_round_at_the_end_of_the_text() -> None:
    """The last widget is left only when nothing is left to scroll."""
    with ui_game(CREDITS) as ui:
        ui.key("DOWN", "END", "DOWN")
        assert ui.focus == "page.back"
        ui.key("UP")
        assert ui.focus == "page.back"
        ui.key("HOME", "UP")
        assert ui.focus == "page.more"


def test_a_page_is_nearly_what_is_seen() -> None:
    """PAGEDOWN and PAGEUP leave a bit of the last page in view; END and HOME go to the ends."""
    with ui_game(CREDITS) as ui:
        high, content = ui.node("page.view").h, ui.node("page.view").content[1]
        ui.key("PAGEDOWN")
        assert high * 0.5 < scrolled(ui) < high
        ui.key("PAGEUP")
        assert scrolled(ui) == 0
        ui.key("END")
        assert scrolled(ui) == pytest.approx(content - high)
        ui.key("HOME")
        assert scrolled(ui) == 0


def test_the_right_stick_scrolls_while_it_is_pushed() -> None:
    """It scrolls faster the more it is pushed, and stops with it or when the window loses the focus."""
    with ui_game(CREDITS) as ui:
        ways: list[float] = []
        for value in (-0.1, -0.5, -1.0):
            ui.key("HOME")
            ui.send(WindowEvent("gamepad_axis", "gamepad.right_y", value=value))
            ui.frame(10)
            ways.append(scrolled(ui))
            ui.send(WindowEvent("gamepad_axis", "gamepad.right_y", value=0.0))
            end = scrolled(ui)
            ui.frame(10)
            assert scrolled(ui) == end
        assert ways[0] == 0
        assert 0 < ways[1] < ways[2]
        ui.send(WindowEvent("gamepad_axis", "gamepad.right_y", value=1.0), WindowEvent("focus", down=False))
        end = scrolled(ui)
        ui.frame(10)
        assert scrolled(ui) == end


def test_the_nearest_text_scrolls() -> None:
    """Of two texts the one beside the focus moves, and the other one when that is at its end."""
    other = f"""
    - name: far
      ScrollView: {{}}
      Layout: {{size: [200, 50], shrink: 0}}
      children: [{{Label: {{text: "{LINES}"}}, Layout: {{shrink: 0}}}}]
"""
    with ui_game(CREDITS.replace("\n    - name: view", f"{other}    - name: view"), size=(640, 600)) as ui:
        ui.key("DOWN", "PAGEDOWN")
        assert scrolled(ui) > 0
        assert scrolled(ui, "page.far") == 0
        ui.key("END", "PAGEDOWN")
        assert scrolled(ui, "page.far") > 0


def test_keys_that_scroll_nothing_reach_the_game() -> None:
    """A short text leaves the right stick and PAGEDOWN to the game."""
    with ui_game(CREDITS.replace(LINES, "short")) as ui:
        ui.send(WindowEvent("key", "PAGEDOWN", True), WindowEvent("gamepad_axis", "gamepad.right_y", value=-1.0))
        assert ui.world[Input].pressed("PAGEDOWN")
        assert ui.world[Input].value("gamepad.right_y") == -1.0

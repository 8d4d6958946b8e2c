"""Scroll views, dialogs, tooltips, panels and grids."""

from __future__ import annotations

from rish_core import Input, WindowEvent
from rish_frame import Paintings
from rish_ui import Button, UiState
from ui_driver import ui_game


def test_a_scroll_view_moves_its_children() -> None:
    """The wheel moves the children up to the end of the content; what is outside is cut and gets no clicks."""
    scene = """
    - name: page
      Screen: {}
      Layout: {align: start}
      children:
        - name: view
          ScrollView: {}
          Layout: {size: [200, 100]}
          children:
            - {name: a, Button: {text: A}, Layout: {size: [100, 80], shrink: 0}}
            - {name: b, Button: {text: B}, Layout: {size: [100, 80], shrink: 0}}
    """
    with ui_game(scene) as ui:
        top = ui.node("page.view.a").y
        ui.move("page.view", 0.2, 0.2)
        ui.send(WindowEvent("scroll", y=-1))
        assert ui.node("page.view.a").y == top - 48
        ui.send(WindowEvent("scroll", y=-20))
        b, view = ui.node("page.view.b"), ui.node("page.view")
        assert b.y + b.h <= view.y + view.h + 0.5
        ui.click("page.view.b", 0.2)
        assert ui.heard[-1] == ("Clicked", "page.view.b")
        ui.click("page.view.a", 0.2, 0.1)
        assert ui.heard == []


def test_the_focus_scrolls_into_view() -> None:
    """A widget that gets the focus by a key is scrolled into view."""
    rows = "\n".join(
        f"        - {{name: b{k}, Button: {{text: B}}, Layout: {{size: [90, 40], shrink: 0}}}}" for k in range(9)
    )
    view = "- name: view\n      ScrollView: {}\n      Layout: {size: [200, 100]}\n      children:\n"
    scene = f"- name: page\n  Screen: {{takes_keys: true}}\n  children:\n    {view}{rows}"
    with ui_game(scene) as ui:
        ui.key("UP")
        assert ui.focus == "page.view.b8"
        node, view = ui.node("page.view.b8"), ui.node("page.view")
        assert view.y <= node.y
        assert node.y + node.h <= view.y + view.h + 0.5


DIALOG = """
- {name: below, Screen: {takes_keys: true}, children: [{name: play, Button: {text: Play}}]}
- name: ask
  Screen: {modal: true}
  Dialog: {title: Sure?}
  children:
    - {name: "no", Button: {text: "No", closes: true}}
"""


def test_a_modal_dialog_keeps_input_from_everything_below() -> None:
    """Neither clicks nor keys reach what is below; the focus is in the dialog; it closes by its button."""
    with ui_game(DIALOG, head="input: {jump: [J]}") as ui:
        assert "Sure?" in ui.texts
        assert ui.focus == "ask.no"
        ui.click("below.play")
        assert ui.heard == []
        ui.send(WindowEvent("key", "J", True))
        assert not ui.world[Input].down("jump")
        ui.key("ENTER")
        ui.frame()
        assert "Sure?" not in ui.texts
        assert ui.focus == "below.play"


def test_escape_closes_a_dialog() -> None:
    """The key for back closes a closable dialog."""
    with ui_game(DIALOG) as ui:
        ui.key("ESCAPE")
        ui.frame()
        assert "Sure?" not in ui.texts


def test_a_tooltip_is_shown_after_a_moment() -> None:
    """If the pointer rests on a widget, its tooltip is painted."""
    scene = "- {name: a, Screen: {}, children: [{name: b, Button: {text: B}, Widget: {tooltip: Explains}}]}"
    with ui_game(scene) as ui:
        ui.move("a.b")
        assert "Explains" not in ui.texts
        for _ in range(40):
            ui.frame()
        assert "Explains" in ui.texts
        ui.send(WindowEvent("mouse_move", x=600, y=5))
        assert "Explains" not in ui.texts


def test_what_no_widget_uses_reaches_the_game() -> None:
    """Keys and clicks beside widgets reach the game; those on a panel do not."""
    scene = """
    - name: hud
      Screen: {}
      Layout: {align: start}
      children:
        - {name: panel, Panel: {}, Layout: {size: [100, 50]}}
    """
    with ui_game(scene) as ui:
        ui.send(WindowEvent("mouse_button", "mouse.left", True, 500, 100), WindowEvent("key", "UP", True))
        assert ui.world[Input].pressed("mouse.left")
        assert ui.world[Input].pressed("UP")
        ui.send(WindowEvent("mouse_button", "mouse.left", False, 500, 100))
        ui.press("hud.panel")
        assert not ui.world[Input].down("mouse.left")


def test_widgets_without_a_screen_are_shown() -> None:
    """A widget without a Screen above it is shown on a screen of its own."""
    with ui_game("- {name: alone, Label: {text: Hello}}") as ui:
        assert "Hello" in ui.texts
        assert len(ui.world[UiState].tree.roots) == 1


def test_a_game_with_components_of_the_same_names_takes_in_the_shipped_screens() -> None:
    """The shipped screens name the widgets of the plugin, also if the game has a component called Button."""
    plugin = """
from rish_core import component
from ui_driver import hear

@component
class Button:
    \"\"\"A button on the floor.\"\"\"

def rish_components():
    return [Button]

def rish_systems():
    return [hear]
"""
    with ui_game("- {prefab: title_screen, choices.play.ui.Button.goto: main}", files={"plugin.py": plugin}) as ui:
        assert {"Test", "Play", "Options", "Credits", "Quit"} <= set(ui.texts)


def test_a_screen_gets_its_focus_back() -> None:
    """When a screen that was opened by a button closes, the button has the focus again."""
    scene = """
    - name: menu
      Screen: {takes_keys: true}
      children:
        - {name: play, Button: {text: Play}}
        - {name: options, Button: {text: Options, opens: options_screen}}
    """
    with ui_game(scene) as ui:
        ui.key("DOWN", "ENTER")
        ui.frame()
        assert ui.focus.startswith("options_screen")
        ui.key("ESCAPE")
        ui.frame()
        assert ui.focus == "menu.options"


def test_the_shade_of_a_dialog_lets_the_game_be_seen() -> None:
    """A dialog is a screen too, which is not painted with the color of the dialog, also when it is laid out again."""
    with ui_game(DIALOG) as ui:
        ui.frame(30)
        ui.world.set(ui.node("ask.no").entity, Button(text="Never"))
        ui.frame(30)
        boxes = [box for painting in ui.world[Paintings] for part in painting.parts for box in part.boxes]
        assert all(box.fill[3] < 255 for box in boxes if box.w >= ui.size[0])

"""Buttons and toggles, driven by events of the window."""

from __future__ import annotations

from rish_core import Scenes
from rish_ui import Screen, Toggle, Widget
from ui_driver import ui_game

MENU = """
- name: menu
  Screen: {takes_keys: true}
  children:
    - {name: play, Button: {text: Play}}
    - {name: quit, Button: {text: Quit}, Widget: {enabled: false}}
    - {name: sound, Toggle: {text: Sound}}
    - {name: easy, Toggle: {text: Easy, group: level, on: true}}
    - {name: hard, Toggle: {text: Hard, group: level}}
"""


def test_a_click_emits_pressed_released_and_clicked() -> None:
    """A press is the event Pressed; the release on the same button is Released and Clicked."""
    with ui_game(MENU) as ui:
        ui.press("menu.play")
        assert ui.heard == [("Pressed", "menu.play")]
        ui.release("menu.play")
        assert ui.heard == [("Released", "menu.play"), ("Clicked", "menu.play")]


def test_a_release_elsewhere_is_no_click() -> None:
    """A button that is pressed, left and released is not clicked."""
    with ui_game(MENU) as ui:
        ui.press("menu.play")
        ui.release("menu.sound")
        assert ui.heard == [("Pressed", "menu.play"), ("Released", "menu.play")]


def test_a_disabled_button_does_nothing() -> None:
    """Neither a click nor a command has an effect on a disabled widget."""
    with ui_game(MENU) as ui:
        ui.click("menu.quit")
        assert ui.heard == []
        ui.world.add(ui.node("menu.play").entity, Widget(enabled=False))
        ui.frame()
        ui.click("menu.play")
        assert ui.heard == []


def test_keys_move_the_focus_and_click() -> None:
    """The first widget has the focus; the arrow keys move it past disabled ones, ENTER and gamepad.a click."""
    with ui_game(MENU) as ui:
        assert ui.focus == "menu.play"
        ui.key("ENTER")
        assert ui.heard[-1] == ("Clicked", "menu.play")
        ui.key("DOWN")
        assert ui.focus == "menu.sound"
        ui.key("gamepad.a")
        assert ui.heard[-1] == ("Changed", "menu.sound", 1.0, "")
        ui.key("UP", "UP")
        assert ui.focus == "menu.hard"  # round in a circle
        ui.key("TAB")
        assert ui.focus == "menu.play"


def test_a_toggle_is_switched_by_a_click() -> None:
    """A click changes `Toggle.on` in the next tick."""
    with ui_game(MENU) as ui:
        sound = ui.node("menu.sound").entity
        ui.click("menu.sound")
        assert ui.world.get(sound, Toggle).on
        ui.click("menu.sound")
        assert not ui.world.get(sound, Toggle).on


def test_toggles_of_a_group_exclude_each_other() -> None:
    """If one toggle of a group goes on, the others go off; the one that is on can't be switched off."""
    with ui_game(MENU) as ui:
        easy, hard = (ui.node(f"menu.{name}").entity for name in ("easy", "hard"))
        ui.click("menu.hard")
        assert [ui.world.get(e, Toggle).on for e in (easy, hard)] == [False, True]
        ui.click("menu.hard")
        assert [ui.world.get(e, Toggle).on for e in (easy, hard)] == [False, True]


def test_a_button_goes_to_a_scene() -> None:
    """`goto` changes the scene, `quits` ends the game."""
    scene = """
    - name: menu
      Screen: {}
      children:
        - {name: play, Button: {text: Play, goto: main}}
        - {name: quit, Button: {text: Quit, quits: true}}
    """
    with ui_game(scene) as ui:
        ui.click("menu.play")
        assert ui.world[Scenes].current == "main"
        ui.frame()
        ui.click("menu.quit")
        assert not ui.app.running


def test_a_button_shows_the_hidden_screen_of_a_name() -> None:
    """A button that opens the name of a screen that is hidden shows it, and spawns no second one."""
    scene = """
    - {name: bar, Screen: {}, children: [{name: more, Button: {text: More, opens: panel}}]}
    - {prefab: panel}
    """
    panel = """
    prefabs:
      panel: {name: panel, Screen: {opens_by: P, visible: false}, children: [{name: shut, Button: {closes: true}}]}
    """
    with ui_game(scene, panel) as ui:
        assert not ui.node("panel").root.visible
        for _ in range(2):
            ui.click("bar.more")
            assert ui.node("panel").root.visible
            ui.world.set(ui.node("panel").entity, Screen(visible=False))
            ui.frame()
        assert len(ui.world.table(Screen)) == 2

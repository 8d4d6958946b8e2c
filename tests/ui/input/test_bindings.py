"""Widgets that show and change fields of the game."""

from __future__ import annotations

import pytest

from rish_core import Transform, named
from rish_ui import Slider, UiSettings
from ui_driver import ui_game

SCENE = """
- {name: hero, Transform: {position: [4, 0]}}
- name: hud
  Screen: {takes_keys: true}
  children:
    - {name: x, Slider: {high: 10, step: 1, bind: hero.Transform.position.x, show: "{value:.0f}"}}
    - {name: motion, Toggle: {text: Calm, bind: settings.ui.reduced_motion}}
    - {name: theme, Dropdown: {options: "dark\\nlight", bind: settings.ui.theme}}
    - {name: line, Label: {text: "x = {hero.Transform.position.x:.1f}"}}
"""


def test_a_field_is_shown_and_changed() -> None:
    """A slider shows the field that it is bound to, follows the game, and writes the player's value into it."""
    with ui_game(SCENE) as ui:
        assert "4" in ui.texts
        assert "x = 4.0" in ui.texts
        hero = named(ui.world, "hero")
        ui.world.get(hero, Transform).position = (7, 0)
        ui.frame()
        assert "7" in ui.texts
        assert "x = 7.0" in ui.texts
        ui.key("RIGHT")
        assert float(ui.world.get(hero, Transform).position[0]) == 8
        assert "x = 8.0" in ui.texts


def test_settings_are_changed() -> None:
    """A toggle and a dropdown change settings of plugins."""
    with ui_game(SCENE) as ui:
        ui.click("hud.motion")
        assert ui.world[UiSettings].reduced_motion is True
        ui.key("TAB", "RIGHT")
        ui.frame()
        assert ui.world[UiSettings].theme == "light"


@pytest.mark.parametrize("path", ["hero.Transform.positon.x", "nobody.Transform.rotation", "1 +"])
def test_a_binding_to_nothing_is_reported_once(path: str, caplog: pytest.LogCaptureFixture) -> None:
    """A path from code that names no field is one warning with the widget's path; the game goes on."""
    with ui_game("- {name: hud, Screen: {}, children: [{name: x, Slider: {}}]}") as ui:
        ui.world.set(ui.node("hud.x").entity, Slider(bind=path))
        ui.frame(3)
        said = [r.getMessage() for r in caplog.records if "Slider hud.x" in r.getMessage()]
        assert len(said) == 1

"""The lists of the shipped screens."""

from __future__ import annotations

from rish_ui import UiSettings
from ui_driver import ui_game

FILES = {
    "looks/sea_side.theme.yaml": "extends: light\n",
    "forest.theme.yaml": "extends: dark\n",
    "locale/en.yaml": "ui: {themes: {forest: The forest}}\n",
    "locale/zh-Hant.yaml": "ui: {themes: {forest: 森林}}\n",
}


def test_the_themes_of_a_game_can_be_chosen() -> None:
    """The list of themes in the options has those of the game first, with texts in the language of the player."""
    with ui_game("- prefab: options_screen", size=(960, 540), files=FILES) as ui:
        ui.world[UiSettings].language = "en"
        ui.click("options_screen.tabs.display.theme")
        assert {"The forest", "Sea side", "Dark", "Light", "High contrast"} <= set(ui.texts)
        ui.world[UiSettings].language = "zh-Hant"
        ui.frame()
        assert {"森林", "Sea side", "深色", "淺色", "高對比"} <= set(ui.texts)
        ui.key("UP", "UP", "UP", "UP", "UP", "ENTER")
        ui.frame()
        assert ui.world[UiSettings].theme == "forest.theme.yaml"

"""What the plugin tells those that draw."""

from __future__ import annotations

from rish_frame import Frame
from rish_ui import UiSettings
from ui_driver import ui_game

SCENE = "- {name: page, Screen: {}, children: [{Label: {text: $play}}]}"
FILES = {"locale/en.yaml": "play: Play", "locale/ja.yaml": "play: 直す", "locale/zh-Hant.yaml": "play: 開始"}


def test_letters_have_the_forms_of_the_language() -> None:
    """The frame has the language of the translations, from the first frame on and after a change."""
    with ui_game(SCENE, head="settings: {ui: {language: ja}}", files=FILES) as ui:
        assert ui.world[Frame].language == "ja"
        ui.world[UiSettings].language = "zh-HK"
        ui.frame()
        assert ui.world[Frame].language == "zh-Hant"
        assert "開始" in ui.texts

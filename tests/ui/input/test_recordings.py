"""The input of a game has the actions of the player on widgets, so replays depend on no layout, language or theme."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import InputRecord, TickHooks, WindowEvent
from rish_ui import TextInput, UiSettings
from ui_driver import UiDriver, ui_game

HEAD = """
variables: {gold: 3}
plugins: [ui, rules]
input: {jump: [SPACE]}
"""
SCENE = """
- name: options
  Screen: {takes_keys: true, modal: true}
  children:
    - {name: volume, Slider: {value: 0.5, bind: Variables.values.gold, high: 10, step: 1}}
    - {name: nick, TextInput: {}}
    - {name: easy, Toggle: {text: $easy}}
    - {name: back, Button: {text: $back, closes: true}}
"""
FILES = {
    "locale/en.yaml": "easy: Easy\nback: Back\n",
    "locale/zh-Hant.yaml": "easy: 簡單簡單簡單簡單\nback: 返回\n",
}


def _play(ui: UiDriver) -> tuple[list[InputRecord], list[str]]:
    """Operate all widgets; return the input and the hash of each tick."""
    records: list[InputRecord] = []
    hashes: list[str] = []

    def note(world: Any, record: InputRecord) -> None:
        records.append(record)
        hashes.append(world.hash())

    ui.world[TickHooks].after.append(note)
    ui.press("options.volume", 0.1)
    ui.release("options.volume", 0.8)
    ui.key("RIGHT", "TAB")
    ui.type("Zoë 中文")
    ui.key("BACKSPACE", "TAB", "ENTER", "gamepad.dpad_down", "gamepad.a")
    ui.frame(2)
    ui.send(WindowEvent("key", "SPACE", True))
    return records, hashes


@pytest.mark.parametrize(
    ("size", "settings"),
    [
        ((640, 360), {}),
        ((1920, 1080), {"language": "zh-Hant", "theme": "light", "text_scale": 2.0, "scale": 1.5}),
        ((320, 640), {"language": "zh-Hant", "theme": "contrast", "reduced_motion": True}),
    ],
)
def test_a_recording_replays_in_any_language_theme_and_size(size: tuple[int, int], settings: dict[str, Any]) -> None:
    """Input recorded in English at 640x360 gives equal hashes with other settings, and without any display."""
    with ui_game(SCENE, HEAD, files=FILES) as ui:
        ui.world[UiSettings].language = "en"
        first = ui.world.snapshot()
        records, hashes = _play(ui)
        names = [event.name for record in records for event in record.events if event.kind == "command"]
        assert "Changed options.volume" in names
        assert "Clicked options.back" in names
    with ui_game(SCENE, HEAD, files=FILES, size=(640, 360)) as ui:
        ui.backend.configure(size=size)
        ui.world.restore(first)
        for name, value in settings.items():
            setattr(ui.world[UiSettings], name, value)
        for record, expected in zip(records, hashes, strict=True):
            ui.app.simulate(record)
            ui.app.draw()
            assert ui.world.hash() == expected


def test_view_settings_do_not_change_the_hash() -> None:
    """Language, theme, focus, scrolling and an open list change no hash."""
    with ui_game(SCENE, HEAD, files=FILES) as ui:
        before = ui.world.hash()
        ui.world[UiSettings].language = "zh-Hant"
        ui.world[UiSettings].theme = "light"
        ui.app.draw()
        assert "返回" in ui.texts
        assert ui.world.hash() == before


def test_a_command_on_a_missing_widget_is_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    """A recording of another version of a game may name widgets that do not exist; the game goes on."""
    with ui_game(SCENE, HEAD, files=FILES) as ui:
        for _ in range(3):
            ui.app.tick(InputRecord((WindowEvent("command", "Clicked options.nothing"),)))
        assert [r.getMessage() for r in caplog.records].count(
            "the input has the command 'Clicked options.nothing', but there is no widget 'options.nothing' now"
        ) == 1


def test_commands_are_checked() -> None:
    """Values out of range and texts that are too long are limited, as the widget would do."""
    with ui_game(SCENE.replace("TextInput: {}", "TextInput: {most: 3}"), HEAD, files=FILES) as ui:
        ui.app.tick(InputRecord((WindowEvent("command", "Changed options.nick", text="abcdef"),)))
        assert ui.world.get(ui.node("options.nick").entity, TextInput).text == "abc"

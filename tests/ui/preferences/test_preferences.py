"""The preferences of a player: reading, applying, changing and writing them."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
import yaml

from preferred import Play, go
from rish_audio import AudioSettings
from rish_core import Input, TickHooks, UnknownName, UsageError, WindowEvent
from rish_frame import DeviceRequests
from rish_ui.components.settings import UiSettings
from rish_ui.preferences import Preferences

FILE = """\
version: 1
volume: {master: 0.5, music: 0}
language: de
theme: light
text_scale: 2
reduced_motion: true
fullscreen: true
keys: {jump: [W, gamepad.a], 'run': []}
"""


def written(folder: Path) -> Any:
    """Return the data of the file."""
    return yaml.safe_load((folder / "preferences.yaml").read_text(encoding="utf-8"))


def test_a_window_begins_with_the_players_file(play: Play) -> None:
    """Language, theme and volumes apply when the game begins, the keys before its first tick, the window after it."""
    app = play(file=FILE, installed=["audio"])
    world, chosen = app.world, app.world[Preferences]
    settings = world[UiSettings]
    shown = settings.language, settings.theme, settings.text_scale, settings.reduced_motion
    assert shown == ("de", "light", 2.0, True)
    assert world[AudioSettings].volumes == {"master": 0.5, "music": 0.0}
    go(app)
    assert world[DeviceRequests].is_fullscreen
    assert world[Input].actions == {"jump": ["W", "gamepad.a"], "run": [], "fire": ["SPACE", "X"]}
    assert (chosen.get("text_scale"), chosen.get("volume.music"), chosen.get("volume.effects")) == (2.0, 0.0, 1.0)


@pytest.mark.parametrize("options", [{"window": False}, {"personal": False}], ids=["no window", "for a hash"])
def test_a_game_that_nobody_plays_reads_and_writes_nothing(play: Play, folder: Path, options: Any) -> None:
    """Without a window, and for a hash that is printed, the file has no effect and does not change."""
    app = play(file=FILE, **options)
    assert go(app).world.hash() == go(play(**options)).world.hash()
    assert app.world[UiSettings].theme == "dark"
    app.world[Preferences].set("theme", "contrast")
    go(app)
    app.close()
    assert app.world[UiSettings].theme == "contrast"
    assert (folder / "preferences.yaml").read_text() == FILE


def test_what_is_chosen_is_written_and_there_the_next_time(play: Play, folder: Path) -> None:
    """Changes apply at once, are written after the frame, and a new game begins with them."""
    app = play(installed=["audio"])
    chosen = app.world[Preferences]
    chosen.set("volume.music", 0.25)
    chosen.set("theme", "contrast")
    chosen.bind("jump", ["1", "W", "W"])
    assert app.world[AudioSettings].volumes == {"music": 0.25}
    assert app.world[UiSettings].theme == "contrast"
    go(app)
    assert not chosen.unsaved
    keys = {"jump": ["KEY_1", "W"]}
    assert written(folder) == {"version": 1, "volume": {"music": 0.25}, "theme": "contrast", "keys": keys}
    again = go(play())
    assert again.world[UiSettings].theme == "contrast"
    assert again.world[Input].actions["jump"] == ["KEY_1", "W"]


def test_the_file_is_written_at_most_once_a_second_and_at_the_end(play: Play, folder: Path) -> None:
    """A change directly after a writing waits, and the end of the game does not."""
    app = play()
    for scale in (1.5, 2.0):
        app.world[Preferences].set("text_scale", scale)
        go(app)
    assert written(folder)["text_scale"] == 1.5
    app.close()
    assert written(folder)["text_scale"] == 2.0


def test_after_the_end_nothing_stays_in_the_ticks(play: Play) -> None:
    """At the end of the plugin its functions are taken out of the ticks; a plugin that begins again adds them once."""
    app = play()
    hooks, chosen = app.world[TickHooks], app.world[Preferences]
    before = len(hooks.before), len(hooks.after)
    chosen.close()
    assert (len(hooks.before), len(hooks.after)) == (before[0] - 1, before[1] - 1)
    chosen.attach(app)
    assert (len(hooks.before), len(hooks.after)) == before


def test_a_writing_that_fails_is_reported(play: Play, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """If the folder can't be made, that is an error in the log, and so is what is lost at the end."""
    app = play()
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("in the way")
    app.world[Preferences].set("theme", "light")
    with caplog.at_level(logging.ERROR):
        go(app)
        app.close()
    assert "can't be written to" in caplog.text
    assert "the last changes of the preferences are lost" in caplog.text


def test_reset_brings_the_games_own_values_back(play: Play, folder: Path) -> None:
    """One value, or everything with the keys; the file then says nothing about them."""
    app = go(play(file=FILE, installed=["audio"]))
    world, chosen = app.world, app.world[Preferences]
    chosen.reset("theme")
    assert (world[UiSettings].theme, world[UiSettings].language) == ("dark", "de")
    chosen.reset()
    go(app)
    assert (world[UiSettings].language, chosen.get("volume.music"), chosen.keys("jump")) == ("", 1.0, ["SPACE"])
    assert world[Input].actions["jump"] == ["SPACE"]
    assert not world[DeviceRequests].is_fullscreen
    chosen.save()
    assert written(folder) == {"version": 1}


def test_the_key_for_the_full_screen_is_a_choice(play: Play, folder: Path) -> None:
    """The window is as the player left it, also by the key."""
    app = go(play())
    app.host.backend.send(WindowEvent("key", "F11", down=True))
    go(app, 4)
    app.close()
    assert written(folder)["fullscreen"] is True


def test_choices_stay_after_a_restore(play: Play) -> None:
    """A restored state has the values of its time; the player's apply again, the keys before the next tick."""
    app = go(play())
    before = app.world.snapshot()
    app.world[Preferences].set("theme", "light")
    app.world[Preferences].bind("jump", ["W"])
    go(app)
    app.world.restore(before)
    assert app.world[UiSettings].theme == "light"
    assert app.world[Input].actions["jump"] == ["SPACE"]
    assert go(app).world[Input].actions["jump"] == ["W"]


@pytest.mark.parametrize(
    ("name", "value", "error", "said"),
    [
        ("tehme", "dark", UnknownName, "no preference is called 'tehme'"),
        ("volume.", 1, UnknownName, "no preference"),
        ("volume.music", 1.5, UsageError, "from 0 to 1, not the number 1.5"),
        ("volume.music", float("nan"), UsageError, "from 0 to 1"),
        ("text_scale", True, UsageError, "from 0.5 to 3"),
        ("reduced_motion", 1, UsageError, "true or false"),
        ("theme", 3, UsageError, "must be text"),
    ],
)
def test_a_wrong_value_is_refused(play: Play, name: str, value: Any, error: type, said: str) -> None:
    """An unknown name, a wrong type and a number out of range raise an error, and nothing changes."""
    app = play(window=False)
    with pytest.raises(error, match=said):
        app.world[Preferences].set(name, value)
    assert (app.world[UiSettings].theme, app.world[UiSettings].text_scale) == ("dark", 1.0)
    assert app.world[Preferences].get("volume.music") == 1.0

"""The editor as an App with a window, where files are watched: what is played, saved and edited outside stays whole."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_core import Name, Scenes
from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver
from rish_render import Shape, open_window

GAME = """rish: 1
game: {title: Yard, size: [640, 360]}
plugins: [render, physics, scripts]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: hero, at: [0, 100], Shape: {shape: circle, radius: 20}, Body: {}, Collider: {radius: 20}}
"""


@pytest.fixture
def windowed(settings: Settings, tmp_path: Path) -> Iterator[UIDriver]:
    """A person at an editor with a window that is not shown, but counts as one that a person can use."""
    window = open_window("Test", (1280, 720), visible=False)
    shell = Shell(settings, window=window, marks=True, drawn=False, saves=False)
    yield UIDriver(shell)
    shell.close()
    window.close()


@pytest.fixture
def yard(windowed: UIDriver, tmp_path: Path) -> Any:
    """The opened game."""
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "game.yaml").write_text(GAME)
    assert windowed.shell.open(tmp_path / "game")
    windowed.step(3)
    return windowed.shell.editor.game


def settle(driver: UIDriver, seconds: float = 1.6) -> None:
    """Let time pass, so that whatever watches files has seen the last change."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        driver.step()
        time.sleep(0.01)


def names(game: Any) -> list[str]:
    """Return the names of all entities, sorted."""
    return sorted(game.name_of(handle) for handle in game.world.table(Name).entities.tolist())


@pytest.mark.slow
def test_a_run_after_a_save_is_the_edited_state(windowed: UIDriver, yard: Any) -> None:
    """Save, Play and Stop double nothing, and the next save is neither refused nor writes less."""
    editor = windowed.shell.editor
    assert yard.app.windowed
    settle(windowed, 1.0)
    editor.run("entity.create.circle")
    windowed.step(2)
    edited, hashed = names(yard), yard.world.hash()
    windowed.key("Ctrl+S")
    settle(windowed)
    windowed.key("F5")
    settle(windowed, 0.6)
    assert names(yard) == edited
    windowed.key("F8")
    windowed.step(2)
    assert yard.world.hash() == hashed
    editor.run("entity.create.box")
    windowed.step(2)
    windowed.key("Ctrl+S")
    windowed.step(3)
    assert not editor.dialogs.open
    text = (yard.path / "game.yaml").read_text()
    assert text.count("name:") == 4
    assert "Body: {}" in text
    assert not yard.dirty


def test_a_scene_that_is_restarted_in_a_run_has_the_edits(windowed: UIDriver, yard: Any) -> None:
    """A run that restarts its scene begins with the unsaved edits; after Stop everything is as it was."""
    windowed.shell.editor.run("entity.create.box")
    yard.set(yard.named(["hero"]), Shape, "radius", 7.0)
    windowed.step(2)
    edited, hashed, manifest = names(yard), yard.world.hash(), yard.app.manifest
    windowed.key("F5")
    windowed.step(3)
    yard.world[Scenes].restart()
    windowed.step(5)
    assert names(yard) == edited
    assert yard.read(yard.named(["hero"])[0], Shape, "radius") == 7.0
    windowed.key("F8")
    windowed.step(2)
    assert yard.world.hash() == hashed
    assert yard.app.manifest is manifest

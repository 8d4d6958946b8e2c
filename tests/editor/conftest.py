"""Fixtures: an editor off screen, a person who drives it, and games to edit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver
from rish_render import open_window
from scene_hands import SceneHands

SIZE = (1280, 720)
GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {size: [60, 60], color: red}, Tags: {values: [box]}}
    - {name: blue, Transform: {position: [100, 0]}, Shape: {size: [60, 60], color: blue}, Tags: {values: [box]}}
"""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a person who has just installed the editor; they are saved into a folder of the test."""
    monkeypatch.setenv("RISH_CONFIG", str(tmp_path / "config"))
    return Settings(language="en", autosave=0.0)


@pytest.fixture(scope="session")
def window() -> Iterator[Any]:
    """A window of 1280x720 off screen, for one editor after another."""
    made = open_window("Test", SIZE, visible=False)
    yield made
    made.close()


@pytest.fixture
def shell(settings: Settings, window: Any) -> Iterator[Shell]:
    """An editor without a game."""
    made = Shell(settings, headless=True, window=window, marks=True, drawn=False, saves=False)
    yield made
    made.close()


@pytest.fixture
def driver(shell: Shell) -> UIDriver:
    """A person at the editor."""
    made = UIDriver(shell)
    made.step(2)
    return made


@pytest.fixture
def open_text(tmp_path: Path, driver: UIDriver) -> Callable[..., Any]:
    """A function that opens a game of this text (None: that of its folder); returns the `Game`."""

    def open_it(text: str | None = GAME, name: str = "game") -> Any:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        if text is not None:
            (folder / "game.yaml").write_text(text, encoding="utf-8")
        assert driver.shell.open(folder), [line.text for line in driver.shell.log.lines]
        driver.step(3)
        return driver.shell.editor.game

    return open_it


@pytest.fixture
def hands(driver: UIDriver, open_text: Callable[..., Any]) -> Callable[..., SceneHands]:
    """A function that opens a game and returns a person at its scene view, which shows 1 unit as 1 pixel."""

    def make(*text: str) -> SceneHands:
        return SceneHands(driver, open_text(*text))

    return make

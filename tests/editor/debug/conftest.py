"""Fixtures: a small game with the debug overlay, off screen, and a person who uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import App, open_game
from rish_editor.debug.plugin import Debug
from rish_editor.testing import UIDriver
from rish_render.backends.arcade import gl

GAME = """rish: 1
game: {title: Live, size: [1000, 600]}
plugins: [render, physics]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 600}}
    - {name: ball, Transform: {position: [0, 100]}, Shape: {shape: circle}, Body: {}, Collider: {radius: 20}}
"""


class Player:
    """A person at the window of a game, who sees no picture, which saves time; has what `UIDriver` needs of a shell."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.switch: Any = app.world[Debug].switch
        self.switch.marks = True
        self.real: Any = app.host.backend.window  # pyright: ignore[reportAttributeAccessIssue]
        self.real.switch_to()
        functions = gl.raw()
        functions.glEnable(functions.GL_RASTERIZER_DISCARD)
        height = app.host.size[1]
        self.window = SimpleNamespace(height=height, dispatch_event=self.real.dispatch_event)

    @property
    def editor(self) -> Any:
        """What the panels of the overlay get."""
        return self.switch.overlay.editor

    def frame(self, seconds: float) -> None:
        """Run a frame of the game, which does not poll events off screen."""
        self.real.dispatch_events()
        self.app.frame()


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the settings of the person who runs the tests."""
    monkeypatch.setenv("RISH_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("LANG", "C")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the game."""
    made = tmp_path / "game"
    made.mkdir()
    (made / "game.yaml").write_text(GAME, encoding="utf-8")
    return made


@pytest.fixture
def opened(folder: Path) -> Iterator[Callable[..., App]]:
    """A function that opens the game. debug: with the overlay, hidden at first."""
    apps: list[App] = []

    def make(*, debug: bool = True, more: tuple[str, ...] = (), **options: Any) -> App:
        given = {"backend": "arcade", **options} if debug else options
        overrides = ["settings.debug.open=false"] if debug else []
        apps.append(open_game(folder, overrides, headless=True, more=[*(["debug"] if debug else []), *more], **given))
        return apps[-1]

    yield make
    for app in apps:
        app.close()


@pytest.fixture
def player(opened: Callable[..., App]) -> UIDriver:
    """A person at the game, with the overlay shown."""
    shell = Player(opened())
    driver = UIDriver(shell)  # pyright: ignore[reportArgumentType]
    driver.step(2)
    shell.switch.show()
    driver.step(6)
    return driver

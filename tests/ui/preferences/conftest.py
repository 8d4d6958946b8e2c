"""Games in a window that draws nothing, with a folder for the files of the player."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from preferred import INPUT, Play
from rish_core import App
from rish_frame import NullBackend


class Windowed(NullBackend):
    """A backend that says it has a window."""

    capabilities = NullBackend.capabilities | {"window"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the game `My Game` in the folder of the player; it does not exist yet."""
    monkeypatch.setenv("RISH_USER_FOLDER", str(tmp_path / "player"))
    return tmp_path / "player" / "my-game"


@pytest.fixture
def play(rish_app: Callable[..., App], folder: Path) -> Play:
    """A function that starts a game in a window, or without one; file: of the preferences, already there."""

    def start(manifest: Any = None, *, window: bool = True, file: str = "", **options: Any) -> App:
        if file:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "preferences.yaml").write_text(file, encoding="utf-8")
        game = {"game": {"title": "My Game"}, "input": INPUT} | (manifest or {})
        installed = ["ui", *options.pop("installed", ())]
        backend = (Windowed if window else NullBackend)()
        return rish_app(game, installed=installed, backend=backend, headless=not window, **options)

    return start

"""The fixture `play`: a game with the plugin ui and some files of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_core import App, read_manifest


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the language of the system be English."""
    monkeypatch.setenv("LANGUAGE", "en")


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., App]]:
    """A function that starts a game: settings of ui, the entries of a scene, and texts by language."""
    apps: list[App] = []

    def start(settings: str = "", scene: str = "[]", files: dict[str, str] | None = None, **options: Any) -> App:
        (tmp_path / "locale").mkdir(exist_ok=True)
        for language, text in (files or {}).items():
            (tmp_path / "locale" / f"{language}.yaml").write_text(text, encoding="utf-8")
        text = f"rish: 1\nplugins: [ui]\nsettings: {{ui: {{{settings}}}}}\nscenes: {{main: {scene}}}\n"
        (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
        options = {"policy": "raise", "more": ["strict"], **options}
        apps.append(App(read_manifest(tmp_path / "game.yaml"), headless=True, **options))
        return apps[-1]

    yield start
    for app in apps:
        app.close()

"""`rish warmup` runs every scene for a few frames and reports how much was compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rish_core.app import App
from rish_ecs import jit


def test_every_scene_is_run(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every scene runs for the given number of frames, without a window."""
    with open(game / "game.yaml", "a") as file:
        file.write("  other: []\n")
    seen: list[str] = []
    frame = App.frame

    def noting(self: App, **options: Any) -> Any:
        found = frame(self, **options)
        from rish_core import Scenes

        seen.append(self.world[Scenes].current)
        return found

    monkeypatch.setattr(App, "frame", noting)
    monkeypatch.setattr(jit, "available", lambda: True)
    said = rish("warmup", game, "--frames", 2)
    assert said.code == 0
    assert seen == ["main"] * 2 + ["other"] * 2
    assert "compiled" in said.out


def test_without_a_compiler_there_is_nothing_to_do(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler the command reports that and ends with exit code 0."""
    monkeypatch.setattr(jit, "available", lambda: False)
    said = rish("warmup", game)
    assert said.code == 0
    assert "nothing to compile" in said.out


def test_a_game_without_a_renderer_can_be_warmed_up(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without a renderer can be warmed up."""
    monkeypatch.setattr(jit, "available", lambda: True)
    assert rish("warmup", game).code == 0


@pytest.mark.parametrize("option", [("--frames", "x"), ("--frames", "-3"), ("--backend", "nul")])
def test_wrong_options_are_the_users(option: tuple[str, str], rish: Any, game: Path, monkeypatch: Any) -> None:
    """Wrong options give exit code 2 and no traceback."""
    monkeypatch.setattr(jit, "available", lambda: True)
    said = rish("warmup", game, *option)
    assert said.code == 2
    assert "Traceback" not in said.err

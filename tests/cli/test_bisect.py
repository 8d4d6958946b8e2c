"""`rish run --bisect` finds the plugin that breaks a game, also one that ends the process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rish_cli import bisect as module

Said = Any


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Replace the processes of the trials: a trial is broken if the game's own plugin runs; list what was left out."""
    done: list[list[str]] = []

    def trial(options: Sequence[str], without: Sequence[str], ask: bool) -> tuple[bool, str]:
        done.append([*without])
        return "game" not in without, "it raised"

    monkeypatch.setattr(module, "_trial", trial)
    return done


def test_the_culprit_is_named(rish: Said, game: Path, trials: list[list[str]]) -> None:
    """The plugin that breaks the game is named with the end of its output, and the command fails."""
    said = rish("run", str(game), "--bisect", "--with", "strict,profile")
    assert said.code == 2
    assert said.lines[0].startswith("The game breaks with game; it took")
    assert said.lines[1] == "it raised"


def test_a_game_that_works_is_refused(rish: Said, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the game is not broken, the command says how to look further."""
    monkeypatch.setattr(module, "_trial", lambda *_: (False, ""))
    said = rish("run", str(game), "--bisect")
    assert said.code == 2
    assert "the game is not broken with all its plugins. Give more --frames, or use --bisect ask" in said.err


def test_a_person_can_answer(rish: Said, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `ask` a person says which trial is broken, in any spelling."""
    answers = iter(["Yes", "maybe", "n", "y", "y", "y", "y", "y"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    monkeypatch.setattr(module.subprocess, "run", lambda *_, **__: None)
    assert "The game breaks with" in rish("run", str(game), "--bisect", "ask").out


@pytest.mark.slow
def test_a_plugin_that_ends_the_process_is_found(rish: Said, game: Path) -> None:
    """A trial is a process of its own, so a plugin that ends it is found."""
    plugin = game / "plugin.py"
    plugin.write_text(plugin.read_text() + "\n\ndef rish_scene_loaded(world):\n    import os\n    os._exit(7)\n")
    assert "The game breaks with game" in rish("run", str(game), "--bisect", "--frames", "2").out

"""`rish lock` keeps the versions of a game's plugins, and `rish run` warns if others are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rish_ecs import how_to_update


@pytest.fixture
def locked(rish: Any, game: Path) -> Path:
    """Create a game with a lock file; return the file."""
    assert rish("lock", str(game)).code == 0
    return game / "game.lock"


def test_the_same_versions_are_no_change(rish: Any, game: Path, locked: Path) -> None:
    """Right after `lock` nothing has changed, and `run` says nothing."""
    assert 'rish-core: "' in locked.read_text()
    assert rish("lock", "--check", str(game)).code == 0
    assert rish("run", str(game), "--headless", "--frames", "1").err == ""


def test_other_versions_are_named_with_the_command(rish: Any, game: Path, locked: Path) -> None:
    """Another version, a package that is gone and a new one are named; `--check` then fails and `run` warns."""
    lines = [line for line in locked.read_text().splitlines() if "rish-core" not in line]
    locked.write_text("\n".join([*lines[:-1], '  rish-ecs: "9.1"', '  rish-wind: "2.0"\n']))
    said = rish("lock", "--check", str(game))
    assert said.code == 2
    how = how_to_update("rish-ecs", "==9.1")
    assert any(f"but the game was made with 9.1. {how}" in line for line in said.lines)
    assert "rish-wind 2.0 is in game.lock, but the game does not load it now" in said.lines
    assert any(line.startswith("rish-core") and "is loaded, but not in game.lock" in line for line in said.lines)
    assert "the game was made with 9.1" in rish("run", str(game), "--headless", "--frames", "1").err


@pytest.mark.parametrize("text", ["", "{", "packages: [1]", "a: &a [*a]", "\0"])
def test_a_damaged_file_is_named(rish: Any, game: Path, locked: Path, text: str) -> None:
    """A lock file that can't be read is a warning with the command that writes it again, never a failure of `run`."""
    locked.write_text(text)
    said = rish("run", str(game), "--headless", "--frames", "1")
    assert said.code == 0
    assert "game.lock can't be read; write it again: rish lock" in said.err


def test_nothing_is_lost_if_writing_fails(rish: Any, game: Path, locked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the file can't be written completely, the old one stays and the command fails."""
    before = locked.read_text()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", str(locked))

    monkeypatch.setattr("rish_system.files.os.replace", full)
    assert rish("lock", str(game)).code == 2
    assert locked.read_text() == before

"""A plugin is taken out of a game unless something of the game needs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rish_ecs import UnknownName, UsageError
from rish_packs.plugins import removing
from rish_packs.plugins.removing import remove_from_game, still_loaded

MANIFEST = """\
rish: 1
plugins: [render, basics, rules]  # of the game
scenes:
  main:
    - {Transform: {}, Lifetime: {seconds: 3}}
"""


@pytest.fixture
def dots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create the folder of a game, which is not tried in a new process."""
    folder = tmp_path / "dots"
    folder.mkdir()
    (folder / "game.yaml").write_text(MANIFEST)
    monkeypatch.setattr(removing, "lock", lambda manifest, tell, options: (folder / "game.lock").write_text("locked"))
    return folder


def silent(line: str) -> None:
    """Ignore a line of progress."""


def test_a_plugin_that_nothing_needs_is_removed(dots: Path) -> None:
    """The plugin leaves the list, comments stay, and the versions are locked."""
    assert remove_from_game(dots, "rules", silent) == []
    assert (dots / "game.yaml").read_text() == MANIFEST.replace(", rules", "")
    assert (dots / "game.lock").exists()


def test_what_needs_a_plugin_is_listed(dots: Path) -> None:
    """A plugin whose components a scene names is not removed, and each use is named with its place."""
    with pytest.raises(UsageError, match=r"game\.yaml:5:\d+: scenes\.main\[0\]\.Lifetime"):
        remove_from_game(dots, "basics", silent)
    assert (dots / "game.yaml").read_text() == MANIFEST


def test_force_removes_it_nevertheless(dots: Path) -> None:
    """With `force` the plugin is removed, the uses are returned, and the game is not locked."""
    needs = remove_from_game(dots, "basics", silent, force=True)
    assert "Lifetime" in needs[0]
    assert "plugins: [render, rules]" in (dots / "game.yaml").read_text()
    assert not (dots / "game.lock").exists()


def test_an_unknown_plugin_is_refused_with_choices(dots: Path) -> None:
    """A name that the manifest does not have is refused."""
    with pytest.raises(UnknownName, match=r"plugins has no 'rule'.*rules"):
        remove_from_game(dots, "rule", silent)


def test_plugins_that_require_it_are_known(dots: Path) -> None:
    """A plugin that others require stays loaded; they are named."""
    assert "render" in still_loaded(dots, "frame")


def test_the_command_says_what_it_did(rish: Any, dots: Path) -> None:
    """`rish remove` prints the result, and keeps a package that others require."""
    said = rish("remove", dots, "rules")
    assert (said.code, said.out) == (0, f"'rules' is removed from {dots}\n")
    said = rish("remove", dots, "render", "--uninstall")
    assert said.code == 2
    assert "rish-render stays installed, because" in said.err

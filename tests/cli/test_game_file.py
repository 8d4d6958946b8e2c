"""Files of other kinds than folders and manifests are opened by the package that offers their suffix."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_cli import OpenedGame, find_game
from rish_core.manifest import is_data_only
from rish_core.plugin import Candidate
from rish_ecs import UnknownName, UsageError


class Tar(Candidate):
    """A package that opens .tar files as the folder beside them."""

    def load(self) -> Any:
        """Return its module."""
        return SimpleNamespace(open_game=lambda path: OpenedGame(path.parent / path.stem, ["plugin.py"]))


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a .tar file that a package opens."""
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.setattr("rish_cli.game_file.installed_modules", lambda group: [Tar("tar", "tarry", "1", "tarry")])
    path = tmp_path / "dots.tar"
    path.write_bytes(b"")
    return path


def test_a_folder_and_a_manifest_stay_as_they_are(game: Path) -> None:
    """A folder, a manifest and a path that does not exist are returned unchanged."""
    for path in (game, game / "game.yaml", game / "missing"):
        assert find_game(path) == path
        assert not is_data_only(game)


def test_a_file_is_opened_by_its_suffix(archive: Path, game: Path) -> None:
    """The package with the suffix of a file opens it; its code runs only if it is trusted."""
    assert find_game(archive, trust=True) == game
    assert not is_data_only(game)
    assert find_game(archive, scripts=False) == game
    assert is_data_only(game)
    assert find_game(archive, trust=True) == game
    assert not is_data_only(game)


def test_code_that_is_not_trusted_is_refused(archive: Path) -> None:
    """Without a question and without trust, the file is refused with its code."""
    with pytest.raises(UsageError, match=r"dots\.tar.*Python code.*plugin\.py.*--trust.*--no-scripts"):
        find_game(archive, ask=False)


def test_a_file_that_can_not_be_changed_is_refused(archive: Path) -> None:
    """A command that changes the game refuses a file, and names the next step."""
    with pytest.raises(UsageError, match=r"can't be changed.*rish unpack"):
        find_game(archive, changes=True)


def test_an_unknown_suffix_is_refused_with_choices(archive: Path) -> None:
    """A suffix that no package opens is named with those that are known."""
    other = archive.rename(archive.with_suffix(".tra"))
    with pytest.raises(UnknownName, match=r"\.tra.*\.tar, a folder, game\.yaml"):
        find_game(other)


def test_the_missing_package_of_this_project_is_named(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If rish-packs is not installed, the message says how to get it."""
    monkeypatch.setattr("rish_cli.game_file.installed_modules", lambda group: [])
    pack = archive.rename(archive.with_suffix(".rishgame"))
    with pytest.raises(UsageError, match="rish-packs, which is not installed"):
        find_game(pack)

"""Copies of games."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_authoring import copy_game
from rish_core import UsageError, read_manifest


def test_a_copy_has_a_name_and_a_title_of_its_own(tmp_path: Path) -> None:
    """Each copy gets the next free number; what tools keep is not copied, and the original is as it was."""
    game = tmp_path / "yard"
    (game / ".rish").mkdir(parents=True)
    (game / ".rish" / "picture.png").write_bytes(b"")
    (game / "game.yaml").write_text("rish: 1  # a yard\ngame: {title: Yard, seed: 3}\nscenes: {main: []}\n")
    copies = [copy_game(game, tmp_path) for _ in range(2)]
    assert [copy.name for copy in copies] == ["yard-2", "yard-3"]
    assert [read_manifest(copy / "game.yaml").title for copy in copies] == ["Yard 2", "Yard 3"]
    identities = {read_manifest(folder / "game.yaml").identity for folder in (game, *copies)}
    assert len(identities) == 3  # so that each has saves of its own
    assert identities > {"Yard"}
    assert "# a yard" in (copies[0] / "game.yaml").read_text()
    assert not (copies[0] / ".rish").exists()
    assert read_manifest(game / "game.yaml").title == "Yard"


def test_a_copy_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """The message names the folder that can't be written."""
    with pytest.raises(UsageError, match=r"yard-2 can't be written"):
        copy_game(tmp_path / "yard", tmp_path / "nowhere")

"""Games that are played in a process of their own, and where the games of a clone or a bundle are."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from rish_editor.session.files import examples


def test_games_in_a_folder_are_those_with_a_manifest(tmp_path: Path) -> None:
    """They come in the order of their names, whatever the case; other folders are none."""
    for name in ("yard", "Attic", "notes"):
        (tmp_path / name).mkdir()
        if name != "notes":
            (tmp_path / name / "game.yaml").write_text("")
    assert [game.name for game in examples.games_in(tmp_path)] == ["Attic", "yard"]


def test_new_games_go_beside_the_game_where_a_person_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that can't be written, such as a stick behind a lock, is replaced by the person's own."""
    (tmp_path / "yard").mkdir()
    (tmp_path / "yard" / "game.yaml").write_text("")
    monkeypatch.chdir(tmp_path / "yard")
    assert examples.folder_for_games() == tmp_path
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert examples.folder_for_games() == Path.home()


@pytest.mark.slow
def test_the_output_of_a_played_game_is_there_after_an_error(tmp_path: Path) -> None:
    """A game that can't be played ends with the sentence that says why."""
    played = examples.PlayedGame(tmp_path / "yard")
    while (lines := played.ended()) is None:
        time.sleep(0.01)
    assert "yard" in lines[-1]

"""Games, save games and recordings of released versions: the current version checks, migrates, loads and plays them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rish_core import Failures, Transform, open_game
from rish_core.launcher import main
from rish_expressions import Variables
from rish_history import Player, Saves, open_recorded, read_recording
from rish_history.saves.saves import lost_fields, read_save

FROZEN = sorted(path.parent for path in (Path(__file__).parent / "frozen").glob("*/expected.json"))


@pytest.fixture(params=FROZEN, ids=[folder.name for folder in FROZEN])
def frozen(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a version's folder whose files are converted to the current formats."""
    folder = tmp_path / "frozen"
    shutil.copytree(request.param, folder)
    assert main(["migrate", *files(folder)]) == 0
    return folder


def files(folder: Path) -> list[str]:
    """Return the paths of the game, the save game and the recording in a folder."""
    return [str(folder / name) for name in ("orchard", "played.save", "run.rish")]


def test_a_game_of_an_earlier_version_has_no_mistakes(frozen: Path) -> None:
    """`rish check` finds nothing to change in a migrated game, and `rish migrate` nothing more to convert."""
    assert main(["check", str(frozen / "orchard")]) == 0
    assert main(["migrate", "--check", *files(frozen)]) == 0


@pytest.mark.slow
def test_a_save_game_of_an_earlier_version_goes_on(frozen: Path) -> None:
    """It is loaded without losing a field, has the values that it was saved with, and the game goes on from there."""
    expected = json.loads((frozen / "expected.json").read_text(encoding="utf-8"))
    with open_game(frozen / "orchard", headless=True, backend="null", more=["history"]) as app:
        assert lost_fields(app.world, read_save(frozen / "played.save").snapshot) == {}
        app.world[Saves].load(frozen / "played.save")
        assert app.world.tick == expected["tick"]
        assert len(app.world[Transform]) == expected["transforms"]
        assert app.world[Variables].values == expected["variables"]
        app.run(60)
        assert app.world[Variables].values["day"] > expected["variables"]["day"]
        assert not app.world[Failures].outcomes


@pytest.mark.slow
def test_a_recording_of_an_earlier_version_is_played(frozen: Path) -> None:
    """All of its inputs are read and reach the game."""
    recording = read_recording(frozen / "run.rish")
    assert not recording.cut
    with open_recorded(recording, frozen / "orchard", headless=True, backend="null") as app:
        for _, _, record in Player(app, recording).records():
            app.tick(record)
        assert app.world.tick == recording.ticks
        assert app.world[Variables].values["played"]
        assert not app.world[Failures].outcomes

"""Every game of the repository has a valid manifest, runs in strict mode, and draws something."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from long_runs import long
from rish_core import Scenes, open_game, read_manifest
from rish_core.launcher import main
from rish_ui.screens.starting import scene_behind

GAMES = sorted(path.parent for path in (Path(__file__).parents[2] / "games").glob("*/game.yaml"))
TICKS = long(60, 6)


def test_there_are_games() -> None:
    """The folder of games is found by these tests."""
    assert {"breakout", "hello"} <= {game.name for game in GAMES}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_manifest_checks_clean(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`rish check` reports no problem with the manifest."""
    assert main(["check", str(game)]) == 0
    assert "fine" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.slow
def test_it_runs_under_strict_watch(game: Path) -> None:
    """The first ticks raise no error in strict mode: nothing undeclared is written, no state is hidden."""
    changes = ["settings.game.most=200"] if game.name == "sprites" else []
    with open_game(game, changes, headless=True, policy="raise", more=["strict"]) as app:
        app.run(TICKS)
        assert app.world.tick == TICKS


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_its_film_shows_play(game: Path) -> None:
    """A film begins in play, without a menu; soon the picture has many colors, and it has the manifest's size."""
    with open_game(game, headless=True, pixels=True, policy="raise", demo=True) as app:
        assert scene_behind(app.game.scene(app.world[Scenes].current)) == ""
        app.run(long(59, 14), draw=False)
        app.frame()
        picture = app.pixels()
    width, height = read_manifest(game).value_at(("game", "size"))
    assert picture.shape == (height, width, 4)
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 100

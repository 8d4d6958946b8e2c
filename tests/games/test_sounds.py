"""The games have sounds, which never change their state, and are equally loud."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from long_runs import LONG, long
from loudness import loudness, true_peak
from rish_audio import AudioOutput, AudioSettings, Voices
from rish_core import open_game, read_manifest
from rish_core.plugin.discovery import installed_plugins
from rish_ui import Button, UiState, click
from shipped_menus import menus_of

FOLDERS = [path.parent for path in sorted((Path(__file__).parents[2] / "games").glob("*/game.yaml"))]
HEARD = [game for game in FOLDERS if any(each.name == "audio" for each in read_manifest(game).plugins)]
GAMES = [game for game in HEARD if "audio" in read_manifest(game).optional]
HEAVY = ("beacon", "lantern")
"""Games that are heard in long runs only: a second of them takes seconds, and Lantern begins softly."""
TICKS = {"beacon": 300, "hello": 90, "sirens": 600, "sprites": 90}
"""Ticks of the sample of games that are as loud as in play earlier or later than after 180 ticks."""
COMPARED = long(150, 20)
WITH_MENUS = [game for game in GAMES if any(each.name == "ui" for each in read_manifest(game).plugins)]


@pytest.mark.parametrize("game", WITH_MENUS, ids=lambda game: game.name)
@pytest.mark.slow
def test_a_click_is_heard(game: Path) -> None:
    """A click on a button plays the sound of clicks; the arrows of a gallery may have one of their own."""
    with menus_of(game.name) as ui:
        nodes = ui.world[UiState].ready(ui.world).nodes
        buttons = [each.path for entity, each in nodes.items() if ui.world.has(entity, Button) and each.root.visible]
        click(ui.world, next(path for path in buttons if not path.endswith(("back", "next"))))
        ui.wait(2)
        assert ui.world.intern("click") in ui.world[Voices].column("sound")


def heard(game: Path, ticks: int, *overrides: str, demo: bool = True, hashes: list[str]) -> tuple[np.ndarray, int]:
    """Return what is heard of a game that plays itself, and the rate.

    demo: whether it begins in play. hashes: gets the hash of each of the first ticks.
    """
    kept: list[np.ndarray] = []
    with open_game(game, overrides, headless=True, policy="raise", demo=demo) as app:
        app.world[AudioOutput].add_offline(app.world, "test", kept.append)
        for tick in range(ticks):
            app.run(1, draw=False)
            if tick < COMPARED:
                hashes.append(app.world.hash())
        return np.concatenate(kept), int(app.world[AudioSettings].rate)


def hashes_without_plugin(game: Path) -> list[str]:
    """Return the hashes of the first ticks of a game that plays itself where rish-audio is not installed."""
    installed = [each for each in installed_plugins() if each.name != "audio"]
    hashes: list[str] = []
    with open_game(game, headless=True, policy="raise", demo=True, installed=installed) as app:
        assert "audio" not in app.plugins
        for _ in range(COMPARED):
            app.run(1, draw=False)
            hashes.append(app.world.hash())
    return hashes


@pytest.mark.parametrize("game", [game for game in HEARD if LONG or game.name not in HEAVY], ids=lambda game: game.name)
@pytest.mark.slow
def test_all_games_are_equally_loud(game: Path) -> None:
    """In play, each game has a loudness of -20 LUFS, within 1.5, and no peak above -1 dB below full scale.

    Where rish-audio is optional and not installed, the game runs and every tick has the same hash.
    """
    hashes: list[str] = []
    ticks = long(1800, TICKS.get(game.name, 180))
    samples, rate = heard(game, ticks, hashes=hashes)
    assert loudness(samples, rate) == pytest.approx(-20, abs=1.5)
    assert true_peak(samples) < -1
    if game in GAMES:
        assert hashes == hashes_without_plugin(game)


@pytest.mark.slow
def test_the_notes_of_the_orchard_begin_softly() -> None:
    """No note of the title's music begins with an edge, as a saw does whose first period is as loud as the others."""
    [orchard] = [game for game in GAMES if game.name == "orchard"]
    music, _ = heard(orchard, 230, "settings.audio.volumes={effects: 0, nature: 0}", demo=False, hashes=[])
    assert np.abs(np.diff(music, 2, axis=0)).max() < 0.025

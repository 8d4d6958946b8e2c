"""The games have sounds, which never change their state, and are never too loud."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from long_runs import long
from rish_audio import AudioOutput, AudioState
from rish_core import open_game, read_manifest
from rish_core.plugin.discovery import installed_plugins
from rish_ui import Button, UiState, click
from shipped_menus import menus_of

GAMES = [
    path.parent
    for path in sorted((Path(__file__).parents[2] / "games").glob("*/game.yaml"))
    if "audio" in read_manifest(path.parent).optional
]
WITH_MENUS = [game for game in GAMES if any(each.name == "ui" for each in read_manifest(game).plugins)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_its_state_is_the_same_with_and_without_the_plugin(game: Path) -> None:
    """Where rish-audio is not installed, the game runs and every tick has the same hash."""
    installed = [each for each in installed_plugins() if each.name != "audio"]
    with (
        open_game(game, headless=True, policy="raise") as app,
        open_game(game, headless=True, policy="raise", installed=installed) as bare,
    ):
        assert "audio" not in bare.plugins
        for _ in range(long(150, 60)):
            for each in (app, bare):
                each.run(1, draw=False)
            assert app.world.hash() == bare.world.hash()


@pytest.mark.parametrize("game", WITH_MENUS, ids=lambda game: game.name)
@pytest.mark.slow
def test_a_click_is_heard(game: Path) -> None:
    """A click on a button plays the sound of clicks; the arrows of a gallery may have one of their own."""
    with menus_of(game.name) as ui:
        nodes = ui.world[UiState].ready(ui.world).nodes
        buttons = [each.path for entity, each in nodes.items() if ui.world.has(entity, Button) and each.root.visible]
        click(ui.world, next(path for path in buttons if not path.endswith(("back", "next"))))
        ui.wait(2)
        assert "click" in ui.world[AudioState].played


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.slow
def test_it_is_heard_and_never_too_loud(game: Path) -> None:
    """Some seconds without a player are not silent, and have no sample at the limit."""
    kept: list[np.ndarray] = []
    with open_game(game, headless=True, policy="raise") as app:
        app.world[AudioOutput].add_offline(app.world, "test", kept.append)
        app.run(long(600, 300), draw=False)
    samples = np.concatenate(kept)
    level = 20 * np.log10(np.sqrt(np.square(samples, dtype=np.float64).mean()))
    assert -45 < level < -14
    assert 0.05 < np.abs(samples).max() < 0.95

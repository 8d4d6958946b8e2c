"""View fields never feed the simulation: with random values in them all games have the same hash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from long_runs import only_long
from rish_core import App, open_game
from view_noise import scramble_view

GAMES = Path(__file__).parents[2] / "games"
NAMES = sorted(path.parent.name for path in GAMES.glob("*/game.yaml"))


def hashes(open_app: Callable[[], App], ticks: int, *, noisy: bool) -> list[str]:
    """Return the hash of each tick. noisy: whether view fields are random before each one."""
    rng, found, count = np.random.default_rng(4), [], 0
    with open_app() as app:
        for _ in range(ticks):
            count += scramble_view(app.world, rng) if noisy else 0
            app.run(1)
            found.append(app.world.hash())
    assert count > 0 or not noisy
    return found


@pytest.mark.parametrize("name", NAMES)
@only_long
def test_view_fields_of_a_game_change_nothing(name: str) -> None:
    """A game has the same hash in each tick, whatever is in its view fields."""

    def open_app() -> App:
        return open_game(GAMES / name, headless=True, policy="raise")

    assert hashes(open_app, 120, noisy=True) == hashes(open_app, 120, noisy=False)

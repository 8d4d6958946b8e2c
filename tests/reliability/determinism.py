"""Determinism: the same game with the same ticks has the same hash, in whatever process."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rish_core import open_game

from .registry import Try, check

GAMES = sorted(path.parent for path in (Path(__file__).parents[2] / "games").glob("*/game.yaml"))
_PLAY = """import sys
from rish_core import open_game
with open_game(sys.argv[1], headless=True, warm_up=False) as app:
    app.run(int(sys.argv[2]), draw=False)
    print(app.world.hash())
"""


@check("same-hash", quick=4, whole=60)
def same_hash() -> Iterator[Try]:
    """A shipped game has the same hash after some ticks in this process and in one with another seed of hashes."""

    def attempt(chance: random.Random) -> None:
        game, ticks = chance.choice(GAMES), chance.randint(1, 120)
        with open_game(game, headless=True, warm_up=False) as app:
            app.run(ticks, draw=False)
            here = app.world.hash()
        environment = {**os.environ, "PYTHONHASHSEED": str(chance.randrange(1 << 32))}
        done = subprocess.run(
            [sys.executable, "-c", _PLAY, str(game), str(ticks)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split()[-1] == here, f"{game.name} after {ticks} ticks"

    yield attempt

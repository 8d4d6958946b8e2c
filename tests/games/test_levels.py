"""Games give the same bits whichever level of processors their kernels were compiled for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rish_jit
from long_runs import only_long

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parent.name for path in (ROOT / "games").glob("*/game.yaml"))
LEVELS = [level for level in rish_jit.LEVELS if (level == "arm64") == (rish_jit.default_level() == "arm64")]


def hash_of(game: str, **environment: str) -> str:
    """Return the hash of a game after two seconds, drawn by the software backend."""
    command = [sys.executable, "-m", "rish_core", "run", f"games/{game}", "--headless", "--backend", "software"]
    command += ["--frames", "120", "--hash"]
    given = {**os.environ, **environment}
    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("hash ")[1].split()[0]


@pytest.fixture(scope="module", params=LEVELS)
def level(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment in which kernels are compiled for a level, into a cache of its own."""
    return rish_jit.environment_for(request.param, tmp_path_factory.mktemp(request.param))


@only_long
@pytest.mark.slow
@pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")
@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_the_same_hash_at_every_level(level: dict[str, str], game: str) -> None:
    """The hash of a game is the one that this machine's own level gives."""
    assert hash_of(game, **level) == hash_of(game)

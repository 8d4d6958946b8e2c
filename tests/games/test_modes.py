"""The games have the same hashes however kernels run: from images, compiled by numba, for each level, and as Python.

A run without numba in which nothing falls back to plain Python proves that the lists of kernels are whole.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import rish_jit
from long_runs import only_long
from rish_jit.machine import host
from without_numba import hide_numba

pytestmark = pytest.mark.skipif(
    not (rish_jit.can_compile() and host.usable()), reason="needs numba, on a system that can load machine code"
)
ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parent.name for path in (ROOT / "games").glob("*/game.yaml"))
LEVELS = [level for level in ("x86-64-v2", "x86-64-v3") if host.has_level(level)]
FIRST, OTHERS = [3, 60, 300], [30]
"""The frames of the first scene and of the others after which hashes are taken."""
PLAIN = 3
"""The frames as plain Python: a frame of `physics` takes seconds."""
PLAY = """
import json, sys
import rish_jit
from rish_core import Scenes, open_game

game, marks, others, draws = json.loads(sys.argv[1])
hashes = {}
with open_game(game, headless=True, **({"pixels": True} if draws else {})) as app:
    for scene in list(app.game.scenes)[: None if others else 1]:
        app.world[Scenes].go(scene)
        app.border()
        for number in range(1, marks[-1] + 1):
            app.frame(draw=draws and number % 15 == 1)
            if number in marks:
                hashes[f"{scene} {number}"] = app.world.hash()
        marks = others
names = sorted({"numba", "llvmlite"} & {*sys.modules})
print(json.dumps([hashes, [f"{kernel}{types}" for kernel, types in rish_jit.plain_calls()], names]))
"""
PACK = """
import json, pathlib, sys
import rish_jit
from rish_core import open_game

path, games = json.loads(sys.argv[1])
entries = {}
for game in games:
    with open_game(game, headless=True, warm_up=False) as app:
        app.kernels.compile_all(lambda done, total: True)
        for each in app.kernels.listed_for(lambda feature: True):
            entry = None if each.inner else rish_jit.stored(each)
            if entry is not None and entry.code:
                entries[each.kernel, each.types] = entry
rish_jit.write_image(pathlib.Path(path), list(entries.values()), rish_jit.default_level())
"""


class Played(NamedTuple):
    """hashes: by scene and frame. plain: the kernels that ran as plain Python. imported: of numba and llvmlite."""

    hashes: dict[str, str]
    plain: list[str]
    imported: list[str]


def python(code: str, given: object, variables: Mapping[str, str]) -> str:
    """Run code in a new process with an argument as JSON; return its last line."""
    unset = ("RISH_NO_JIT", "RISH_CPU_LEVEL", "NUMBA_OPT")
    environment = {name: value for name, value in os.environ.items() if name not in unset} | dict(variables)
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(given)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout.splitlines()[-1] if done.stdout else ""


def play(
    game: str, marks: list[int], others: list[int] | None, *, before: str = "", draws: bool = False, **variables: str
) -> Played:
    """Let a game play itself. before: code for the start of the program. draws: whether every 15th frame is drawn."""
    given = [str(ROOT / "games" / game), marks, others, draws]
    return Played(*json.loads(python(before + PLAY, given, variables)))


@pytest.mark.slow
def test_a_game_is_the_same_with_compiled_and_plain_kernels(tmp_path: Path) -> None:
    """A small game has the same hashes with compiled kernels, without numba, and as plain Python."""
    compiled = play("hello", [2, 20], None, draws=True)
    alone = play("hello", [2, 20], None, draws=True, before=hide_numba(tmp_path))
    assert alone == Played(compiled.hashes, [], [])
    assert play("hello", [2], None, RISH_NO_JIT="1").hashes.items() <= compiled.hashes.items()


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that gives a cache with nothing but an image of all lists for a level of processors."""
    caches: dict[str, Path] = {}

    def cache_for(level: str) -> Path:
        if level not in caches:
            folder = tmp_path_factory.mktemp(level)
            games = [str(ROOT / "games" / game) for game in GAMES]
            source = {"RISH_CPU_LEVEL": level}
            if level != rish_jit.default_level():
                source["RISH_CACHE_DIR"] = str(folder / "compiled")
            python(PACK, [str(folder / "kernels.image"), games], source)
            command = [sys.executable, "-m", "rish_core", "warmup", "--from", str(folder / "kernels.image"), *games]
            taken = {"RISH_CPU_LEVEL": level, "RISH_CACHE_DIR": str(folder / "cache")}
            subprocess.run(command, check=True, env={**os.environ, **taken}, capture_output=True)
            caches[level] = folder / "cache"
        return caches[level]

    return cache_for


@only_long
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_all_games_are_the_same_however_kernels_run(
    game: str, images: Callable[[str], Path], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Without numba on an image of the lists, for each level, no kernel runs as plain Python; numba's own dispatchers
    and plain Python give the same hashes.
    """
    hidden = hide_numba(tmp_path)
    played: dict[str, Played] = {}
    for level in LEVELS:
        variables: dict[str, Any] = {"RISH_CPU_LEVEL": level, "RISH_CACHE_DIR": str(images(level))}
        played[level] = play(game, FIRST, OTHERS, draws=True, before=hidden, **variables)
        assert (played[level].plain, played[level].imported) == ([], [])
    first = played[LEVELS[0]].hashes
    assert {level: each.hashes for level, each in played.items()} == dict.fromkeys(played, first)
    numba_cache = tmp_path_factory.getbasetemp() / "numba"
    with_numba = play(game, FIRST, OTHERS, NUMBA_OPT="3", RISH_CACHE_DIR=str(numba_cache))
    assert with_numba.hashes == first
    assert play(game, [PLAIN], None, RISH_NO_JIT="1").hashes.items() <= first.items()

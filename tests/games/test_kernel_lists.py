"""The lists of kernels that packages ship name what the features of the shipped games really call."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

import rish_jit
from fresh_python import run_python
from rish_core.plugin.discovery import installed_plugins
from rish_jit.signatures import types_of

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.parent for path in (ROOT / "games").glob("*/game.yaml"))
needs_numba = pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")


def lists() -> list[Path]:
    """Return the lists of all installed packages and shipped games."""
    packages = {each.value.partition(".")[0] for each in installed_plugins()} | {"rish_core"}
    files = [importlib.import_module(package).__file__ for package in sorted(packages)]
    folders = [rish_jit.package_folder(file) for file in files if file] + GAMES
    return [path for folder in folders if (path := folder / rish_jit.LIST_FILE).is_file()]


LISTS = lists()


def test_the_packages_with_kernels_have_lists() -> None:
    """Each package with kernels of features has a list."""
    names = {path.parent.name for path in LISTS}
    assert {"rish_core", "rish_frame", "rish_lighting", "rish_particles", "rish_physics", "rish_render"} <= names


@needs_numba
@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.parent.name)
def test_each_entry_can_be_compiled(path: Path) -> None:
    """Each line names a kernel that exists and types that numba knows, once."""
    entries = rish_jit.read_list(path)
    assert len({(each.kernel, each.types) for each in entries}) == len(entries)
    for each in entries:
        types_of(each.types)
        assert each.kernel.startswith("_rish_game_") or each.find() is not None, each.kernel


CHECK = """
import json, sys
from rish_core import Scenes, open_game
import rish_jit

unlisted = []
with open_game(sys.argv[1], headless=True, backend="software", warm_up=False, policy="raise") as app:
    for scene in app.game.scenes:
        app.world[Scenes].go(scene)
        app.border()
        for name, call in app.features().items():
            listed = {(each.kernel, each.types) for each in app.kernels.listed([name])}
            used = []
            stop = rish_jit.on_use(lambda entry: used.append((entry.key.kernel, entry.key.types)))
            call()
            stop()
            unlisted += [[*name, *kernel] for kernel in used if kernel not in listed]
print(json.dumps(unlisted))
"""


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_no_feature_of_a_game_calls_an_unlisted_kernel(game: Path) -> None:
    """Every kernel that a feature of the game loads or compiles is listed for it; otherwise record the lists again."""
    done = run_python("-c", CHECK, str(game), cwd=ROOT)
    assert done.returncode == 0, done.stderr
    unlisted = json.loads(done.stdout.splitlines()[-1])
    assert unlisted == [], "run: rish record-kernels games/* tests/kernels"

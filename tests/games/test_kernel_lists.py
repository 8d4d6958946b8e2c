"""The lists of kernels that packages ship name what the features of the shipped games really call."""

from __future__ import annotations

import importlib
import json
import tomllib
from pathlib import Path

import pytest

import rish_jit
from fresh_python import run_python
from rish_core.plugin.discovery import installed_plugins
from rish_jit.signatures import types_of

ROOT = Path(__file__).parents[2]
LIMITS = tomllib.loads((ROOT / "tests" / "limits.toml").read_text(encoding="utf-8"))
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
from rish_jit.cache import INNER

unlisted, prepared = [], set()
with open_game(sys.argv[1], headless=True, backend="software", warm_up=False, policy="raise") as app:
    for scene in app.game.scenes:
        app.world[Scenes].go(scene)
        app.border()
        for name, call in app.features().items():
            listed = {(each.kernel, each.types) for each in app.kernels.listed([name])}
            prepared |= listed
            used = []
            stop = rish_jit.on_use(lambda entry: used.append((entry.key.kernel, entry.key.types)))
            call()
            stop()
            unlisted += [[*name, *kernel] for kernel in used if kernel not in listed and not kernel[0].endswith(INNER)]
print(json.dumps([unlisted, len(prepared)]))
"""


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_no_feature_of_a_game_calls_an_unlisted_kernel(game: Path) -> None:
    """The features of a game call only kernels that are listed for them, and not more kernels than it is allowed.

    Each costs the first start of the game up to a second. Otherwise record the lists again. Forms that only kernels
    call are compiled with their callers, so which of them are seen depends on what is in the cache.
    """
    done = run_python("-c", CHECK, str(game), cwd=ROOT)
    assert done.returncode == 0, done.stderr
    unlisted, prepared = json.loads(done.stdout.splitlines()[-1])
    assert unlisted == [], "run: rish record-kernels games/* tests/kernels"
    assert prepared <= LIMITS["kernels"][game.name]

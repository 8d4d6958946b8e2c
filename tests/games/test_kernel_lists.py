"""The lists of kernels that packages ship name what the features of the shipped games really call."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

import rish_jit
from long_runs import LONG, long
from rish_core import Scenes
from rish_core.plugin.discovery import installed_plugins
from rish_devtools.kernel_lists.lists import unlisted
from rish_devtools.kernel_lists.recorder import Task, open_drawing, record
from rish_jit.signatures import types_of
from rish_jit.stamps import reached

ROOT = Path(__file__).parents[2]
LIMITS = tomllib.loads((ROOT / "tests" / "limits.toml").read_text(encoding="utf-8"))
GAMES = sorted(path.parent for path in (ROOT / "games").glob("*/game.yaml"))
NJIT = re.compile("^@njit", re.MULTILINE)
SAMPLES = ROOT / "tests" / "kernels"
PLAYED = {"breakout", "kernels", "lantern", "orchard"}
"""The games that are checked in each run of the tests; `kernels` has what no shipped game has."""
needs_numba = pytest.mark.skipif(not rish_jit.can_compile(), reason="kernels run as plain Python here")


def package_folders() -> list[Path]:
    """Return the folders of all packages of Rish."""
    packages = {each.value.partition(".")[0] for each in installed_plugins()} | {"rish_core", "rish_ecs"}
    files = [importlib.import_module(package.partition(":")[0]).__file__ for package in sorted(packages)]
    folders = [rish_jit.package_folder(file) for file in files if file]
    return [folder for folder in folders if ROOT in folder.parents]


PACKAGES = package_folders()
LISTS = [path for folder in (*PACKAGES, *GAMES) if (path := folder / rish_jit.LIST_FILE).is_file()]


@pytest.mark.slow
def test_each_kernel_is_in_a_list_or_called_by_one_that_is() -> None:
    """No kernel of a package is missing in the lists, whatever games and tests call; those of `rish_jit` are callees.

    So wheels bring all kernels, and a game without numba runs none as plain Python.
    """
    sources = [path for folder in PACKAGES for path in folder.rglob("*.py") if NJIT.search(path.read_text("utf-8"))]
    for path in sources:
        package = rish_jit.package_folder(str(path))
        importlib.import_module(".".join([package.name, *path.relative_to(package).with_suffix("").parts]))
    listed = {each.kernel for path in LISTS for each in rish_jit.read_list(path)}
    kernels = [each for each in rish_jit.kernels() if Path(each.py_func.__code__.co_filename) in sources]
    assert len(kernels) > 500
    called = {id(inner) for each in kernels if each.name in listed for inner in reached(each.py_func)}
    assert [each.name for each in kernels if id(each.py_func) not in called] == []


@needs_numba
@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.parent.name)
def test_each_entry_can_be_compiled(path: Path) -> None:
    """Each line names a kernel that exists and types that numba knows, once."""
    entries = rish_jit.read_list(path)
    assert len({(each.kernel, each.types) for each in entries}) == len(entries)
    for each in entries:
        types_of(each.types)
        assert each.kernel.startswith("_rish_game_") or each.find() is not None, each.kernel


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [game for game in (*GAMES, SAMPLES) if LONG or game.name in PLAYED], ids=lambda path: path.name
)
def test_no_game_calls_an_unlisted_kernel(game: Path) -> None:
    """Features call only what is listed for them, and play what any list names.

    Some games play in each run of the tests, all of them for longer in long runs. What other kernels call is compiled
    with its callers and not seen here.
    """
    recording = record(Task(str(game), frames=long(1200, 40)))
    with open_drawing(str(game)) as app:
        assert unlisted(app, recording.uses) == [], "run: rish record-kernels games/* tests/kernels"


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_not_too_much_is_compiled_at_a_start(game: Path) -> None:
    """The kernels of all features of all scenes are within the limits: each costs the first start up to a second."""
    with open_drawing(str(game)) as app:
        features: dict[tuple[str, str], None] = {}
        for scene in app.game.scenes:
            app.world[Scenes].go(scene)
            app.border()
            features |= dict.fromkeys(app.features())
        prepared = {(each.kernel, each.types) for each in app.kernels.listed(features)}
        assert len(prepared) <= LIMITS["kernels"][game.name]

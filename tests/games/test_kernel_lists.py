"""The lists of kernels that packages ship name what the features of the shipped games really call."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest

import rish_jit
from long_runs import long
from rish_core.plugin.discovery import installed_plugins
from rish_devtools.kernel_lists.lists import unlisted
from rish_devtools.kernel_lists.recorder import Task, open_drawing, record
from rish_jit.signatures import types_of

ROOT = Path(__file__).parents[2]
LIMITS = tomllib.loads((ROOT / "tests" / "limits.toml").read_text(encoding="utf-8"))
GAMES = sorted(path.parent for path in (ROOT / "games").glob("*/game.yaml"))
SAMPLES = ROOT / "tests" / "kernels"
PLAYED = {"breakout", "kernels", "lantern", "orchard"}
"""The games whose play is checked in each run of the tests; `kernels` has what no shipped game has."""
needs_numba = pytest.mark.skipif(not rish_jit.can_compile(), reason="kernels run as plain Python here")


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


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize("game", [*GAMES, SAMPLES], ids=lambda path: path.name)
def test_no_game_calls_an_unlisted_kernel(game: Path) -> None:
    """Features call only what is listed for them, play what any list names, and not too much is compiled at a start.

    Each kernel costs the first start of the game up to a second. Some games play in each run of the tests, all of them
    for longer in long runs. What other kernels call is compiled with its callers and not seen here.
    """
    recording = record(Task(str(game), frames=long(1200, 40 if game.name in PLAYED else 0)))
    with open_drawing(str(game)) as app:
        gaps = unlisted(app, recording.uses)
        prepared = {(each.kernel, each.types) for each in app.kernels.listed(recording.features)}
    assert gaps == [], "run: rish record-kernels games/* tests/kernels"
    assert len(prepared) <= LIMITS["kernels"].get(game.name, 1000)

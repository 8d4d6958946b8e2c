"""A game's plugin file is loaded as a package of its own, and `sys.path` stays unchanged."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rish_core import read_manifest
from rish_core.errors import AssetError
from rish_core.manifest import use_data_only
from rish_core.plugin.game import forget_game_plugin, load_game_plugin
from rish_ecs import place_of_error


def write(folder: Path, **files: str) -> Path:
    """Write a game's Python files; return the path of its plugin.py."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder / "plugin.py"


def test_siblings_are_imported_relatively(tmp_path: Path) -> None:
    """`from .levels import x` imports the file beside plugin.py."""
    path = list(sys.path)
    file = write(tmp_path / "my game", plugin="from .levels import LEVELS", levels="LEVELS = [1, 2]")
    module = load_game_plugin(file)
    assert module.LEVELS == [1, 2]
    assert sys.path == path
    assert module.__name__ == "_rish_game_my_game"
    forget_game_plugin(module)
    assert not [name for name in sys.modules if name.startswith("_rish_game_my_game")]


def test_two_games_do_not_meet(tmp_path: Path) -> None:
    """Two folders of the same name have separate modules, and so have two loads of one folder."""
    (tmp_path / "other").mkdir()
    first = load_game_plugin(write(tmp_path / "game", plugin="from .levels import N", levels="N = 1"))
    second = load_game_plugin(write(tmp_path / "other" / "game", plugin="from .levels import N", levels="N = 2"))
    again = load_game_plugin(tmp_path / "game" / "plugin.py")
    assert (first.N, second.N, again.N) == (1, 2, 1)
    assert len({first.__name__, second.__name__, again.__name__}) == 3
    for module in (first, second, again):
        forget_game_plugin(module)


def test_a_sibling_may_import_the_plugin(tmp_path: Path) -> None:
    """`from .plugin import x` in a sibling imports the same module, so that no class exists twice."""
    file = write(
        tmp_path / "game",
        plugin="class Ball: ...\nfrom . import rules",
        rules="from .plugin import Ball",
    )
    module = load_game_plugin(file)
    assert module.rules.Ball is module.Ball
    forget_game_plugin(module)


def test_an_absolute_import_of_a_sibling_is_explained(tmp_path: Path) -> None:
    """`import levels` fails with the hint to import relatively."""
    file = write(tmp_path / "game", plugin="import levels", levels="")
    with pytest.raises(ModuleNotFoundError, match=r"beside plugin.py: write from \. import levels") as caught:
        load_game_plugin(file)
    assert place_of_error(caught.value).file.endswith("plugin.py")


def test_a_failed_load_leaves_nothing_behind(tmp_path: Path) -> None:
    """A plugin that raises during loading leaves no modules in `sys.modules`."""
    before = set(sys.modules)
    with pytest.raises(ZeroDivisionError):
        load_game_plugin(write(tmp_path / "game", plugin="from . import levels\n1 / 0", levels=""))
    assert {name for name in set(sys.modules) - before if "rish_game" in name} == set()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A missing plugin file raises AssetError with its path."""
    with pytest.raises(AssetError, match=r"plugin\.py: the game's plugin is missing"):
        load_game_plugin(tmp_path / "plugin.py")


@pytest.mark.parametrize("name", ["plugin", "levels"])
def test_afresh_reads_the_texts_themselves(tmp_path: Path, name: str) -> None:
    """A second save with the same size and time is read again, for every module of the game."""
    file = write(tmp_path / "game", plugin="from .levels import M\nN = 1\n", levels="M = 1\n")
    os.utime(tmp_path / "game" / f"{name}.py", (10**9, 10**9))
    first = load_game_plugin(file)
    changed = tmp_path / "game" / f"{name}.py"
    changed.write_text(changed.read_text().replace("= 1", "= 2"))
    os.utime(changed, (10**9, 10**9))
    second = load_game_plugin(file, afresh=True)
    assert (first.N, first.M) == (1, 1)
    assert ((2, 1) if name == "plugin" else (1, 2)) == (second.N, second.M)
    for module in (first, second):
        forget_game_plugin(module)


def test_afresh_leaves_nothing_behind(tmp_path: Path) -> None:
    """Loading `afresh` writes no compiled files and leaves no import finder behind."""
    before = list(sys.meta_path)
    file = write(tmp_path / "game", plugin="from . import levels", levels="")
    forget_game_plugin(load_game_plugin(file, afresh=True))
    with pytest.raises(ZeroDivisionError):
        load_game_plugin(write(tmp_path / "game", plugin="from . import levels\n1 / 0", levels=""), afresh=True)
    assert not (tmp_path / "game" / "__pycache__").exists()
    assert sys.meta_path == before


def test_zero_bytes_are_a_syntax_error_of_their_file(tmp_path: Path) -> None:
    """A file with zero bytes raises SyntaxError with that file."""
    file = write(tmp_path / "game", plugin="from . import levels", levels="")
    (tmp_path / "game" / "levels.py").write_bytes(b"x = 1\0")
    with pytest.raises(SyntaxError) as caught:
        load_game_plugin(file, afresh=True)
    assert place_of_error(caught.value).file.endswith("levels.py")


def test_code_of_a_folder_that_is_data_only_does_not_run(tmp_path: Path) -> None:
    """A folder that is used as data only has no plugin, under any of its names, and its file can't be loaded."""
    file = write(tmp_path / "game", plugin="raise SystemExit")
    (tmp_path / "game" / "game.yaml").write_text("rish: 1")
    use_data_only(tmp_path / "game")
    for folder in (tmp_path / "game", tmp_path / "other" / ".." / "game"):
        assert read_manifest(folder).plugin_file is None
    with pytest.raises(AssetError, match="may not run"):
        load_game_plugin(file, afresh=True)
    use_data_only(tmp_path / "game", False)
    assert read_manifest(tmp_path / "game").plugin_file is not None

"""All steps of a bundle, with stand-ins for Python and packages; and a real bundle in a long run."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import distribution
from pathlib import Path

import pytest

from long_runs import only_long
from rish_bundle import Bundled, Wish, bundle, bundling, trial
from rish_bundle.interpreter import FOLDER, PROGRAM, Interpreter
from rish_bundle.selection import Selection
from rish_core import RishError
from rish_core.launcher import main as rish
from rish_export import File, make_plan

GAMES = Path(__file__).parents[2] / "games"
Make = Callable[..., Bundled]


@pytest.fixture
def make(pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Return `make(**wishes)`, which bundles the pond into `out` without Python, compiled kernels and a try."""
    python = Interpreter([File(f"{FOLDER}/{PROGRAM}", b"a program", "Python")], [], "2.36")
    image = File(f"{FOLDER}/packages/rish_ecs/x.image", b"kernels", "compiled kernels")

    def few(*_: object) -> list[File]:
        return [File("pond_kit/__init__.py", b"x = 1\n", "rish-core"), File("library/__init__.py", b"", "numpy")]

    def choose(games: Sequence[Path], more: Iterable[str]) -> Selection:
        packages = {name: distribution(name) for name in ("numpy", "rish-core")}
        return Selection({game.name: make_plan(str(game)) for game in games}, packages, frozenset(), frozenset())

    monkeypatch.setattr(bundling, "select", choose)
    monkeypatch.setattr(bundling, "copy_interpreter", lambda *_: python)
    monkeypatch.setattr(bundling, "compile_images", lambda *_: ([image], ["a note"]))
    monkeypatch.setattr(bundling, "runtime", lambda *_: [])
    monkeypatch.setattr(bundling, "package_files", few)
    monkeypatch.setattr(bundling, "try_games", lambda *_: [])
    return lambda **wishes: bundle(Wish([pond], tmp_path / "out" / "stick", **wishes), lambda step: None)


def names(folder: Path) -> set[str]:
    """Return the names of the files in a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_bundle_has_python_packages_games_licenses_and_a_start(make: Make, tmp_path: Path) -> None:
    """No file names this machine, none is a link, and only Rish's packages have their sources."""
    result = make()
    folder = tmp_path / "out" / "stick"
    assert result.path == folder
    found = names(folder)
    assert found >= {
        "README.txt", "data/README.txt", "wheels/README.txt", "games/pond/game.yaml", "licenses/README.txt",
        f"{FOLDER}/{PROGRAM}",
        f"{FOLDER}/packages/pond_kit/__init__.py", f"{FOLDER}/packages/library/__init__.pyc",
        f"{FOLDER}/packages/rish_ecs/x.image",
    }  # fmt: skip
    assert f"{FOLDER}/packages/library/__init__.py" not in found
    folders = {str(Path.home()), str(tmp_path), sys.base_prefix, sys.prefix} - {"/usr"}  # the same on each machine
    here = [each.encode() for each in folders]
    for path in (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        assert not [each for each in here if each in path.read_bytes()], path
    assert not [path for path in folder.rglob("*") if path.is_symlink()]
    assert os.access(folder / FOLDER / PROGRAM, os.X_OK)
    assert "  a note" in result.lines
    assert any("Python" in line and "MB" in line for line in result.lines)


def test_an_archive_has_the_folder(make: Make, tmp_path: Path) -> None:
    """It is beside the folder that was named, which is not written."""
    path = make(archive=True).path
    assert os.listdir(tmp_path / "out") == [path.name]
    if sys.platform != "win32":
        with tarfile.open(path) as archive:
            assert "stick/README.txt" in archive.getnames()


def test_what_is_there_is_never_replaced(make: Make, tmp_path: Path) -> None:
    """An earlier bundle may hold the games and saves of pupils, so it is refused like any other folder."""
    (tmp_path / "out" / "stick" / "data").mkdir(parents=True)
    with pytest.raises(RishError, match="is there already"):
        make()
    assert os.listdir(tmp_path / "out" / "stick") == ["data"]


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), RishError("no")]
)
def test_a_failed_bundle_leaves_nothing(
    make: Make, tmp_path: Path, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, Ctrl-C and a game that does not run leave no file."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(bundling, "try_games", fail)
    with pytest.raises(type(error)):
        make()
    assert os.listdir(tmp_path / "out") == []


def test_a_file_that_a_stick_cannot_hold_is_named(make: Make, pond: Path) -> None:
    """The game's author has to rename it."""
    (pond / "aux.png").write_bytes(b"")
    with pytest.raises(RishError, match=r"pond/aux\.png"):
        make()


def test_a_picture_of_a_game_that_was_tried_is_kept(
    pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same game is not played again for the next bundle; a changed one is, and one without compiled kernels."""
    played: list[str] = []

    def play(folder: Path, name: str, picture: Path) -> bool:
        played.append(name)
        picture.write_bytes(b"a picture")
        return len(played) == 1

    monkeypatch.setattr(trial, "_play", play)
    notes = list[str]()
    for number in range(4):
        (tmp_path / str(number) / "games" / "pond").mkdir(parents=True)
        if number == 3:
            (pond / "new.txt").write_text("")
        plans = {"pond": make_plan(str(pond))}
        notes += trial.try_games(tmp_path / str(number), plans, tmp_path / f"try{number}", lambda step: None)
        assert (tmp_path / str(number) / "games" / "pond" / trial.PICTURE).read_bytes() == b"a picture"
    assert played == ["pond"] * 3
    assert len(notes) == 1


@only_long
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only bundles for Linux were tried")
def test_a_bundle_plays_on_a_stick_of_a_stranger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After a move, without marks of programs and links, without PATH, home and network, its game has the same hash.

    A second player, who can't write to it, plays the same, and nothing in it changes.
    """
    bundle(Wish([GAMES / "hello", GAMES / "breakout"], tmp_path / "made"), lambda step: None)
    folder = tmp_path / "教室 stick"
    shutil.copytree(tmp_path / "made", folder, copy_function=shutil.copyfile)
    assert sum(path.stat().st_size for path in folder.rglob("*")) < 260e6
    assert not list(folder.rglob("*llvm*"))
    options = ["--headless", "--frames", "600", "--hash"]
    assert rish(["run", str(GAMES / "breakout"), *options]) == 0
    expected = capsys.readouterr().out
    command = ["/bin/sh", str(folder / "start"), "run", str(folder / "games" / "breakout"), *options]
    for number in range(2):
        done = subprocess.run(command, env={"PATH": ""}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout == expected
        assert "plain Python" not in done.stderr
        if number == 0:
            before = names(folder)
            shutil.rmtree(folder / "data")
            for path in (folder, *folder.rglob("*")):
                path.chmod(0o555)
    assert names(folder) | {"data/README.txt"} >= before - {"data/README.txt"}
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)

"""All steps of an export, with a stand-in for PyInstaller; and real programs in a long run."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from long_runs import only_long
from rish_core import RishError
from rish_core.launcher import main as rish
from rish_export import Exported, Wish, export, exporting
from rish_export.building.freezing import Build, Frozen
from rish_export.contents import File, contents
from rish_export.kernels import Kernels
from rish_export.plan import Plan

GAMES = Path(__file__).parents[2] / "games"
Make = Callable[..., Exported]


@pytest.fixture
def make(pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Return `make(**wishes)`, which exports the pond into `out` without compiling and without PyInstaller."""

    def freeze(build: Build, scratch: Path, cache: Path) -> Frozen:
        folder = scratch / "program"
        folder.mkdir()
        build.site.rename(folder / "data")
        (folder / build.name).write_bytes(b"a program")
        return Frozen(folder / build.name, [], 9) if build.one_file else Frozen(folder, [("data/x", 1)], None)

    def few(plan: Plan) -> list[File]:
        return [file for file in contents(plan) if file.part in ("the game", "rish-cli")]

    monkeypatch.setattr(exporting, "contents", few)
    monkeypatch.setattr(exporting, "freeze", freeze)
    monkeypatch.setattr(exporting, "compile_kernels", lambda *_: Kernels([], {"x86-64-v3": 3}))
    return lambda **wishes: export(Wish(str(pond), tmp_path / "out", **wishes), lambda step: None)


def test_a_program_is_in_the_folder_under_its_name(make: Make, tmp_path: Path) -> None:
    """The folder has the program, the game, the licenses and nothing beside; a second export replaces it."""
    for name in ("pond", "夜の 池"):
        result = make(name=name)
        assert result.path == tmp_path / "out" / name
        assert result.path.read_bytes() == b"a program"
        assert (tmp_path / "out" / "data" / "games" / "pond" / "game.yaml").is_file()
        assert "numpy" in (tmp_path / "out" / "data" / "licenses" / "README.txt").read_text(encoding="utf-8")
    assert sorted(os.listdir(tmp_path / "out")) == ["data", "夜の 池"]
    assert not [name for name in os.listdir(tmp_path) if "unfinished" in name]
    assert any("compiled kernels: 3 for x86-64-v3" in line for line in result.lines)


def test_one_file_is_put_beside_other_files(make: Make, tmp_path: Path) -> None:
    """The folder may hold other files; the program's is the only new one."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_bytes(b"")
    assert make(one_file=True).path.is_file()
    assert sorted(os.listdir(tmp_path / "out")) == ["letter.txt", "pond"]


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device", "x"), KeyboardInterrupt(), RishError("no")]
)
def test_a_failed_export_writes_nothing(
    make: Make, tmp_path: Path, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, Ctrl-C and a failure of PyInstaller leave the former program, and no other file."""
    make()
    before = (tmp_path / "out" / "data" / "program.json").read_bytes()

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(exporting, "freeze", fail)
    with pytest.raises(type(error)):
        make(version="2.0")
    assert (tmp_path / "out" / "data" / "program.json").read_bytes() == before
    assert not [name for name in os.listdir(tmp_path) if "unfinished" in name]


def test_a_folder_that_cannot_be_written_is_named(
    pond: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints one sentence with the path and exits with 2."""
    (tmp_path / "file").write_bytes(b"")
    assert rish(["export", str(pond), "--to", str(tmp_path / "file" / "out")]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err.splitlines()[-1]


def test_an_icon_is_a_file_of_a_known_kind(make: Make, pond: Path) -> None:
    """Another file is refused; one in the game's folder is used without being named."""
    with pytest.raises(RishError, match="is no icon"):
        make(icon=pond / "game.yaml")


def start(program: Path, home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Start a program as on a machine without Python: an empty PATH, a new home."""
    home.mkdir(exist_ok=True)
    return subprocess.run(
        [str(program), *options], env={"HOME": str(home), "PATH": ""}, check=False, capture_output=True, text=True
    )


@only_long
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="compiled kernels are loaded on Linux")
@pytest.mark.parametrize(
    ("game", "megabytes", "one_file"),
    [
        ("hello", 140, False),
        ("breakout", 180, False),
        ("hello", 140, True),
        ("lantern", 200, False),
        ("beacon", 200, False),
    ],
)
def test_a_program_plays_as_its_source_does(
    game: str, megabytes: int, one_file: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program without Python, LLVM and a screen has the hash of the source after 600 ticks, and the promised size."""
    result = export(Wish(str(GAMES / game), tmp_path / "out", one_file=one_file), lambda step: None)
    if not one_file:
        assert sum(path.stat().st_size for path in (tmp_path / "out").rglob("*")) < megabytes * 1e6
        assert not list((tmp_path / "out").rglob("*llvm*"))
    options = ["--headless", "--frames", "600", "--hash"]
    assert rish(["run", str(GAMES / game), *options]) == 0
    done = start(result.path, tmp_path / "new home", *options)
    assert done.returncode == 0
    assert done.stdout == capsys.readouterr().out
    assert "ran as plain Python" not in done.stderr

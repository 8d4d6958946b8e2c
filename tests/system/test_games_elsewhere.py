"""Games on other systems: line ends, spelling, names of files, consoles, homes, processes without fork."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import fresh_python
from command_line import MANIFEST, Said
from other_system import ignore_case, pretend
from rish_core import App, AssetError, Assets, RishError, read_manifest
from rish_core.launcher import main
from rish_export.plan import make_plan
from rish_history import Recorder, origin_of
from rish_history.recordings.origin import digests
from rish_packs import PackError, pack_path
from rish_packs.files.writing import write_pack
from rish_system import current

Rish = Callable[..., Said]
linux = pytest.mark.skipif(current() != "linux", reason="files with such names")


def crlf(folder: Path) -> None:
    """Give all texts of a game the line ends of Windows."""
    for path in folder.iterdir():
        if path.suffix in (".yaml", ".py", ".txt"):
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


# Line ends


def test_line_ends_of_windows_change_nothing(game: Path) -> None:
    """Manifest, included file, code and texts give the same state and the same digests; so recordings play there."""
    text = (game / "game.yaml").read_text(encoding="utf-8")
    more = "include: [parts.yaml]\n"
    entry = '    - {prefab: far, Transform: {}, Name: {value: "a\\n  b"}}\n'
    (game / "game.yaml").write_text(text.replace("scenes:", f"{more}scenes:") + entry, encoding="utf-8", newline="\n")
    (game / "parts.yaml").write_text("prefabs:\n  far:\n    Dot: {speed: 9}\n", encoding="utf-8", newline="\n")
    (game / "words.txt").write_text("one\ntwo\n", encoding="utf-8", newline="\n")
    states: list[tuple[object, ...]] = []
    for change in (None, crlf):
        if change is not None:
            change(game)
        with App(read_manifest(game), headless=True) as app:
            app.run(3)
            files = digests(game, app.registry.loaders)
            states.append((app.world.hash(), files, app.world[Assets].load("words.txt").splitlines()))
    assert b"\r\n" in (game / "plugin.py").read_bytes()
    assert states[0] == states[1]


def test_a_digest_sees_other_changes(game: Path) -> None:
    """Bytes that are no text are compared as they are."""
    for name, data in (("a.txt", b"\0\n"), ("b.txt", b"\0\r\n"), ("c.txt", b"\n"), ("d.txt", b"\r")):
        (game / name).write_bytes(data)
    found = digests(game, [".txt"])
    assert len({found[name] for name in ("a.txt", "b.txt", "c.txt", "d.txt")}) == 4


# Spelling and names


@linux
@pytest.mark.parametrize("system", ["linux", "macos", "windows"])
def test_a_file_is_found_only_in_its_own_spelling(
    game: Path, rish: Rish, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    """On every system `rish check` names the spelling on the disk, of assets and of included files."""
    (game / "images").mkdir()
    (game / "images" / "ball.txt").write_text("ball", encoding="utf-8")
    (game / "parts.yaml").write_text("prefabs: {}\n", encoding="utf-8")
    pretend(monkeypatch, system)
    if system != "linux":
        ignore_case(monkeypatch, game)
    assets = Assets(game)
    assert assets.load("images/ball.txt", strict=True) == "ball"
    with pytest.raises(AssetError, match=r"'Images/Ball.txt'; on the disk it is 'images/ball.txt'"):
        assets.resolve("Images/Ball.txt")
    with (game / "game.yaml").open("a", encoding="utf-8", newline="\n") as file:
        file.write("include: [Parts.yaml]\n")
    said = rish("check", game)
    assert said.code == 2
    assert "game.yaml:6:11: include[0]: there is no file 'Parts.yaml'; on the disk it is 'parts.yaml'" in said.err


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("parts\\a.yaml", "backslash"),
        ("C:/a.yaml", "colon"),
        ("\\\\server\\a.yaml", "absolute"),
        ("aux.yaml", "device"),
    ],
)
def test_paths_of_windows_are_mistakes_with_a_place(game: Path, rish: Rish, path: str, what: str) -> None:
    """In `include` and in assets they are refused on every system, with file, line and column."""
    with (game / "game.yaml").open("a", encoding="utf-8", newline="\n") as file:
        file.write(f"include: ['{path}']\n")
    said = rish("check", game)
    assert said.code == 2
    assert f"game.yaml:6:11: include[0]: the text {path!r} " in said.err
    assert what in said.err
    with pytest.raises(AssetError, match=what if what != "colon" else "drive"):
        Assets(game).resolve(path)


@linux
@pytest.mark.parametrize(
    ("names", "reason"),
    [(["aux.yaml"], "device"), (["a.txt", "A.txt"], "same file as"), (["x" * 130 + ".txt"], "too long"),
     (["a:b.txt"], "colon"), (["a."], "ends in a dot")],
)  # fmt: skip
def test_files_that_some_system_can_t_have_are_refused(game: Path, rish: Rish, names: list[str], reason: str) -> None:
    """`rish check` names them, and neither a pack nor a program is made."""
    for name in names:
        (game / name).touch()
    said = rish("check", game)
    assert said.code == 2
    assert names[0] in said.err
    assert reason in said.err
    with App(read_manifest(game), headless=True) as app, pytest.raises(PackError, match="can't be packed"):
        write_pack(app, game.parent / pack_path(app))
    with pytest.raises(RishError, match=reason):
        make_plan(str(game))


@linux
def test_hidden_files_and_results_may_have_any_name(game: Path, rish: Rish) -> None:
    """What is no part of the game is not looked at."""
    for name in (".git/aux", "out/nul.png", "dist/" + "x" * 130):
        (game / name).parent.mkdir(exist_ok=True)
        (game / name).touch()
    assert rish("check", game).code == 0


# Consoles and homes


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp950"])
def test_a_console_that_lacks_letters_gets_escapes(game: Path, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    """A name in any language is printed, escaped where it has to be, and the exit code stays."""
    named = game.rename(game.with_name("größe 鳥 🐦"))
    streams = [io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    for hook in ("sys.unraisablehook", "threading.excepthook"):
        monkeypatch.setattr(hook, None)
    codes = [main(["check", str(named)]), main(["check", str(named / "鳥.yaml")]), main(["plugins"])]
    out, err = (stream.buffer.getvalue().decode(encoding) for stream in streams)  # type: ignore[attr-defined]
    assert codes == [0, 2, 0]
    assert "fine (1 scene" in out
    assert "\\U0001f426" in out
    assert "yaml" in err


@linux
@pytest.mark.slow
def test_a_home_with_other_letters_works_in_the_plainest_locale(game: Path, tmp_path: Path) -> None:
    """With LC_ALL=C and no UTF-8 mode, a game runs, and a recording is written below a home called Zoë."""
    home = tmp_path / "Zoë 鳥"
    home.mkdir()
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "HOME": str(home)}
    (game / "game.yaml").write_text(f"{MANIFEST}plugins: [history]\n", encoding="utf-8")
    record = ["-m", "rish_core", "record", str(game), "--out", str(home / "鳥.rish"), "--headless", "--frames", "3"]
    done = subprocess.run([sys.executable, *record], env=os.environ | plain, capture_output=True, check=False)
    assert (done.returncode, done.stderr[:6]) == (0, b"wrote ")
    assert (home / "鳥.rish").is_file()


# Processes


@linux
def test_tests_run_without_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a system without fork, ordinary processes are started for tests of commands."""
    monkeypatch.delattr(os, "fork")
    done = fresh_python.run_python("-S", "-c", "print(1)", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "1\n")


def test_a_recording_names_the_system(game: Path, tmp_path: Path) -> None:
    """The origin has system and processor, so a difference between machines can be explained."""
    with App(read_manifest(game), headless=True) as app:
        origin = origin_of(app)
        Recorder(app, tmp_path / "a.rish", origin).finish()
    assert len(origin.machine["system"].split()) == 2

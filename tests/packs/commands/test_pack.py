"""`rish pack` writes a game into one file, the same bytes each time, and reports what is in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rish_packs import open_archive, open_game
from small_packs import tree


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of the test's own."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_game_is_packed_and_reported(rish: Any, game: Path, here: Path) -> None:
    """The pack is in the working directory; sizes, plugins, code and what was left out are printed."""
    (game / "out").mkdir()
    said = rish("pack", game)
    assert said.code == 0
    assert [path.name for path in here.iterdir()] == ["dots.rishgame"]
    assert "dots.rishgame: 3 files" in said.lines[0]
    assert "1 files of Python code" in said.out
    assert "left out: out/ (it has what the game wrote)" in said.out
    assert "no `id` in the section game: it shares saved games" in said.out
    files = tree(open_game(here / "dots.rishgame").folder)
    assert files["plugin.py"] == (game / "plugin.py").read_bytes()
    assert b"rish-core" in files["game.lock"]


def test_packing_twice_gives_the_same_bytes(rish: Any, game: Path, here: Path) -> None:
    """Times and modes of the files, and the order in the folder, do not change the pack."""
    text = (game / "game.yaml").read_text(encoding="utf-8").replace("title: Dots,", "title: Dots, id: dots-1,")
    (game / "game.yaml").write_text(text, encoding="utf-8")
    assert "`id`" not in rish("pack", game).out
    first = (here / "dots.rishgame").read_bytes()
    (game / "game.yaml").chmod(0o600)
    os.utime(game / "plugin.py", (1e9, 1e9))
    assert rish("pack", game, "--out", here / "again.rishgame").code == 0
    assert (here / "again.rishgame").read_bytes() == first


def test_a_packed_game_has_the_same_hash(rish: Any, game: Path, here: Path) -> None:
    """The game in the pack plays as the folder does."""
    rish("pack", game)
    hashes = [
        rish("run", path, "--headless", "--frames", 3, "--hash", *more).lines[-1]
        for path, more in ((game, ()), (here / "dots.rishgame", ("--trust",)))
    ]
    assert hashes[0] == hashes[1]


def test_a_game_with_mistakes_is_not_packed(rish: Any, game: Path, here: Path) -> None:
    """A game with mistakes is not packed, and a pack that is there stays."""
    rish("pack", game)
    before = (here / "dots.rishgame").read_bytes()
    (game / "game.yaml").write_text("rish: 1\nscenes: {main: [{Dot: {speed: fast}}]}\n")
    assert rish("pack", game).code == 2
    assert (here / "dots.rishgame").read_bytes() == before
    assert len(list(here.iterdir())) == 1


def test_names_that_can_not_be_packed_are_reported(rish: Any, game: Path, here: Path) -> None:
    """Two files that are equal on some systems are named, and nothing is written."""
    (game / "a.txt").write_text("1")
    (game / "A.txt").write_text("2")
    said = rish("pack", game)
    assert said.code == 2
    assert "'A.txt' and 'a.txt' are the same file on some systems" in said.err
    assert list(here.iterdir()) == []


def test_a_file_that_can_not_be_written_is_reported(rish: Any, game: Path, here: Path) -> None:
    """The error names the file."""
    said = rish("pack", game, "--out", here / "missing" / "x.rishgame")
    assert said.code == 2
    assert "x.rishgame" in said.err


def test_the_pack_has_the_plugins_with_their_packages(rish: Any, game: Path, here: Path) -> None:
    """The list names each plugin that the game loads with its package and version."""
    text = (game / "game.yaml").read_text()
    (game / "game.yaml").write_text(text.replace("rish: 1\n", "rish: 1\nplugins: [basics, 'haze?']\n"))
    rish("pack", game)
    with open_archive(here / "dots.rishgame") as archive:
        plugins = archive.contents.plugins
    assert {name: each.package for name, each in plugins.items()} == {"basics": "rish-basics"}


def test_unpack_writes_the_files_into_a_new_folder(rish: Any, pack: Path, here: Path) -> None:
    """`rish unpack` writes the files, and refuses a folder that is there."""
    assert rish("unpack", pack, "copy").code == 0
    assert (here / "copy" / "game.yaml").is_file()
    said = rish("unpack", pack, "copy")
    assert (said.code, "there already" in said.err) == (2, True)
    assert [path.name for path in here.iterdir()] == ["copy"]


@pytest.mark.skipif(os.name != "posix" or os.uname().sysname != "Linux", reason="desktop files are of Linux")
def test_associate_writes_the_type_and_the_application(rish: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The MIME type and the application are written into the user's data folder, and found there by the desktop."""
    monkeypatch.setenv("XDG_DATA_HOME", str(here / "data"))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.executable", '/opt/my "python" 100%/bin/python')
    assert rish("pack", "--associate").code == 0
    files = tree(here / "data")
    assert list(files) == ["applications/rishgame.desktop", "mime/packages/rishgame.xml"]
    assert (
        b'Exec="/opt/my \\"python\\" 100%%/bin/python" -P -m rish_core run %f' in files["applications/rishgame.desktop"]
    )
    assert b"MimeType=application/x-rishgame;" in files["applications/rishgame.desktop"]
    assert b'<glob pattern="*.rishgame"/>' in files["mime/packages/rishgame.xml"]

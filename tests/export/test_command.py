"""The options of `rish export`, and pages of games with a stand-in for the page and for the program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rish_page
from rish_core.launcher import main as rish
from rish_export import Exported, Wish, command
from rish_page import PageWish


@pytest.fixture
def wishes(monkeypatch: pytest.MonkeyPatch) -> list[PageWish]:
    """Return the list of wishes that pages are made of; a page is then its list of downloads."""
    made: list[PageWish] = []

    def write(folder: Path, wish: PageWish, scratch: Path, tell: Callable[[str], object]) -> list[str]:
        made.append(wish)
        files = "".join(f"{each.name} {each.label} {each.path.read_bytes()!r}\n" for each in wish.downloads())
        (folder / "index.html").write_text(f"rish export --page\n{files}", encoding="utf-8")
        return ["a line"]

    monkeypatch.setattr(rish_page, "write_page", write)
    return made


def page_of(folder: Path) -> list[str]:
    """Return the lines about downloads in a page."""
    return (folder / "index.html").read_text(encoding="utf-8").splitlines()[1:]


def test_a_page_is_beside_the_program_and_replaces_a_former_page(
    pond: Path, wishes: list[PageWish], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder is dist/NAME-page; other files are never replaced."""
    monkeypatch.chdir(tmp_path)
    for version in ("1.0", "2.0"):
        command_line = ["export", str(pond), "--page", "--no-download", "--version", version, "--recording", "a.rish"]
        assert rish(command_line) == 0
    assert (wishes[1].name, wishes[1].version, wishes[1].recordings) == ("pond", "2.0", [Path("a.rish")])
    folder = tmp_path / "dist" / "pond-page"
    assert page_of(folder) == []
    assert [path.name for path in folder.parent.iterdir()] == ["pond-page"]
    (folder / "letter.txt").write_bytes(b"")
    assert rish(["export", str(pond), "--page", "--no-download"]) == 2
    assert (folder / "letter.txt").exists()


def test_the_program_is_made_for_the_page_unless_files_are_given(
    pond: Path, wishes: list[PageWish], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its archive is named after the version and the system, and leaves nothing else behind."""

    def make(wish: Wish, tell: Callable[[str], object]) -> Exported:
        assert wish.archive
        assert wish.to is not None
        wish.to.mkdir(parents=True)
        path = wish.to / "pond.tar.gz"
        path.write_bytes(b"program")
        return Exported(path, [])

    monkeypatch.setattr(command, "export", make)
    target = tmp_path / "page"
    assert rish(["export", str(pond), "--page", "--to", str(target)]) == 0
    assert page_of(target)[0].startswith("pond-1.0-")
    assert "b'program'" in page_of(target)[0]
    (tmp_path / "pond.zip").write_bytes(b"given")
    assert (
        rish(["export", str(pond), "--page", "--to", str(target), "--download", f"Atari={tmp_path / 'pond.zip'}"]) == 0
    )
    assert page_of(target) == ["pond.zip Atari b'given'"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--recording", "a.rish"], "--recording is for a page"),
        (["--page", "--archive"], "--page goes neither with"),
        (["--page", "--download", "x", "--no-download"], "don't go together"),
        (["--page", "--download", "no.zip"], "there is no file no.zip"),
        (["--page", "--name", "a/b"], "can't be the name of a program"),
    ],
)
def test_options_that_do_not_fit_are_named(
    pond: Path, wishes: list[PageWish], options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is made, and the command exits with 2."""
    assert rish(["export", str(pond), *options, "--to", str(pond.parent / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not wishes
    assert not (pond.parent / "out").exists()


def test_what_is_missing_for_pages_is_named(
    pond: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The package, or PyAV, with the command that installs it; before anything is played."""
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "av", None)
        assert rish(["export", str(pond), "--page", "--to", str(tmp_path / "out")]) == 2
        assert "pip install av" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "rish_page", None)
    assert rish(["export", str(pond), "--page", "--to", str(tmp_path / "out")]) == 2
    assert "pages of games are made by rish-page" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_error_leaves_the_former_page(
    pond: Path, wishes: list[PageWish], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing half-written is left, in the folder and beside it."""
    options = ["export", str(pond), "--page", "--no-download", "--to", str(tmp_path / "out" / "page")]
    assert rish(options) == 0

    def fail(folder: Path, *_: object) -> list[str]:
        (folder / "film.mp4").write_bytes(b"half")
        raise OSError(28, "No space left on device", "film.mp4")

    monkeypatch.setattr(rish_page, "write_page", fail)
    assert rish(options) == 2
    assert [path.relative_to(tmp_path / "out").as_posix() for path in sorted((tmp_path / "out").rglob("*"))] == [
        "page",
        "page/index.html",
    ]

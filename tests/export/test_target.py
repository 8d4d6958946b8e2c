"""A program is written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rish_core import UsageError
from rish_export.target import check_target, put, work_folder


def program(folder: Path, text: str) -> Path:
    """Write a folder that looks like a program."""
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "program.json").write_text(text, encoding="utf-8")
    return folder


def text_of(folder: Path) -> str:
    """Return the content of a folder that `program` wrote."""
    return (folder / "data" / "program.json").read_text(encoding="utf-8")


def test_only_programs_and_empty_folders_are_replaced(tmp_path: Path) -> None:
    """Other files, and the game itself, are refused."""
    game = tmp_path / "pond"
    game.mkdir()
    check_target(program(tmp_path / "old", "1"), game)
    check_target(game / "dist" / "pond", game)
    (tmp_path / "empty").mkdir()
    check_target(tmp_path / "empty", game)
    (tmp_path / "file").write_bytes(b"something else")
    wrong = {
        tmp_path: "holds other files",
        game: "is the game's folder",
        game / "a": "or in it",
        tmp_path / "file": "is another",
    }
    for target, message in wrong.items():
        with pytest.raises(UsageError, match=message):
            check_target(target, game)


def test_an_interrupted_export_leaves_the_former_program(tmp_path: Path) -> None:
    """What is written before an error disappears, and the target is as it was."""
    target = program(tmp_path / "out" / "pond", "former")

    def interrupted() -> None:
        with work_folder(target) as work:
            program(work / "made", "new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert os.listdir(target.parent) == ["pond"]
    assert text_of(target) == "former"


def test_an_error_without_a_file_names_the_target(tmp_path: Path) -> None:
    """A write to a full disk fails without the name of a file; the message has that of the program."""
    with pytest.raises(OSError, match="No space left") as raised, work_folder(tmp_path / "out"):
        raise OSError(28, "No space left on device")
    assert raised.value.filename == str(tmp_path / "out")


def test_a_finished_program_replaces_the_former_one(tmp_path: Path) -> None:
    """The target is renamed in one step, also where there was none."""
    target = tmp_path / "out" / "my pond 池"
    for text in ("first", "second"):
        with work_folder(target) as work:
            put(program(work / "made", text), target, work)
        assert text_of(target) == text
        assert os.listdir(target.parent) == [target.name]


def test_what_a_killed_export_left_is_deleted_by_the_next_one(tmp_path: Path) -> None:
    """Folders of processes that no longer run are deleted, those of others stay."""
    target = tmp_path / "[pond]"
    dead, alive = tmp_path / ".[pond].unfinished-999999999", tmp_path / f".[pond].unfinished-{os.getppid()}"
    for folder in (dead, alive):
        folder.mkdir()
    with work_folder(target):
        assert not dead.exists()
    assert alive.exists()


def test_a_failed_rename_puts_the_former_program_back(tmp_path: Path) -> None:
    """The former program is renamed back if the new one can't be renamed."""
    target = program(tmp_path / "pond", "former")
    with work_folder(target) as work, pytest.raises(OSError, match="nothing"):
        put(work / "nothing", target, work)
    assert text_of(target) == "former"

"""`report_changes` brings changes of files on the disk into a game."""

from __future__ import annotations

from pathlib import Path

from rish_assets import report_changes
from rish_core import Assets

from .conftest import NOTHING, Shelf


def test_only_files_in_use_are_read(shelf: Shelf) -> None:
    """Files that the game uses are read again; unused ones, those outside and folders are not."""
    shelf.get()
    (shelf.root / "b.txt").write_text("x")
    paths = [shelf.root / name for name in ("a.txt", "a.txt", "b.txt", "../a.txt", "", "%00.txt")]
    assert report_changes(shelf.world[Assets], [*paths, Path("/etc/passwd")]) == ["a.txt"]
    assert report_changes(Assets(), paths) == []


def test_a_file_that_is_missing_for_a_moment_stays(shelf: Shelf) -> None:
    """Some programs delete a file to write it again: what was read stays, unless the caller says that it is deleted."""
    assert shelf.get() == ["frog"]
    path = shelf.root / "a.txt"
    path.unlink()
    assert report_changes(shelf.world[Assets], [path]) == []
    assert shelf.get() == ["frog"]
    report_changes(shelf.world[Assets], [path], removed=True)
    assert shelf.get() is NOTHING

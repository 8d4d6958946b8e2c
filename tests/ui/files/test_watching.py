"""`FileWatch`: how often files are looked at, and what counts as a change."""

from __future__ import annotations

import os
from pathlib import Path

from rish_core import Assets
from rish_ui.files.watching import CHECK_INTERVAL, FileWatch


def test_files_are_looked_at_twice_a_second() -> None:
    """A look is due at the first frame and at each 30th after it."""
    watch = FileWatch()
    assert [frame for frame in range(3 * CHECK_INTERVAL) if watch.due()] == [0, CHECK_INTERVAL, 2 * CHECK_INTERVAL]


def test_changed_files_are_reloaded(tmp_path: Path) -> None:
    """A file is reloaded once after each change; a missing one is left alone, as while an editor saves it."""
    path, assets, watch = tmp_path / "a.txt", Assets(tmp_path), FileWatch()
    seen: list[str] = []
    assets.on_reload(seen.append)
    path.write_text("one")
    watch.look(assets, ["a.txt", "gone.txt"])
    assert not seen
    path.write_text("two")
    os.utime(path, ns=(1, 1))
    watch.look(assets, ["a.txt"])
    watch.look(assets, ["a.txt"])
    assert seen == ["a.txt"]
    assert assets.load("a.txt") == "two"
    path.unlink()
    watch.look(assets, ["a.txt"])
    assert seen == ["a.txt"]

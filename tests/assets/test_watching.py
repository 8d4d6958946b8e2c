"""Real files are watched: changes are noticed within a moment, for all the ways in which editors save."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_assets import FileWatcher

PATIENT = 20.0
"""The time limit, in seconds, on a busy machine. No test in this file measures time."""


def wait_for(holds: Callable[[], bool], each: Callable[[], Any] = lambda: None) -> bool:
    """Return True if a condition becomes true in time."""
    end = time.monotonic() + PATIENT
    while time.monotonic() < end:
        if holds():
            return True
        each()
        time.sleep(0.005)
    return holds()


@pytest.fixture(params=[False, True], ids=["events", "polling"])
def watcher(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FileWatcher]:
    """A running watcher of an empty folder."""
    (tmp_path / "sub").mkdir()
    watcher = FileWatcher(tmp_path.resolve(), poll=request.param, delay=0)
    watcher.start()
    assert watcher.ready.wait(PATIENT)
    yield watcher
    watcher.stop()


def told(watcher: FileWatcher, *names: str) -> bool:
    """Return True if exactly these files are noticed."""
    wanted = {watcher.folder / name for name in names}
    seen: set[Path] = set()

    def take() -> None:
        while watcher.changed:
            seen.add(watcher.changed.popleft())

    return wait_for(lambda: wanted <= seen, take) and seen == wanted


@pytest.mark.slow
def test_a_file_is_saved(watcher: FileWatcher) -> None:
    """New and changed files are noticed, also in subfolders."""
    (watcher.folder / "a.py").write_text("1")
    assert told(watcher, "a.py")
    (watcher.folder / "a.py").write_text("22")
    assert told(watcher, "a.py")
    (watcher.folder / "sub" / "b.yaml").write_text("3")
    assert told(watcher, "sub/b.yaml")


@pytest.mark.slow
def test_a_file_is_replaced(watcher: FileWatcher) -> None:
    """A file replaced by a rename, or deleted and written again, is noticed."""
    path = watcher.folder / "a.py"
    path.write_text("1")
    assert told(watcher, "a.py")
    (watcher.folder / ".a.py.swp").write_text("2")
    os.replace(watcher.folder / ".a.py.swp", path)
    assert told(watcher, "a.py")
    path.unlink()
    path.write_text("333")
    assert told(watcher, "a.py")


def test_what_tools_leave_behind_is_no_edit(watcher: FileWatcher) -> None:
    """Bytecode, backup files and the folders of version control are ignored."""
    for name in ("__pycache__/a.cpython-311.pyc", ".git/index", "sub/__pycache__/b.pyc", "a.py~"):
        (watcher.folder / name).parent.mkdir(exist_ok=True)
        (watcher.folder / name).write_text("x")
    (watcher.folder / "c.py").write_text("1")
    assert told(watcher, "c.py")


def test_a_watcher_ends(tmp_path: Path) -> None:
    """`stop` ends the thread, also when called twice or before the start; a deleted folder does no harm."""
    folder = tmp_path / "gone"
    folder.mkdir()
    for delay in (0.0, 30.0):
        watcher = FileWatcher(folder, delay=delay)
        watcher.start()
        watcher.stop()
        watcher.stop()
        assert not watcher._thread.is_alive()
    watcher = FileWatcher(folder, delay=0)
    watcher.start()
    assert watcher.ready.wait(PATIENT)
    shutil.rmtree(folder)
    watcher.stop()
    assert not watcher._thread.is_alive()


def test_where_the_system_tells_nothing_the_files_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the system has no file events, or no more of them, the files are polled."""
    import watchfiles

    def refuses(*_: Any, **__: Any) -> Any:
        raise OSError("the limit of watches is reached")

    monkeypatch.setattr(watchfiles, "watch", refuses)
    watcher = FileWatcher(tmp_path, delay=0)
    watcher.start()
    assert watcher.ready.wait(PATIENT)
    assert watcher.poll
    (tmp_path / "a.py").write_text("1")
    assert told(watcher, "a.py")
    watcher.stop()

"""Real files are watched: changes are noticed within a moment, for all the ways in which editors save."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_scripts.reload import Reload, Watcher

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
def watcher(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watcher]:
    """A running watcher of an empty folder."""
    (tmp_path / "sub").mkdir()
    watcher = Watcher(tmp_path.resolve(), poll=request.param, delay=0)
    watcher.start()
    assert watcher.ready.wait(PATIENT)
    yield watcher
    watcher.stop()


def told(watcher: Watcher, *names: str) -> bool:
    """Return True if exactly these files are noticed."""
    wanted = {watcher.folder / name for name in names}
    seen: set[Path] = set()

    def take() -> None:
        while watcher.changed:
            seen.add(watcher.changed.popleft())

    return wait_for(lambda: wanted <= seen, take) and seen == wanted


@pytest.mark.slow
def test_a_file_is_saved(watcher: Watcher) -> None:
    """New and changed files are noticed, also in subfolders."""
    (watcher.folder / "a.py").write_text("1")
    assert told(watcher, "a.py")
    (watcher.folder / "a.py").write_text("22")
    assert told(watcher, "a.py")
    (watcher.folder / "sub" / "b.yaml").write_text("3")
    assert told(watcher, "sub/b.yaml")


@pytest.mark.slow
def test_a_file_is_replaced(watcher: Watcher) -> None:
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


def test_what_tools_leave_behind_is_no_edit(watcher: Watcher) -> None:
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
        watcher = Watcher(folder, delay=delay)
        watcher.start()
        watcher.stop()
        watcher.stop()
        assert not watcher._thread.is_alive()
    watcher = Watcher(folder, delay=0)
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
    watcher = Watcher(tmp_path, delay=0)
    watcher.start()
    assert watcher.ready.wait(PATIENT)
    assert watcher.poll
    (tmp_path / "a.py").write_text("1")
    assert told(watcher, "a.py")
    watcher.stop()


@pytest.mark.slow
def test_a_game_that_is_edited_while_it_runs(yard: Path, rish_app: Callable[..., Any], told: list[str]) -> None:
    """Fifty saved edits take effect in the running game; five broken ones are reported and then repaired."""
    app = rish_app(yard, installed=("scripts", "render"), policy="disable", strict=False,
                   overrides=["settings.scripts.reload=always"])  # fmt: skip
    reload: Reload = app.world[Reload]
    [watcher] = reload.watchers
    assert wait_for(watcher.ready.is_set, app.frame)
    for number in range(2, 52):
        count = reload.count
        if number % 10 == 0:
            (yard / "rules.py").write_text("STEP = (\n")
            assert wait_for(lambda: bool(reload.problems), app.frame)
        (yard / "rules.py").write_text(f"STEP = {number}\n")
        assert wait_for(lambda before=count: reload.count > before and not reload.problems, app.frame)
        score = app.world[app.world.resource_classes["game.Score"]]
        points = score.points
        app.frame()
        assert score.points - points == number
    assert len(told) == 5
    app.close()
    assert not reload.on

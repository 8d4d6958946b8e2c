"""`AssetWatch`: files of a game in a window are watched, and saved ones are read again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from rish_assets import AssetWatch
from rish_core import App, Assets, Interventions
from rish_frame import NullBackend

PATIENT = 20.0
"""The time limit, in seconds, on a busy machine."""


class Window(NullBackend):
    """A backend with a window."""

    capabilities = NullBackend.capabilities | {"window"}


@pytest.fixture
def play(rish_app: Callable[..., App]) -> Callable[..., App]:
    """Return a function that starts a game with the file `a.txt`, by default in a window."""

    def start(headless: bool = False, **options: Any) -> App:
        return rish_app({}, files={"a.txt": "frog"}, backend=Window(), headless=headless, **options)

    return start


@pytest.mark.slow
def test_a_saved_file_is_read_again_in_a_window(play: Callable[..., App]) -> None:
    """A real file that is saved while the game runs is used soon, also without the plugin scripts."""
    app = play()
    assets, watch = app.world[Assets], app.world[AssetWatch]
    assert assets.load("a.txt") == "frog"
    end = time.monotonic() + PATIENT
    while assets.load("a.txt") == "frog" and time.monotonic() < end:
        if watch.watcher.ready.is_set():
            (assets.root / "a.txt").write_text("toad")
        app.frame()
        time.sleep(0.02)
    assert assets.load("a.txt") == "toad"
    assert [reason for _, reason in app.world[Interventions].reasons][:1] == ["reload of a.txt"]
    app.close()
    assert watch.watcher is None
    watch.end()


def test_files_are_not_watched_where_nobody_saves_them(play: Callable[..., App]) -> None:
    """Without a window, and where a tool takes the changes of files, no thread is started."""
    for options in ({"headless": True}, {"watches": False}):
        assert play(**options).world[AssetWatch].watcher is None


def test_a_file_is_not_read_twice(play: Callable[..., App]) -> None:
    """If somebody else begins to watch the files while the game runs, changes are left to them."""
    app = play()
    assets, watch = app.world[Assets], app.world[AssetWatch]
    assert assets.load("a.txt") == "frog"
    (assets.root / "a.txt").write_text("toad")
    for watched, text in ((True, "frog"), (False, "toad")):
        assets.watched = watched
        watch.waiting.append(assets.root.resolve() / "a.txt")
        app.frame()
        assert assets.load("a.txt") == text


def test_the_plugin_scripts_watches_for_all(play: Callable[..., App]) -> None:
    """A game whose plugin scripts watches the files has one watcher; if scripts does not, assets are watched still."""
    for setting, is_own in (("auto", False), ("never", True)):
        app = play(installed=["scripts"], overrides=[f"settings.scripts.reload={setting}"])
        assert (app.world[AssetWatch].watcher is not None) is is_own
        app.close()

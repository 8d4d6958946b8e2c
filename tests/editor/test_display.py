"""The editor in a window of a virtual screen, used from outside through keys and pointer of the system."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_editor.testing import UIDriver

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {size: [60, 60], color: red}}
    - {name: blue, Transform: {position: [100, 0]}, Shape: {size: [60, 60], color: blue}}
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("Xvfb") or not shutil.which("xdotool"), reason="needs Xvfb and xdotool"),
]


class Person:
    """Someone at a virtual screen. environment: for programs that show windows there."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment

    def do(self, *words: object) -> str:
        """Call xdotool; return what it prints."""
        call = ["xdotool", *map(str, words)]
        return subprocess.run(call, env=self.environment, capture_output=True, text=True, check=False).stdout

    def titles(self) -> str:
        """Return the titles of the visible windows."""
        return "".join(self.do("getwindowname", each) for each in self.do("search", "--onlyvisible", ".").split())

    def wait(self, until: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait until something is true."""
        end = time.monotonic() + seconds
        while not until():
            assert time.monotonic() < end, self.titles()
            time.sleep(0.1)


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    """A person at a screen of their own."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1440x900x24"], pass_fds=[write],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    os.close(write)
    with os.fdopen(read) as told:
        display = f":{told.readline().strip()}"
    environment = {**os.environ, "DISPLAY": display, "RISH_CONFIG": str(tmp_path / "own"), "LANG": "C"}
    environment.pop("ARCADE_HEADLESS", None)
    yield Person(environment)
    server.terminate()
    server.wait()


@pytest.mark.parametrize("options", [(), ("--scale", "2")])
def test_the_window_fits_the_screen(person: Person, options: tuple[str, ...]) -> None:
    """Without --size, the window lies on the screen of 1440x900 with room for its title, at any scale."""
    command = [sys.executable, "-m", "rish_core.cli", "edit", *options]
    editor = subprocess.Popen(command, env=person.environment)
    try:
        person.wait(lambda: person.titles() != "")
        number = person.do("search", "--onlyvisible", "--name", "Rish").split()[0]
        lines = person.do("getwindowgeometry", "--shell", number).split()
        found = {name: int(value) for name, value in (line.split("=") for line in lines)}
        assert (found["X"], found["Y"], found["WIDTH"]) == (0, 0, 1440)
        assert 800 <= found["HEIGHT"] <= 870
    finally:
        editor.kill()
        editor.wait()


def test_a_window_is_used_and_closed_with_unsaved_edits(
    driver: UIDriver, open_text: Callable[..., Any], person: Person
) -> None:
    """A click selects, keys edit and play, and closing asks about unsaved edits; Enter saves them."""
    game = open_text()
    path = game.path / "game.yaml"
    row, before = driver.place("editor.hierarchy/rows/red"), path.read_text()
    driver.shell.games.close()
    size = f"{driver.window.width}x{driver.window.height}"
    command = [sys.executable, "-m", "rish_core.cli", "edit", str(path.parent), "--size", size]
    editor = subprocess.Popen(command, env=person.environment)
    try:
        person.wait(lambda: "Test — Rish" in person.titles())
        time.sleep(1.0)
        person.do("mousemove", *map(int, row.centre), "click", 1)
        time.sleep(0.5)
        person.do("key", "ctrl+d")
        person.wait(lambda: "• Test" in person.titles(), 20)
        person.do("key", "F5")
        time.sleep(1.0)
        person.do("key", "F8")
        person.do("key", "ctrl+q")
        time.sleep(1.0)
        assert editor.poll() is None  # it asks
        person.do("key", "Return")
        assert editor.wait(20) == 0
        assert path.read_text().count("name: red") == before.count("name: red") + 1
    finally:
        editor.kill()


def test_save_play_save_in_a_real_window_doubles_nothing(
    driver: UIDriver, open_text: Callable[..., Any], person: Person
) -> None:
    """With scripts, whose games are watched: duplicate, save, play, stop, duplicate, save, without any question."""
    text = GAME.replace("plugins: [render]", "plugins: [render, scripts]")
    game = open_text(text)
    path = game.path / "game.yaml"
    row = driver.place("editor.hierarchy/rows/red")
    driver.shell.games.close()
    size = f"{driver.window.width}x{driver.window.height}"
    command = [sys.executable, "-m", "rish_core.cli", "edit", str(path.parent), "--size", size]
    editor = subprocess.Popen(command, env=person.environment)
    try:
        person.wait(lambda: "Test — Rish" in person.titles())
        time.sleep(2.0)
        person.do("mousemove", *map(int, row.centre), "click", 1)
        for count in (2, 3):
            time.sleep(0.5)
            person.do("key", "ctrl+d")
            person.wait(lambda: "• Test" in person.titles(), 20)
            person.do("key", "ctrl+s")
            person.wait(lambda count=count: path.read_text().count("name: red") == count, 20)
            person.wait(lambda: "• Test" not in person.titles(), 20)
            time.sleep(1.5)
            person.do("key", "F5")
            time.sleep(1.5)
            person.do("key", "F8")
        person.do("key", "ctrl+q")
        assert editor.wait(20) == 0
        assert path.read_text().count("color: blue") == 1
    finally:
        editor.kill()

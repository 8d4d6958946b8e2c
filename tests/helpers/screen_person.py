"""A person at a virtual screen, who uses the editor in a process of its own through keys and pointer of the system."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rish_editor.ui.marks import Place

HAS_SCREENS = bool(shutil.which("Xvfb") and shutil.which("xdotool"))
_KEYS = {"Enter": "Return", "Pageup": "Prior", "Pagedown": "Next"}
Where = str | tuple[float, float]


@contextlib.contextmanager
def virtual_screen(config: Path, size: tuple[int, int] = (1440, 900)) -> Iterator[dict[str, str]]:
    """Start a virtual screen; yields the environment of programs that show windows there. config: of the person."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size[0]}x{size[1]}x24"],
                              pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    os.close(write)
    with os.fdopen(read) as told:
        display = f":{told.readline().strip()}"
    environment = {**os.environ, "DISPLAY": display, "RISH_CONFIG": str(config), "LANG": "C"}
    environment.pop("ARCADE_HEADLESS", None)
    try:
        yield environment
    finally:
        server.terminate()
        server.wait()


class Person:
    """Someone at a virtual screen. environment: for programs that show windows there. folder: for files of the test."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment = environment
        self.marks_path = folder / "marks.json"
        self.editor: subprocess.Popen[bytes] | None = None

    def do(self, *words: object) -> str:
        """Call xdotool; return what it prints."""
        call = ["xdotool", *map(str, words)]
        return subprocess.run(call, env=self.environment, capture_output=True, text=True, check=False).stdout

    def titles(self) -> str:
        """Return the titles of the visible windows."""
        return "".join(self.do("getwindowname", each) for each in self.do("search", "--onlyvisible", ".").split())

    def wait(self, until: Callable[[], Any], seconds: float = 60.0) -> None:
        """Wait until something is true."""
        end = time.monotonic() + seconds
        while not until():
            assert time.monotonic() < end, self.titles()
            time.sleep(0.02)

    # The editor in its window

    def open_editor(self, *arguments: object, folder: Path | None = None) -> None:
        """Start the editor in a folder, and wait for its first frames."""
        self.marks_path.unlink(missing_ok=True)
        words = ["edit", *map(str, arguments), "--marks", str(self.marks_path)]
        self.editor = subprocess.Popen([sys.executable, "-m", "rish_core", *words], env=self.environment, cwd=folder)
        self.wait(self.marks_path.is_file)
        self.see()

    def close_editor(self) -> int:
        """Press Ctrl+Q and return the exit code."""
        assert self.editor is not None
        self.do("key", "ctrl+q")
        return self.editor.wait(20)

    def end(self) -> None:
        """End the editor if it still runs."""
        if self.editor is not None and self.editor.poll() is None:
            self.editor.kill()
            self.editor.wait()

    def _read(self) -> dict[str, Any]:
        return json.loads(self.marks_path.read_text(encoding="utf-8"))

    def see(self, frames: int = 3) -> None:
        """Wait until the editor has taken all input, and has drawn some frames since now."""
        last = self._read()["frame"] + frames

        def seen() -> bool:
            read = self._read()
            return bool(read["frame"] >= last and not read["waiting"])

        self.wait(seen)

    def marks(self, prefix: str = "") -> list[str]:
        """Return the names of the widgets that are drawn, those that begin with a prefix."""
        return [name for name in self._read()["places"] if name.startswith(prefix)]

    def sees(self, name: str) -> bool:
        """Return whether a widget is drawn."""
        return name in self._read()["places"]

    def in_view(self, name: str, area: str) -> bool:
        """Return whether a widget is drawn completely within an area that can be scrolled."""
        places = self._read()["places"]
        if name not in places or area not in places:
            return False
        return places[area][1] <= places[name][1] and places[name][3] <= places[area][3]

    def place(self, name: str) -> Place:
        """Return the place of a widget; wait until it is drawn and stands still, as a menu that opens does."""
        self.wait(lambda: self.sees(name), 20)
        last = None
        while (now := self._read()["places"].get(name)) is None or now != last:
            last = now
            self.see(1)
        return Place(*now)

    # Pointer

    def move(self, to: Where) -> None:
        """Move the pointer to the center of a widget, or to a point of the screen."""
        x, y = self.place(to).center if isinstance(to, str) else to
        self.do("mousemove", round(x), round(y))
        self.see(2)

    def click(self, on: Where, button: int = 1) -> None:
        """Click."""
        self.move(on)
        self.do("click", button)
        self.see()

    def double_click(self, on: Where) -> None:
        """Click twice."""
        self.move(on)
        self.do("click", "--repeat", 2, "--delay", 60, 1)
        self.see()

    def drag(self, start: Where, to: Where | None = None, *, by: tuple[float, float] = (0.0, 0.0)) -> None:
        """Drag from a place to another one, or by a way in pixels, y down."""
        self.move(start)
        x, y = self.place(start).center if isinstance(start, str) else start
        self.do("mousedown", 1)
        self.see(2)
        end = self.place(to).center if isinstance(to, str) else to or (x + by[0], y + by[1])
        for part in (0.1, 0.5, 1.0, 1.0):
            self.do("mousemove", round(x + (end[0] - x) * part), round(y + (end[1] - y) * part))
            self.see(1)
        self.do("mouseup", 1)
        self.see()

    def drop(self, *paths: Path) -> None:
        """Drop files onto the window, as from a file manager."""
        window = self.do("search", "--onlyvisible", "--name", "Rish").split()[0]
        command = [sys.executable, str(Path(__file__).parent / "x_drop.py"), self.environment["DISPLAY"], window]
        subprocess.run([*command, *map(str, paths)], env=self.environment, check=True, timeout=60)
        self.see()

    # Keyboard

    def key(self, shortcut: str) -> None:
        """Press a key, such as `F5`, `Enter` or `Ctrl+Z`."""
        *held, name = shortcut.split("+")
        name = _KEYS.get(name, name.lower() if len(name) == 1 else name)
        self.do("key", "+".join([*(word.lower() for word in held), name]))
        self.see()

    def type(self, text: str) -> None:
        """Type a text."""
        self.do("type", "--delay", 4, text)
        self.see()

    def enter(self, field: str, text: str) -> None:
        """Replace the content of a text or number field, and press Enter."""
        self.double_click(field)
        self.key("Ctrl+A")
        self.type(text)
        self.key("Enter")

    def palette(self, text: str) -> None:
        """Choose the first row of the palette for a text."""
        self.key("Ctrl+P")
        self.type(text)
        self.key("Enter")

    # Seeing

    def picture(self, path: Path) -> None:
        """Write a picture of the screen."""
        from PIL import ImageGrab

        ImageGrab.grab(xdisplay=self.environment["DISPLAY"]).save(path)

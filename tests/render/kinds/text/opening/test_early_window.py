"""The window of `rish run` is open before the game is loaded, answers, and ends with the game."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rish_core.plugin import installed_modules
from rish_render import RenderSettings
from rish_render.kinds.text.opening.early_window import DEFAULT_BACKGROUND
from screen_person import HAS_SCREENS, virtual_screen

pytestmark = pytest.mark.skipif(not HAS_SCREENS, reason="needs Xvfb and xdotool")
MANIFEST = """\
rish: 1
game: {title: A slow game, size: [320, 240]}
plugins: [render]
settings: {render: {background: "#204060"}}
scenes: {main: [{Transform: {}, Shape: {shape: circle, radius: 20}}]}
"""
LOOK = """
import subprocess
def look(*words):
    return subprocess.run(["xdotool", *words], capture_output=True, text=True).stdout.strip()
window = look("search", "--onlyvisible", "--name", "^A slow game$")
print("window", window and look("getwindowgeometry", window).split()[-1], flush=True)
"""
"""Code of a game's plugin that prints the size of its window, if there is one."""
CLOSE = """
import ctypes
class Message(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong), ("kind", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 20),
    ]
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype, x.XInternAtom.restype = ctypes.c_void_p, ctypes.c_ulong
display = ctypes.c_void_p(x.XOpenDisplay(None))
protocols, delete = (x.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
message = Message(33, 0, 1, None, int(window), protocols, 32, (ctypes.c_long * 20)(delete))
x.XSendEvent(display, ctypes.c_ulong(int(window)), 0, ctypes.c_long(0), ctypes.byref(message))
x.XSync(display, 0)
"""
"""Code that closes the window as its frame does."""
IMPORTS = """
import importlib, time
for name in ("wave", "chunk", "sndhdr", "colorsys", "mailcap", "nntplib", "telnetlib", "turtledemo"):
    time.sleep(0.06)
    try:
        importlib.import_module(name)
    except ImportError:
        pass
print("all were imported", flush=True)
"""
"""Code that imports modules for half a second."""


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of programs on a virtual screen."""
    with virtual_screen(tmp_path_factory.mktemp("config"), (640, 480)) as environment:
        yield {name: value for name, value in environment.items() if name != "RISH_BACKEND"}


class Game:
    """A game whose plugin is code of a test. screen: see there."""

    def __init__(self, folder: Path, screen: dict[str, str]) -> None:
        self.folder, self._screen = folder, screen

    def run(self, code: str, *options: str, manifest: str = MANIFEST) -> subprocess.CompletedProcess[str]:
        """Run one frame of the game in a window; return the exit code and the output."""
        (self.folder / "game.yaml").write_text(manifest)
        (self.folder / "plugin.py").write_text(code)
        command = [sys.executable, "-m", "rish_core", "run", str(self.folder), "--frames", "1", *options]
        return subprocess.run(command, env=self._screen, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def game(tmp_path: Path, screen: dict[str, str]) -> Game:
    """A game in an empty folder."""
    return Game(tmp_path, screen)


def test_the_window_is_open_before_a_plugin_is_imported(game: Game) -> None:
    """While the game's own plugin is imported, there is a window with the title and the size of the game."""
    done = game.run(LOOK)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "window 320x240\n"


def test_the_game_uses_the_window_that_is_open(game: Game) -> None:
    """The window of the first frame is the one that was open before."""
    code = LOOK + "def rish_frame_end(world): print(look('search', '--name', 'A slow game') == window)\n"
    assert game.run(code).stdout.splitlines()[-1] == "True"


@pytest.mark.parametrize(
    ("options", "size"),
    [
        (("--size", "200x100"), "200x100"),
        (("--set", "game.size=[200,100]"), "320x240"),
        (("--backend", "software_window"), "320x240"),
        (("--backend", "software"), ""),
        (("--headless",), ""),
        (("--speed", "max"), ""),
        (("--without", "render"), ""),
    ],
)
def test_options_decide_about_the_window(game: Game, options: tuple[str, ...], size: str) -> None:
    """A run that will have no window opens none; a size of the command line counts."""
    done = game.run(LOOK, *options)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == f"window {size}".strip() + ("" if size else " ")


def test_a_window_of_another_size_is_replaced(game: Game) -> None:
    """If the game turns out to have another size than its file says, its window has that size."""
    code = (
        LOOK
        + "def rish_frame_end(world): print(look('getwindowgeometry', look('search', '--name', 'slow')).split()[-1])\n"
    )
    assert game.run(code, "--set", "game.size=[200,100]").stdout.splitlines()[-1] == "200x100"


def test_a_person_may_close_the_window_while_libraries_are_imported(game: Game) -> None:
    """Closing the window ends the program between two imports, with exit code 0 and without a word."""
    done = game.run(LOOK + CLOSE + IMPORTS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "window 320x240\n", "")


def test_escape_does_not_close_the_window(game: Game) -> None:
    """A key that is pressed while the game is loaded does nothing."""
    done = game.run(LOOK + "look('key', '--window', window, 'Escape')\n" + IMPORTS)
    assert done.returncode == 0
    assert "all were imported" in done.stdout


def test_ctrl_c_ends_the_program_while_it_loads(game: Game) -> None:
    """Ctrl-C while libraries are imported ends the program with code 130."""
    ctrl_c = "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # it may be ignored here
    done = game.run(f"{ctrl_c}os.kill(os.getpid(), signal.SIGINT)\n" + IMPORTS)
    assert (done.returncode, done.stderr) == (130, "rish: interrupted\n")


@pytest.mark.parametrize(
    ("code", "manifest"),
    [
        ("", MANIFEST.replace("circle", "cirkle")),
        ("", MANIFEST.replace("[render]", "[render, no_such_plugin]")),
        ("", MANIFEST.replace("[render]", "[render")),
        ("1 / 0", MANIFEST),
        ("def rish_ready(app): 1 / 0", MANIFEST),
    ],
    ids=["value", "missing plugin", "no YAML", "import", "hook"],
)
def test_mistakes_are_told_as_without_a_window(game: Game, code: str, manifest: str) -> None:
    """A mistake that is found while the game loads ends it with the code and the message of a run without a window."""
    shown = game.run(code, "--on-error", "raise", manifest=manifest)
    unseen = game.run(code, "--on-error", "raise", "--headless", manifest=manifest)
    assert (shown.returncode, shown.stdout, shown.stderr) == (unseen.returncode, unseen.stdout, unseen.stderr)
    assert unseen.returncode == 2


def test_without_a_screen_the_game_runs_as_before(game: Game, screen: dict[str, str]) -> None:
    """Without a display no window is opened, and the game plays itself."""
    display = screen.pop("DISPLAY")
    try:
        done = game.run("", "--backend", "software")
    finally:
        screen["DISPLAY"] = display
    assert done.returncode == 0, done.stderr
    assert "no window is available" in done.stdout


def test_the_default_background_is_that_of_the_settings() -> None:
    """A game without a background in its file has that of the settings before they are imported."""
    assert RenderSettings().background[:3] == pytest.approx(DEFAULT_BACKGROUND)


def test_opening_imports_no_library_but_pyglet() -> None:
    """The module that opens the window imports neither numpy nor Pillow, so that the window opens first."""
    (window,) = (each.value for each in installed_modules("rish.windows") if each.name == "render")
    code = f"import sys, {window}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "rish_render" in loaded
    assert not loaded & {"numpy", "PIL", "arcade", "rish_core", "rish_animation"}

"""The processes that the benchmark `start` starts."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ._screen import virtual_screen
from ._task import Task
from ._worker import ROOT
from .start import BREAKOUT_FRAMES, SUSTAINED_FRAMES

LINES = 12_000
SETTLED = 600
"""The number of ticks after which Breakout is in full play."""
_TIMEOUT = 300
_UNUSUAL = (
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPROFILEIMPORTTIME",
    "PYTHONDEVMODE",
    "RISH_NO_JIT",
)
"""Environment variables that would make every start slower than for a user."""


def _process(command: Sequence[str], clock: str = "wall") -> Task:
    """Return a task that runs a command from start to end; it must succeed."""
    environment = usual_environment()

    def run() -> None:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=_TIMEOUT, check=False)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"]
            raise RuntimeError(f"`{' '.join(command)}` ended with code {done.returncode}: {said[-1]}")

    return Task(run, clock=clock)


def usual_environment() -> dict[str, str]:
    """Return the environment variables without those that slow every start down."""
    return {name: value for name, value in os.environ.items() if name not in _UNUSUAL}


def rish_command(*arguments: str) -> list[str]:
    """Return the installed command `rish`, as a user starts it."""
    script = shutil.which("rish", path=str(Path(sys.executable).parent))
    return [*([script] if script else [sys.executable, "-m", "rish_core"]), *arguments]


def _rish(*arguments: str, clock: str = "wall") -> Task:
    """Return a task that runs the installed command `rish`."""
    return _process(rish_command(*arguments), clock)


def _import(module: str) -> Task:
    if importlib.util.find_spec(module) is None:
        raise ModuleNotFoundError(name=module)
    return _process([sys.executable, "-c", f"import {module}"])


def hello() -> Task:
    """The game of twenty lines, one frame, no window."""
    return _rish("run", "games/hello", "--headless", "--frames", "1")


def hello_window() -> Task:
    """The same game in a window with OpenGL, until its first frame is shown."""
    virtual_screen()
    return _rish("run", "games/hello", "--backend", "arcade", "--frames", "1")


_ARCADE_HELLO = """
import arcade

class Hello(arcade.Window):
    def __init__(self):
        super().__init__(640, 360, "Hello")
        self.words = arcade.Text("Hello, arcade", 320, 180, arcade.color.WHITE, 40, anchor_x="center")

    def on_draw(self):
        self.clear(color=arcade.color.MIDNIGHT_BLUE)
        arcade.draw_circle_filled(320, 90, 40, arcade.color.GOLD)
        self.words.draw()

window = Hello()
window.dispatch_events()
window.on_draw()
window.flip()
"""


def arcade_window() -> Task:
    """arcade's own first program: a window, a circle, a line of text, one frame."""
    if importlib.util.find_spec("arcade") is None:
        raise ModuleNotFoundError(name="arcade")
    virtual_screen()
    return _process([sys.executable, "-c", _ARCADE_HELLO])


def breakout() -> Task:
    """Fifty seconds of Breakout without drawing; processor time, start included."""
    frames = str(BREAKOUT_FRAMES)
    command = ("run", "games/breakout", "--set", "scene=play", "--headless", "--speed", "max", "--frames", frames)
    return _rish(*command, clock="children")


def breakout_sustained() -> Task:
    """Ten seconds of Breakout in play, with its expensive ticks, in this process."""
    from rish_core import open_game

    app = open_game(ROOT / "games" / "breakout", ["scene=play"], headless=True)
    app.run(SETTLED, draw=False)
    return Task(lambda: app.run(SUSTAINED_FRAMES, draw=False), after=app.close)


def show_help() -> Task:
    """Print the help of `rish`."""
    return _rish("--help")


def plugins() -> Task:
    """List the installed plugins."""
    return _rish("plugins")


def check() -> Task:
    """Check a manifest of twelve thousand lines, with a check of every value."""
    folder = Path(tempfile.mkdtemp(prefix="rish-bench-"))
    (folder / "game.yaml").write_text(big_manifest(LINES), encoding="utf-8")
    task = _rish("check", str(folder))
    task.after = lambda: shutil.rmtree(folder)
    return task


def big_manifest(lines: int) -> str:
    """Return a manifest of this many lines: entries of six lines with three components, a hundred in a scene."""
    written = ["rish: 1", "game: {title: Large, size: [960, 540]}", "plugins: [render]", "scenes:"]
    number = 0
    while len(written) < lines:
        if number % 100 == 0:
            written.append(f"  scene{number // 100}:")
        written += [
            f"    - name: thing{number}",
            "      tags: [crate, wooden]",
            "      Transform:",
            f"        position: [{number % 960}, {number // 960}.5]",
            f"        rotation: {number % 360}",
            "      Shape: {color: '#c08040', size: [32, 32]}",
        ]
        number += 1
    return "\n".join(written[:lines]) + "\n"


def python() -> Task:
    """Python, doing nothing."""
    return _process([sys.executable, "-c", "pass"])


def import_rish_core() -> Task:
    """Import the kernel, whose parts are loaded when they are first named."""
    return _import("rish_core")


def import_app() -> Task:
    """Import everything that runs a game from its manifest, except plugins."""
    return _import("rish_core.app")


def import_esper() -> Task:
    """Import esper."""
    return _import("esper")


def import_pygame() -> Task:
    """Import pygame, without its greeting."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    return _import("pygame")


def import_arcade() -> Task:
    """Import arcade, with its OpenGL layer set not to request a window."""
    os.environ["ARCADE_HEADLESS"] = "1"
    return _import("arcade")

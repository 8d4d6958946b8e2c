"""The tasks of the benchmark `editor`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from ._start_commands import _rish
from ._task import Task

MANY, MORE = 10_000, 100_000
_HEAD = """rish: 1
game: {title: Many, size: [1280, 720]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 720}}
"""


def _folder(entries: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="rish-editor-"))
    (folder / "game.yaml").write_text(_HEAD + entries, encoding="utf-8")
    os.environ["RISH_CONFIG"] = str(folder / "settings")
    return folder


def _grid(n: int) -> str:
    side = round(n**0.5)
    return (
        f"    - {{name: crate, count: {n}, at: {{grid: [{side}, {n // side}], step: [12, 12]}}, "
        "Shape: {size: [10, 10]}, Tags: {values: [solid]}}\n"
    )


def _shell(entries: str) -> Any:
    """Return an editor off screen with an opened game, after a few frames."""
    os.environ.setdefault("ARCADE_HEADLESS", "1")
    from rish_editor import Settings, Shell

    made = Shell(Settings(language="en", autosave=0.0), size=(1280, 720), headless=True)
    if not made.open(_folder(entries)):
        raise RuntimeError(made.log.lines[-1].text)
    for _ in range(5):
        made.frame(1 / 60)
    return made


def _ui(n: int, selected: int = 1, change: Callable[[Any], object] = lambda shell: None) -> Task:
    """Measure the widgets of a frame and their submission, with the picture of the game left as it is.

    change: what happens before each frame; it is not measured.
    """
    os.environ.setdefault("LP_NO_RAST", "1")  # Mesa without a graphics card leaves the pixels out
    from rish_core import Transform

    shell = _shell(_grid(n))
    game = shell.editor.game
    texture = game.draw((640, 360))
    game.surface.show = lambda *_, **__: texture
    game.selection.set(game.world.table(Transform).entities[1 : 1 + selected].tolist())
    return Task(lambda: shell.draw_interface(1 / 60), before=lambda: (_finish(), change(shell)), after=shell.close)


def _finish() -> None:
    """Wait until the picture of the last frame is drawn, so that a renderer without a graphics card is not measured."""
    from pyglet import gl

    gl.glFinish()


def ui_10k() -> Task:
    """Measure with ten thousand entities, one of them selected."""
    return _ui(MANY)


def ui_100k() -> Task:
    """Measure with a hundred thousand entities."""
    return _ui(MORE)


def ui_selected() -> Task:
    """Measure with ten thousand entities, all selected."""
    return _ui(MANY, MANY)


def ui_moving() -> Task:
    """Measure with ten thousand entities, while the selected one moves."""
    from rish_core import Transform

    number = count(1)

    def move(shell: Any) -> None:
        places = shell.editor.game.world[Transform]
        places.position[1, 0] = next(number) % 50
        places.mark([1])

    return _ui(MANY, change=move)


def ui_drawn() -> Task:
    """Measure with ten thousand entities, when all panels are drawn again, as after a click."""
    return _ui(MANY, change=lambda shell: shell.editor.panels.redraw())


def play() -> Task:
    """Measure beginning a run."""
    shell = _shell(_grid(MANY))
    play = shell.editor.game.play
    return Task(play.start, before=play.stop, after=shell.close, clock="wall", once=True)


def stop() -> Task:
    """Measure ending a run after a tick."""
    shell = _shell(_grid(MANY))
    play = shell.editor.game.play

    def begin() -> None:
        play.start()
        play.advance(1 / 60)

    return Task(play.stop, before=begin, after=shell.close, clock="wall", once=True)


def edit() -> Task:
    """Measure setting one field as the inspector does."""
    from rish_core import Transform

    shell = _shell(_grid(MANY))
    game, number = shell.editor.game, count(1)
    one = int(game.world.table(Transform).entities[7])
    return Task(lambda: game.set([one], Transform, "position", (next(number), 0)), after=shell.close)


def undo() -> Task:
    """Measure undoing and redoing one field."""
    from rish_core import Transform

    shell = _shell(_grid(MANY))
    game = shell.editor.game
    game.set([int(game.world.table(Transform).entities[7])], Transform, "position", (5, 0))
    return Task(lambda: (game.undo(), game.redo()), after=shell.close, parts=2)


def open_long() -> Task:
    """Measure opening a manifest of twelve thousand lines, to the first picture."""
    from rish_editor import Settings, Shell

    lines = [f"    - name: e{k}\n      at: [{k}, 2]\n      Shape:\n        size: [9, 9]\n" for k in range(3000)]
    folder = _folder("".join(lines))
    shell = Shell(Settings(language="en", autosave=0.0), size=(1280, 720), headless=True)

    def run() -> None:
        if not shell.open(folder):
            raise RuntimeError(shell.log.lines[-1].text)
        shell.frame(1 / 60)

    return Task(run, after=shell.close, clock="wall", once=True)


def start() -> Task:
    """Measure the command to the first picture, with compiled kernels."""
    return _rish("edit", "games/breakout", "--headless", "--frames", "1")

"""Rish's side of the benchmark `ui` with whole screens: games of widgets, with a backend that draws nothing."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_core import App, open_game
from rish_frame import NullBackend
from rish_ui import Label, UiState
from rish_ui.painting.showing import show
from rish_ui.tree.context import Context

from ._task import Task
from ._ui_scene import HIGH, LIST, LIST_HIGH, ROWS, SMALL, WIDE, label_of

_HEAD = """rish: 1
game: {{title: Widgets, size: [{}, {}]}}
plugins: [render, ui]
scenes:
  main:
    - name: screen
      Screen: {{}}
      Layout: {{gap: [0, 2]}}
"""
_ROW = """        - Layout: {{direction: row, gap: [8, 0], align: center}}
          children:
            - {{name: label{0}, Label: {{text: {1}}}}}
            - {{Button: {{text: Press}}}}
            - {{Toggle: {{text: Switch}}}}
            - {{Slider: {{value: 0.5}}, Layout: {{grow: 1}}}}
"""
_LIST = """      children:
        - {name: rows, List: {rows: "%s"}, Layout: {grow: 1, basis: 0}}
"""


def _opened(entries: str, high: int = HIGH) -> App:
    """Open a game with these widgets, and show it until nothing changes."""
    folder = tempfile.TemporaryDirectory(prefix="rish-ui-")
    Path(folder.name, "game.yaml").write_text(_HEAD.format(WIDE, high) + entries, encoding="utf-8")
    with folder:
        app = open_game(folder.name, headless=True, backend=NullBackend(keep=0))
    for _ in range(5):
        app.frame()
    return app


def _widgets(rows: int) -> str:
    return "      children:\n" + "".join(_ROW.format(k, label_of(k)) for k in range(rows))


def _showing(app: App) -> Callable[[], object]:
    world: Any = app.world
    return lambda: show(world, 1 / 60)


def still() -> Task:
    """The interface's part of a frame in which nothing of 500 widgets changes."""
    app = _opened(_widgets(SMALL))
    return Task(_showing(app), after=app.close)


def frame() -> Task:
    """A frame and a tick of a game with 500 widgets, of which nothing changes."""
    app = _opened(_widgets(SMALL))
    return Task(app.frame, after=app.close)


def relayout() -> Task:
    """The interface's part of a frame in which the text of one of 1,000 widgets gets another width."""
    app = _opened(_widgets(ROWS))
    world, numbers = app.world, itertools.count()
    label = next(n.entity for n in world[UiState].tree.roots[0].nodes if n.name == "label9")
    run = _showing(app)

    def change() -> None:
        app.world.get(label, Label).text = label_of(next(numbers))

    return Task(run, before=change, after=app.close)


def scroll() -> Task:
    """The interface's part of a frame in which a list of 10,000 rows is scrolled by the wheel."""
    app = _opened(_LIST % "\\n".join(f"Row {k}" for k in range(LIST)), LIST_HIGH)
    node = next(n for n in app.world[UiState].tree.roots[0].nodes if n.name == "rows")
    numbers, run = itertools.count(), _showing(app)

    def change() -> None:
        node.kind.wheel(node, Context(app.world), 0.0, -1.0 if next(numbers) // 500 % 2 == 0 else 1.0)

    return Task(run, before=change, after=app.close)

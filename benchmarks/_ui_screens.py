"""Rish's side of the benchmark `ui` with whole screens: games of widgets, with a backend that draws nothing."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import App, Transform, open_game
from rish_frame import NullBackend
from rish_ui import Context, Label, UiState, show

from ._task import Task
from ._ui_scene import BARS, HIGH, LIST, LIST_HIGH, ROWS, SMALL, WIDE, label_of

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
_WORLD = """rish: 1
game: {{title: Bars, size: [{}, {}]}}
plugins: [render, ui]
layers: [world]
prefabs:
  orc:
    Transform: {{}}
    Health: {{}}
    children:
      - Transform: {{}}
        Screen: {{space: world, lift: [0, 26]}}
        ProgressBar: {{bind: self.Health.now, high: 100}}
        Layout: {{size: [40, 6]}}
scenes:
  main:
    - {{at: [640, 360], Transform: {{}}, Camera: {{}}}}
"""
_ORC = "    - {{prefab: orc, at: [{}, {}]}}\n"
_HEALTH = """
from rish_core import component


@component
class Health:
    now: float = 60.0


def rish_components():
    return [Health]
"""
_LIST = """      children:
        - {name: rows, List: {rows: "%s"}, Layout: {grow: 1, basis: 0}}
"""


def _opened(entries: str, high: int = HIGH, head: str = _HEAD) -> App:
    """Open a game with these entries, and show it until nothing changes."""
    folder = tempfile.TemporaryDirectory(prefix="rish-ui-")
    Path(folder.name, "game.yaml").write_text(head.format(WIDE, high) + entries, encoding="utf-8")
    Path(folder.name, "plugin.py").write_text(_HEALTH, encoding="utf-8")
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


def _bars() -> tuple[App, Any]:
    """Open a game with entities that have health bars over them; return it and the table of their health."""
    places = [(40 + k % 20 * 60, 20 + k // 20 * 68) for k in range(BARS)]
    app = _opened("".join(_ORC.format(*place) for place in places), LIST_HIGH, _WORLD)
    return app, next(table for cls, table in app.world.tables.items() if cls.__name__ == "Health")


def world_still() -> Task:
    """A frame and a tick of a game with 200 health bars in the world, of which nothing changes."""
    app, _ = _bars()
    return Task(app.frame, after=app.close)


def world_moved() -> Task:
    """A frame and a tick of a game with 200 health bars in the world, all of which move."""
    app, health = _bars()
    table, numbers = app.world.table(Transform), itertools.count()
    rows = table.rows_of(health.entities)

    def move() -> None:
        table.column("position")[rows] += 0.5 if next(numbers) % 2 else -0.5
        table.mark(rows)

    return Task(app.frame, before=move, after=app.close)


def world_changed() -> Task:
    """A frame and a tick of a game with 200 health bars in the world, all of which get another value."""
    app, health = _bars()
    numbers = itertools.count()

    def change() -> None:
        health.column("now")[:] = (np.arange(len(health)) * 7 + next(numbers) * 3) % 100 + 0.5
        health.mark()

    return Task(app.frame, before=change, after=app.close)

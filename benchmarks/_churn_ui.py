"""The tasks of the benchmark `churn` with widgets and texts."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

from rish_core import App, Transform, parse_manifest
from rish_render import Text
from rish_ui import Label, Layout, UiState

from ._churn_rish import DT, Undrawn
from ._churn_turns import above_still
from ._task import Task, figure

_HEAD = """rish: 1
game: {title: Churn, size: [1280, 720]}
plugins: [render, ui]
layers: [world]
scenes:
  main:
    - {Transform: {position: [640, 360]}, Camera: {}}
"""
_SCREEN = "    - {name: screen, Screen: {}, Layout: {direction: grid, columns: [%s], gap: [2, 2]}, children: [\n%s]}\n"
_LABEL = "      {{Label: {{text: Label number {}}}}},\n"
_TEXT = "    - {{Transform: {{position: [{}, {}]}}, Text: {{text: Text number {}, size: 10}}}}\n"
_COLUMNS, _IN_ROW = 8, 20
"""Of labels and texts; no label is broken into lines."""


def _open(entries: str) -> App:
    app = App(parse_manifest(_HEAD + entries), backend=Undrawn(), headless=True)
    app.headless = False
    for _ in range(12):
        app.frame(seconds=DT)
    return app


def _labels(count: int) -> tuple[App, list[int]]:
    """Return a game with labels in a grid, and their entities."""
    rows = "".join(_LABEL.format(k) for k in range(count))
    app = _open(_SCREEN % (", ".join(["1"] * _COLUMNS), rows))
    return app, app.world.table(Label).entities.tolist()


def _texts(count: int) -> tuple[App, list[int]]:
    """Return a game with texts in the world that the camera shows, and their entities."""
    app = _open("".join(_TEXT.format(k % _IN_ROW * 64, k // _IN_ROW * 720 * _IN_ROW / count, k) for k in range(count)))
    return app, app.world.table(Text).entities.tolist()


_MADE: dict[str, tuple[Callable[[int], tuple[App, list[int]]], type]] = {
    "label": (_labels, Label),
    "text": (_texts, Text),
}


def _written(kind: str, count: int, share: int) -> Task:
    """Write the first `share` of so many labels or texts."""
    make, cls = _MADE[kind]
    app, entities = make(count)
    world, numbers = app.world, itertools.count(100_000)

    def write() -> None:
        for entity in entities[:share]:
            world.set(entity, cls(text=f"Number {next(numbers)}"))

    return figure(
        partial(above_still, partial(app.frame, seconds=DT), write, lambda: None, 3 if share > 1 else 15), app.close
    )


def _widget(what: str, count: int) -> Task:
    """Add a widget to so many, or remove it."""
    app, _ = _labels(count)
    world: Any = app.world
    parent = world[UiState].tree.roots[0].entity
    added: list[int] = []

    def comes() -> None:
        added.append(world.spawn(Transform(parent=parent), Label(text="Added"), Layout()))

    def goes() -> None:
        world.despawn(added.pop())

    if what == "goes":
        comes()
        return figure(partial(above_still, partial(app.frame, seconds=DT), goes, comes), app.close)
    return figure(partial(above_still, partial(app.frame, seconds=DT), comes, goes), app.close)


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of a name such as `label_changes_1000`, `labels_change_1000` or `widget_comes_500`."""
    what, _, verb = name.partition("_")
    verb, _, number = verb.partition("_")
    if not number.isdigit():
        raise AttributeError(name)
    if what == "widget":
        return partial(_widget, verb, int(number))
    return partial(_written, what.removesuffix("s"), int(number), int(number) if what.endswith("s") else 1)

"""The side of arcade.gui in the benchmark `ui`: updates and layouts of its manager, and its drawing without pixels."""

from __future__ import annotations

import itertools
import os
from typing import Any

from ._screen import virtual_screen
from ._task import Task
from ._ui_scene import HIGH, ROWS, SMALL, WIDE, label_of

virtual_screen()  # its widgets ask for tablets, which a display without windows has not
os.environ.pop("ARCADE_HEADLESS", None)  # for the same reason
os.environ.setdefault("LP_NO_RAST", "1")  # Mesa without a graphics card leaves the pixels out

import pyglet  # noqa: E402

pyglet.options.debug_gl = False
import arcade  # noqa: E402
from arcade.gui import UIBoxLayout, UIFlatButton, UILabel, UIManager, UISlider, UITextureToggle  # noqa: E402

_windows: list[arcade.Window] = []


def _screen(rows: int) -> tuple[arcade.Window, UIManager, list[UILabel]]:
    """Return a manager with rows of widgets."""
    if not _windows:
        _windows.append(arcade.Window(WIDE, HIGH, "bench", antialiasing=False, visible=False))
    manager, column, labels = UIManager(_windows[0]), UIBoxLayout(space_between=2), list[UILabel]()
    on, off = (arcade.make_soft_square_texture(20, color) for color in (arcade.color.GREEN, arcade.color.GRAY))
    for k in range(rows):
        row = UIBoxLayout(vertical=False, space_between=8)
        labels.append(row.add(UILabel(label_of(k))))
        row.add(UIFlatButton(text="Press", width=80, height=36))
        row.add(UITextureToggle(on_texture=on, off_texture=off, width=20, height=20))
        row.add(UISlider(value=0.5, max_value=1.0, width=700, height=36))
        column.add(row)
    manager.add(column)
    return _windows[0], manager, labels


def _frames(rows: int, change: Any) -> Task:
    window, manager, labels = _screen(rows)

    def run() -> None:
        change(labels)
        manager.on_update(1 / 60)
        manager.draw()

    run()
    return Task(run, before=window.ctx.finish)


def still() -> Task:
    """A frame in which nothing of 500 widgets changes."""
    return _frames(SMALL, lambda labels: None)


def relayout() -> Task:
    """A frame in which the text of one of 1,000 widgets gets another width."""
    numbers = itertools.count()

    def change(labels: list[UILabel]) -> None:
        labels[9].text = label_of(next(numbers))

    return _frames(ROWS, change)

"""The side of pygame_gui in the benchmark `ui`: updates, and drawing onto a surface in memory.

It has no layout of rows, so the widgets get their places once, and it takes no part in layouts.
"""

from __future__ import annotations

import itertools
import os

from ._task import Task
from ._ui_scene import HIGH, LIST, LIST_HIGH, SMALL, WIDE, label_of

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"

import pygame
import pygame_gui
from pygame_gui.elements import UIButton, UICheckBox, UIHorizontalSlider, UILabel, UISelectionList


def _manager(high: int) -> tuple[pygame_gui.UIManager, pygame.Surface]:
    pygame.init()
    return pygame_gui.UIManager((WIDE, high)), pygame.display.set_mode((WIDE, high))


def still() -> Task:
    """A frame in which nothing of 400 widgets changes; there are no rows around them."""
    manager, surface = _manager(HIGH)
    for k in range(SMALL):
        y = k * 40
        UILabel(pygame.Rect(0, y, 300, 20), label_of(k), manager)
        UIButton(pygame.Rect(310, y, 80, 36), "Press", manager)
        UICheckBox(pygame.Rect(400, y, 20, 20), "Switch", manager)
        UIHorizontalSlider(pygame.Rect(540, y, 700, 36), 0.5, (0.0, 1.0), manager)

    def run() -> None:
        manager.update(1 / 60)
        manager.draw_ui(surface)

    run()
    return Task(run, after=pygame.quit)


def scroll() -> Task:
    """A frame in which a list of 10,000 rows is scrolled."""
    manager, surface = _manager(LIST_HIGH)
    rows = UISelectionList(pygame.Rect(0, 0, WIDE, LIST_HIGH), [f"Row {k}" for k in range(LIST)], manager)
    numbers = itertools.count()
    manager.update(1 / 60)

    def run() -> None:
        bar = rows.scroll_bar
        assert bar is not None
        bar.start_percentage = (next(numbers) % 500) * 60 / (LIST * 20)
        bar.has_moved_recently = True
        bar.rebuild()
        rows.update(0.0)
        manager.update(1 / 60)
        manager.draw_ui(surface)

    run()
    return Task(run, after=pygame.quit)

"""Texts of the interface: tooltips, and what an empty panel says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_editor.testing import UIDriver


def test_a_tooltip_has_the_usual_color(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """The tooltip of a green button is not green."""
    open_text()
    driver.move((640, 300))
    driver.step(3)
    before = driver.picture().astype(int)
    driver.move("toolbar/play.start")
    driver.step(40)
    place = driver.place("toolbar/play.start")
    part = slice(int(place.bottom) + 8, int(place.bottom) + 30), slice(int(place.right), int(place.right) + 120)
    shown = driver.picture().astype(int)[part][..., :3]
    assert np.abs(shown - before[part][..., :3]).max() > 60
    assert np.ptp(shown, axis=2).max() < 30


def test_each_line_of_an_empty_panel_is_centered(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """The hint of a narrow empty panel has several lines, each in the middle."""
    open_text()
    driver.shell.editor.show("editor.console")
    driver.step(4)
    place = driver.place("editor.console")
    area = driver.picture().astype(int)[
        int(place.top) + 40 : int(place.bottom) - 60, int(place.left) + 24 : int(place.right) - 24, :3
    ]
    ink = np.abs(area - area[0, 0]).max(axis=2) > 40
    rows = np.flatnonzero(ink.any(axis=1))
    lines = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    middles = [(np.flatnonzero(ink[line].any(axis=0))[[0, -1]]).mean() for line in lines if len(line) > 4]
    assert len(middles) >= 3
    assert np.ptp(middles) < 6

"""What rish_devtools brings for the editor: the panels Profiler and Watchdog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from editing import Desk, desk
from rish_core import Stage
from rish_core.loop import VERBS
from rish_devtools import Report, Watchdog
from rish_devtools.profiler.panel import rows_of

GAME = """rish: 1
game: {title: Profiler, size: [640, 360]}
plugins: [render, physics, profiler, watchdog]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: ball, Transform: {position: [0, 0]}, Body: {}, Collider: {}}
"""
PANEL = "profiler.panel"


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("profiler")) as made:
        yield made


@pytest.fixture
def game(at: Desk) -> Any:
    """A game that has run for half a second."""
    made = at.open(GAME)
    at.show(PANEL)
    at.editor.run("play.start")
    at.driver.step(30)
    return made


def test_rows_are_sorted_by_time_and_filtered_by_plugin() -> None:
    """The slowest system comes first, and a plugin's name leaves the others out."""
    slots = [("a.quick", Stage.PRE), ("b.slow", Stage.POST)]
    times = np.zeros((2, 2 + len(Stage) + len(VERBS)))
    times[:, 0], times[:, 1] = 1, (3, 5)
    rows = rows_of(slots, times)
    assert [row.name for row in rows[:2]] == ["b.slow", "a.quick"]
    assert (rows[0].mean, rows[0].worst, rows[0].last) == (4, 5, 5)
    assert [row.name for row in rows_of(slots, times, "a")] == ["a.quick"]


def test_the_systems_of_a_run_are_listed(at: Desk, game: Any) -> None:
    """While the game runs, its systems are in the list; a plugin can be chosen."""
    assert at.driver.sees(f"{PANEL}/chart")
    panel = at.editor.panels[PANEL]
    assert any(row.name.startswith("physics.") for row in panel._rows)
    at.driver.click(f"{PANEL}/plugin")
    at.driver.click(f"{PANEL}/plugin:physics")
    assert {row.name.partition(".")[0] for row in panel._rows} == {"physics"}
    panel.plugin = ""


@pytest.mark.slow
def test_frozen_frames_stay(at: Desk, game: Any) -> None:
    """Freeze keeps the shown frames while the game runs on; a click on a bar shows that frame alone."""
    panel = at.editor.panels[PANEL]
    at.driver.click(f"{PANEL}/freeze")
    kept = panel._shown_frames[1]
    at.driver.step(20)
    assert panel._shown_frames[1] is kept
    place = at.driver.place(f"{PANEL}/chart")
    at.driver.click((place.right - 2, place.bottom - 6))
    assert panel.chosen == len(kept) - 1
    at.driver.click(f"{PANEL}/freeze")
    at.driver.step(2)
    assert panel._shown_frames[1] is not kept


@pytest.mark.slow
def test_the_watchdog_lists_plugins_and_reports(at: Desk, game: Any) -> None:
    """The panel Watchdog has a row for each plugin, and draws the reports."""
    game.world[Watchdog].reports.append(Report("leak", "game", "list kept", None, "it grew"))
    at.show("watchdog.panel")
    at.driver.step(60)
    panel = at.editor.panels["watchdog.panel"]
    assert {"physics", "render"} <= {plugin for plugin, _, _ in panel._rows}
    assert not at.editor.failed_drawers

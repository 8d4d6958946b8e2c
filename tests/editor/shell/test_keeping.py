"""Panels whose content is the same stay as they were drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_editor.shell.keeping import SETTLING
from rish_editor.testing import UIDriver

QUIET = SETTLING + 5
"""Frames after which all panels are at rest."""
KEPT = ("editor.hierarchy", "editor.inspector", "editor.log")


@pytest.fixture
def drawn(driver: UIDriver, open_text: Callable[..., Any]) -> list[str]:
    """The panels that were drawn since the list was cleared; one entity is selected, and all panels are at rest."""
    game = open_text()
    game.selection.set(game.named(["red"]))
    names: list[str] = []
    for held in driver.shell.editor.panels:
        draw = held.panel.draw
        held.panel.draw = lambda ui, editor, draw=draw, name=held.id: (names.append(name), draw(ui, editor))
    driver.move((3, 3))  # over the menus
    driver.step(QUIET)
    names.clear()
    return names


def test_panels_at_rest_are_not_drawn(driver: UIDriver, drawn: list[str]) -> None:
    """Nothing changes: no panel with inputs is drawn, and the places of its widgets stay known."""
    before = driver.marks("editor.")
    driver.step(3)
    assert not {*KEPT, "editor.scene"} & set(drawn)
    assert driver.marks("editor.") == before
    assert driver.sees("editor.inspector/Transform/position.x")


def test_the_kept_picture_is_that_of_drawn_panels(driver: UIDriver, drawn: list[str]) -> None:
    """The window looks the same whether its panels are drawn again or stay."""
    kept = driver.picture()
    driver.shell.editor.panels.redraw()
    np.testing.assert_array_equal(driver.picture(), kept)


def test_a_panel_is_drawn_when_its_inputs_change(driver: UIDriver, drawn: list[str]) -> None:
    """A moved entity is drawn by the inspector and the scene; the hierarchy and the log stay."""
    game = driver.shell.editor.game
    assert game is not None
    game.set(game.named(["red"]), Transform, "position", (5, 0))
    driver.step(1)
    assert {"editor.inspector", "editor.scene"} <= set(drawn)
    assert not {"editor.log"} & set(drawn)


def test_the_panel_below_the_pointer_is_drawn(driver: UIDriver, drawn: list[str]) -> None:
    """The others stay while the pointer only moves."""
    driver.move("editor.log")
    driver.move((driver.at[0] + 1, driver.at[1]))
    driver.step(2)
    assert set(drawn) & set(KEPT) == {"editor.log"}


def test_a_click_and_a_command_draw_all_panels(driver: UIDriver, drawn: list[str]) -> None:
    """What they change may be shown anywhere."""
    driver.press()
    driver.release()
    driver.step(1)
    assert set(KEPT) <= set(drawn)
    driver.step(QUIET)
    drawn.clear()
    driver.shell.editor.run("view.grid")
    driver.step(1)
    assert set(KEPT) <= set(drawn)


def test_a_panel_without_inputs_is_drawn_in_each_frame(driver: UIDriver, drawn: list[str]) -> None:
    """So panels of plugins that know nothing of this stay right; and a panel whose inputs raise is drawn as well."""
    editor = driver.shell.editor
    editor.panels["editor.log"].inputs = None

    def fails(editor: Any) -> Any:
        raise ValueError("no inputs")

    editor.panels["editor.inspector"].inputs = fails
    driver.step(2)
    assert drawn.count("editor.log") == drawn.count("editor.inspector") == 2

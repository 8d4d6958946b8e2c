"""Popups: Escape and a press outside close every one, whatever in it has the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import named
from rish_editor.testing import UIDriver


@pytest.fixture
def adding(driver: UIDriver, open_text: Callable[..., Any]) -> UIDriver:
    """A person who has opened the list of components of an entity and typed a part of a name."""
    game = open_text()
    with game.edit("Select"):
        game.selection.set([named(game.world, "red")])
    driver.step(3)
    driver.click("editor.inspector/add")
    driver.step(2)
    driver.type("text")
    assert driver.sees("editor.inspector/components/Text")
    assert not driver.sees("editor.inspector/components/Camera")
    return driver


def test_escape_closes_the_list_of_components_at_once(adding: UIDriver) -> None:
    """One Escape closes the list although its field has the keyboard; it can be opened again, and searches anew."""
    adding.key("Escape")
    assert not adding.sees("editor.inspector/components/search")
    adding.click("editor.inspector/add")
    adding.step(2)
    adding.type("camera")
    assert adding.sees("editor.inspector/components/Camera")


def test_a_press_outside_closes_the_list_and_presses_nothing_else(adding: UIDriver) -> None:
    """A click outside of the list closes it and neither presses the button below the pointer nor changes anything."""
    game = adding.shell.editor.game
    assert game is not None
    before, steps = game.world.hash(), len(game.history.done)
    adding.click("editor.inspector/enabled")
    adding.step(2)
    assert not adding.sees("editor.inspector/components/search")
    assert (game.world.hash(), len(game.history.done)) == (before, steps)


def test_the_field_that_takes_the_keyboard_lets_it_go(adding: UIDriver) -> None:
    """The list takes the keyboard when it opens, not in every frame: with an empty field, Tab leaves it."""
    adding.key("Ctrl+A")
    adding.key("Delete")
    assert adding.shell.editor.ui.typing
    adding.key("Tab")
    adding.step(3)
    assert not adding.shell.editor.ui.typing

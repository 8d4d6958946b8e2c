"""Menus, dialogues and the palette without a pointer, and at the greatest scale in a small window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_editor.shell.dialogs import Choice
from rish_editor.testing import UIDriver


@pytest.mark.parametrize(
    ("keys", "answer"),
    [(["Enter"], "save"), (["Escape"], "cancel"), (["Tab", "Tab", "Enter"], "discard"), (["Tab", "Space"], "save")],
)
def test_questions_are_answered_by_keys(driver: UIDriver, keys: list[str], answer: str) -> None:
    """Enter gives the primary answer, Escape the last one; Tab goes to the buttons, which Enter and Space press."""
    got: list[str] = []
    choices = [Choice("save", "Save", "primary"), Choice("discard", "Don't save", "danger"), Choice("cancel", "Cancel")]
    driver.shell.editor.dialogs.ask("Title", "Text", choices, got.append)
    driver.step(3)
    for key in keys:
        driver.key(key)
    driver.step(2)
    assert got == [answer]


def test_menus_are_used_by_keys(driver: UIDriver) -> None:
    """The arrow keys go through an open menu, and Enter runs what they have reached."""
    driver.click("menu/Help")
    for key in ("Down", "Up", "Enter"):
        driver.key(key)
    driver.step(3)
    assert driver.shell.editor.panels.is_open("editor.keys")


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_palette_fits_into_the_window(driver: UIDriver, open_text: Callable[..., Any], language: str) -> None:
    """At scale 2 in a window of 1280x720 the whole list of the palette can be reached."""
    editor = driver.shell.editor
    editor.settings.scale, editor.settings.language = 2.0, language
    open_text()
    driver.key("Ctrl+P")
    driver.step(3)
    for _ in range(15):
        driver.key("Down")
    rows = driver.marks("palette/list/row:") or driver.marks("palette/row:")
    assert rows
    chosen = driver.place(rows[min(15, len(rows) - 1)])
    assert chosen.bottom <= driver.window.height

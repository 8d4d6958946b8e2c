"""What a person does within one slow frame reaches what it was meant for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_editor.testing import UIDriver
from rish_editor.ui.keys import key_code


def click(driver: UIDriver, name: str) -> None:
    """Click on a widget without a frame in between."""
    x, y = driver.place(name).centre
    at = x, driver.window.height - y
    driver.window.dispatch_event("on_mouse_motion", *at, 0, 0)
    driver.window.dispatch_event("on_mouse_press", *at, 1, 0)
    driver.window.dispatch_event("on_mouse_release", *at, 1, 0)


def tap(driver: UIDriver, name: str, text: str = "", held: int = 0) -> None:
    """Press and release a key without a frame in between."""
    driver.window.dispatch_event("on_key_press", key_code(name), held)
    if text:
        driver.window.dispatch_event("on_text", text)
    driver.window.dispatch_event("on_key_release", key_code(name), held)


def control(driver: UIDriver, name: str) -> None:
    """Press a key with Ctrl without a frame in between."""
    driver.window.dispatch_event("on_key_press", key_code("LCTRL"), 2)
    tap(driver, name, held=2)
    driver.window.dispatch_event("on_key_release", key_code("LCTRL"), 0)


def test_keys_after_a_click_are_for_the_field_that_was_clicked(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """A click, Ctrl+A and letters in one frame replace the text of a field; they are no shortcuts of the editor."""
    game = open_text()
    click(driver, "editor.hierarchy/rows/red")
    driver.step(3)
    [red] = game.selection.handles
    click(driver, "editor.inspector/name")
    control(driver, "A")
    tap(driver, "W", "w")
    tap(driver, "Enter")
    driver.step(12)
    assert game.selection.handles == [red]
    assert game.name_of(red) == "w"


def test_the_text_of_a_shortcut_is_not_written_into_what_it_opens(
    driver: UIDriver, open_text: Callable[..., Any]
) -> None:
    """A key that opens a field writes nothing into it, and the letters that follow in the same frame do."""
    game = open_text()
    click(driver, "editor.hierarchy/rows/red")
    driver.step(3)
    [red] = game.selection.handles
    tap(driver, "F2")
    control(driver, "A")
    tap(driver, "W", "w")
    tap(driver, "Enter")
    driver.step(14)
    assert game.name_of(red) == "w"

"""What a person does within one slow frame reaches what it was meant for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from imgui_bundle import imgui

from rish_core import Transform
from rish_editor.testing import UIDriver
from rish_editor.ui.keys import key_code


def click(driver: UIDriver, name: str) -> None:
    """Click on a widget without a frame in between."""
    x, y = driver.place(name).center
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


@pytest.mark.slow
@pytest.mark.parametrize("first", ["A", "LCTRL"])
def test_a_shortcut_does_not_depend_on_where_frames_end(
    driver: UIDriver, open_text: Callable[..., Any], first: str
) -> None:
    """Ctrl+A selects a text, whatever events of its keys one frame takes and whatever key is released first."""
    game = open_text()
    click(driver, "editor.hierarchy/rows/red")
    driver.step(3)
    [red] = game.selection.handles
    last = "LCTRL" if first == "A" else "A"
    events = [("press", "LCTRL", 0), ("press", "A", 2), ("release", first, 2), ("release", last, 2 * (last != "A"))]
    for ends in range(8):
        click(driver, "editor.inspector/name")
        driver.step(4)
        for number, (kind, name, held) in enumerate(events):
            driver.window.dispatch_event(f"on_key_{kind}", key_code(name), held)
            driver.step(ends >> number & 1)
        tap(driver, "W", "w")
        tap(driver, "Enter")
        driver.step(8)
        driver.shell.frame(0.5)  # the next click is no second one
        assert game.name_of(red) == "w", ends


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


def test_keys_after_a_double_click_are_for_the_number_that_it_opens(
    driver: UIDriver, open_text: Callable[..., Any]
) -> None:
    """Two clicks, Ctrl+A, digits and Enter in one frame change this number only; nothing else is selected."""
    game = open_text()
    game.selection.set(game.named(["red"]))
    driver.step(3)
    for _ in range(2):
        click(driver, "editor.inspector/Transform/position.x")
    control(driver, "A")
    words(driver, "77")
    tap(driver, "Enter")
    driver.step(30)
    assert game.selection.handles == game.named(["red"])
    assert [game.read(each, Transform, "position")[0] for each in game.named(["red", "blue"])] == [77, 100]


def words(driver: UIDriver, text: str) -> None:
    """Type a text without a frame in between."""
    for letter in text:
        tap(driver, letter.upper() if letter != " " else "Space", letter)


@pytest.mark.slow
def test_letters_after_the_shortcut_of_the_palette_are_its_query(
    driver: UIDriver, open_text: Callable[..., Any]
) -> None:
    """Also from a text field and from a source text, which write their own text before the palette opens."""
    game = open_text()
    (game.path / "notes.txt").write_text("words")
    driver.click("editor.hierarchy/rows/red")
    for place in ("editor.hierarchy/rows/red", "editor.inspector/name", "editor.text/code"):
        if place.startswith("editor.text"):
            driver.shell.editor.texts.open(game.path / "notes.txt")
            driver.step(5)
        driver.click(place)
        control(driver, "P")
        words(driver, "new scene")
        driver.step(40)
        assert driver.shell.editor.palette.query == "new scene", place
        driver.key("Escape")
        driver.step(3)


def test_letters_after_a_click_are_for_the_form_that_it_opens(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """A click on a button whose form has a text field, and letters, in one frame: the field has all of them."""
    game = open_text()
    driver.shell.editor.show("editor.assets")
    driver.step(3)
    click(driver, "editor.assets/new")
    words(driver, "owl")
    driver.step(40)
    driver.move("dialog/kind:editor.scene")
    click(driver, "dialog/kind:editor.scene")
    words(driver, "cave")
    driver.step(40)
    driver.key("Enter")
    driver.step(4)
    assert "cave" in game.scenes


def test_no_window_of_dear_imgui_lies_over_the_panels(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """Nothing is drawn outside of the editor's windows: Dear ImGui would put it into one that takes the clicks."""
    open_text()
    driver.shell.editor.note("a note")
    driver.key("Ctrl+P")
    for _ in range(3):
        driver.step()
        shown = [each.name for each in imgui.get_current_context().windows if each.active and each.write_accessed]
        assert "Debug##Default" not in shown

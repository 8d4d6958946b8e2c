"""The console: Python on the live World, undoable, with earlier inputs and completion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Transform, named
from rish_editor.testing import UIDriver


@pytest.fixture
def game(driver: UIDriver, open_text: Callable[..., Any]) -> Any:
    """A game whose red box is selected, and the console in front with the keyboard."""
    made = open_text()
    made.selection.set([named(made.world, "red")])
    made.history.clear()
    driver.shell.editor.show("editor.console")
    driver.step(2)
    driver.click("editor.console/input")
    return made


def _repl(driver: UIDriver) -> Any:
    return driver.shell.editor.panels["editor.console"].repl


def _prompt(driver: UIDriver) -> Any:
    return driver.shell.editor.panels["editor.console"].prompt


def _enter(driver: UIDriver, *lines: str) -> list[str]:
    """Type lines, each ended by Enter; return the output since then."""
    before = _repl(driver).count
    for line in lines:
        driver.type(line)
        driver.key("Enter")
        driver.step(2)
    return [piece.text for piece in _repl(driver).pieces if piece.number > before and piece.kind != "input"]


def test_an_input_is_one_step_that_can_be_undone(driver: UIDriver, game: Any) -> None:
    """`sel.x += 10` moves the selected entities; the step is named by its first line, and undo takes it back."""
    red = named(game.world, "red")
    before = game.world.hash()
    assert _enter(driver, "sel.x += 10") == []
    assert game.world.get(red, Transform).position == (-90, 0)
    assert [entry.name for entry in game.history.done] == ["Console: sel.x += 10"]
    assert game.undo() == "Console: sel.x += 10"
    assert game.world.hash() == before


def test_values_are_printed_and_kept(driver: UIDriver, game: Any) -> None:
    """The value of an expression is printed and is `_`; print appears too; names stay."""
    assert _enter(driver, "speed = 21") == []
    assert _enter(driver, "speed * 2") == ["42"]
    assert _enter(driver, "_ + 1") == ["43"]
    assert _enter(driver, "print('hi'); 5") == ["hi", "5"]
    assert _enter(driver, "len(sel), sel[0][Name].value, find('blue') in list(sel)") == ["(1, 'red', False)"]
    assert _enter(driver, "game is editor.game and app.world is world and np.pi > 3") == ["True"]


def test_a_block_of_several_lines_ends_with_an_empty_one(driver: UIDriver, game: Any) -> None:
    """Enter in an unfinished block begins an indented line; an empty line runs the block."""
    driver.type("for number in range(3):")
    driver.key("Enter")
    assert _prompt(driver).text == "for number in range(3):\n    "
    driver.type("print(number)")
    driver.key("Enter")
    for _ in range(4):
        driver.key("Backspace")
    assert _enter(driver, "") == ["0", "1", "2"]


def test_up_brings_earlier_inputs_back(driver: UIDriver, game: Any) -> None:
    """Up and Down go through the earlier inputs; beyond the latest is what was begun."""
    _enter(driver, "1 + 1", "2 + 2")
    driver.type("3")
    for key, text in (("Up", "2 + 2"), ("Up", "1 + 1"), ("Up", "1 + 1"), ("Down", "2 + 2"), ("Down", "3")):
        driver.key(key)
        driver.step()
        assert _prompt(driver).text == text
    driver.key("Up")
    assert _enter(driver, "") == ["4"]


def test_tab_completes_names(driver: UIDriver, game: Any) -> None:
    """Tab completes a name as far as it is certain, and offers the names that remain."""
    driver.type("world.tabl")
    driver.key("Tab")
    driver.step()
    assert _prompt(driver).text.startswith("world.table")
    driver.key("Ctrl+A")
    driver.type("sel.Transform.ro")
    driver.key("Tab")
    driver.step()
    assert _prompt(driver).text == "sel.Transform.rotation"
    driver.key("Ctrl+A")
    driver.type("world.s")
    driver.key("Tab")
    driver.step()
    assert "spawn" in driver.shell.editor.panels["editor.console"].offers
    assert driver.sees("editor.console/offers")


def test_an_error_is_shown_and_changes_nothing(driver: UIDriver, game: Any) -> None:
    """An input that raises shows the traceback from its own line on, and what it had changed is undone."""
    before = game.world.hash()
    shown = _enter(driver, "sel.x += 10; 1 / 0")
    assert shown[0] == "Traceback (most recent call last):"
    assert shown[-1] == "ZeroDivisionError: division by zero"
    assert not any("repl.py" in line for line in shown)
    assert game.world.hash() == before
    assert not game.history.done
    assert "SyntaxError" in _enter(driver, "1 +* 2")[-1]
    assert "no component is called" in _enter(driver, "sel.Transfrom")[-1]
    assert driver.shell.editor.failures == 0


def test_leaving_and_interrupting_end_only_the_input(driver: UIDriver, game: Any) -> None:
    """`exit()` and Ctrl+C in the terminal, which raises KeyboardInterrupt, do not end the editor."""
    assert _enter(driver, "raise SystemExit(1)")[-1].startswith("SystemExit")
    assert _enter(driver, "raise KeyboardInterrupt")[-1].startswith("KeyboardInterrupt")
    assert not driver.shell.editor.closing


def test_in_play_it_acts_on_the_running_world(driver: UIDriver, game: Any) -> None:
    """While the game is played, inputs change the run, are listed as its changes, and make no step."""
    game.play.start()
    driver.step(2)
    _enter(driver, "sel.x = 55")
    assert game.world.get(named(game.world, "red"), Transform).position[0] == 55
    assert not game.history.done
    changes = game.play.stop()
    assert [(change.field, list(change.after)) for change in changes] == [("position", [55, 0])]
    assert game.world.get(named(game.world, "red"), Transform).position[0] == -100


def test_inputs_are_kept_for_the_next_start(driver: UIDriver, game: Any) -> None:
    """The last inputs are saved with the settings and come back."""
    _enter(driver, "1 + 1")
    panel = driver.shell.editor.panels["editor.console"]
    again = type(panel)()
    again.load(panel.save())
    assert again.repl.inputs == ["1 + 1"]

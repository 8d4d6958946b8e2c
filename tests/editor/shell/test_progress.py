"""Long work: its progress is shown, and the person can cancel it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rish_core import Transform
from rish_core.manifest import on_progress
from rish_editor.testing import UIDriver
from rish_editor.ui.keys import key_code

ENTRIES = 70
HEAD = """rish: 1
game: {title: Long, size: [640, 360]}
plugins: [render]
scenes:
  other: []
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
"""
TEXT = HEAD + "".join(f"    - name: e{k}\n      at: [{k}, 2]\n      Shape: {{size: [9, 9]}}\n" for k in range(ENTRIES))
CANCELS: dict[str, Callable[[UIDriver], None]] = {
    "escape": lambda driver: _press_escape(driver),
    "button": lambda driver: _press_button(driver),
}


def _press_escape(driver: UIDriver) -> None:
    driver.window.dispatch_event("on_key_press", key_code("ESCAPE"), 0)
    driver.window.dispatch_event("on_key_release", key_code("ESCAPE"), 0)


def _press_button(driver: UIDriver) -> None:
    if not driver.sees("dialog/cancel"):
        return
    x, y = driver.place("dialog/cancel").center
    for event in ("on_mouse_press", "on_mouse_release"):
        driver.window.dispatch_event(event, x, driver.window.height - y, 1, 0)


@contextmanager
def _watching(work: Callable[[str, int, int], object]) -> Iterator[None]:
    stop = on_progress(work)
    try:
        yield
    finally:
        stop()


@pytest.fixture
def game(driver: UIDriver, open_text: Callable[..., Any]) -> Any:
    """A game whose every report of progress is shown, with an edit of all its entities."""
    opened = open_text(TEXT)
    driver.shell.working.patience = driver.shell.working.share = 0.0
    moved = opened.named(f"e{k}" for k in range(ENTRIES))
    opened.set(moved, Transform, "position", (5, 6))
    driver.step()
    return opened


def _text(game: Any) -> str:
    return (game.path / "game.yaml").read_text(encoding="utf-8")


def test_progress_of_saving_is_shown_and_gone_at_the_end(driver: UIDriver, game: Any) -> None:
    """While a game is saved, a dialogue shows how far that is, up to the end; then it is gone, and the edits saved."""
    seen: list[tuple[bool, int, int]] = []
    with _watching(lambda what, done, total: seen.append((driver.sees("dialog/progress"), done, total))):
        driver.key("Ctrl+S")
    assert any(shown for shown, _, _ in seen)
    assert any(done == total for _, done, total in seen)
    assert not driver.sees("dialog/progress")
    assert not driver.shell.editor.dialogs.open
    assert _text(game).count("at: [5, 6]") == ENTRIES
    assert not game.dirty


def test_progress_does_not_change_what_is_saved(
    driver: UIDriver, game: Any, open_text: Callable[..., Any]
) -> None:  # fmt: skip
    """The text that is saved with progress is the one that is saved at once."""
    driver.key("Ctrl+S")
    text = _text(game)
    other = open_text(TEXT, name="other")
    other.set(other.named(f"e{k}" for k in range(ENTRIES)), Transform, "position", (5, 6))
    other.project.save()
    assert _text(other) == text


@pytest.mark.parametrize("way", CANCELS)
@pytest.mark.parametrize("after", [0, 7])
def test_cancelled_saving_changes_nothing(driver: UIDriver, game: Any, way: str, after: int) -> None:
    """Saving that is cancelled, at any time, leaves the file as it was and the edits unsaved; saving again works."""
    reports = 0

    def cancel(what: str, done: int, total: int) -> None:
        nonlocal reports
        reports += 1
        if reports > after:
            CANCELS[way](driver)

    state = game.world.hash()
    with _watching(cancel):
        driver.key("Ctrl+S")
    assert _text(game) == TEXT
    assert game.dirty
    assert game.world.hash() == state
    assert "cancelled" in driver.shell.editor.notes[-1].text
    assert not driver.shell.editor.failures
    driver.step(2)
    driver.key("Ctrl+S")
    assert _text(game).count("at: [5, 6]") == ENTRIES
    assert not game.dirty


def test_nothing_is_edited_while_a_game_is_saved(driver: UIDriver, game: Any) -> None:
    """Keys that are pressed while a game is saved edit nothing."""
    game.selection.set(game.named(["e1"]))
    pressed = False

    def press(what: str, done: int, total: int) -> None:
        nonlocal pressed
        if driver.sees("dialog/progress") and not pressed:
            pressed = True
            for name in ("DELETE", "F5"):
                driver.window.dispatch_event("on_key_press", key_code(name), 0)
                driver.window.dispatch_event("on_key_release", key_code(name), 0)

    with _watching(press):
        driver.key("Ctrl+S")
    driver.step(3)
    assert pressed
    assert game.named(["e1"])
    assert game.editing
    assert _text(game).count("name: e1\n") == 1


def test_closing_the_window_waits_for_saving(driver: UIDriver, game: Any) -> None:
    """A window that is closed while its game is saved closes when the game is saved, without a question."""
    with _watching(lambda what, done, total: driver.window.dispatch_event("on_close")):
        driver.key("Ctrl+S")
    driver.step(2)
    assert driver.shell.editor.closing
    assert not driver.shell.editor.dialogs.open
    assert _text(game).count("at: [5, 6]") == ENTRIES


def test_cancelled_change_of_scene_is_no_step(driver: UIDriver, game: Any) -> None:
    """Opening another scene, which plans how the edits are saved, can be cancelled; then it is no step."""
    steps = len(game.history.done)
    driver.shell.editor.later(lambda: driver.shell.editor.games.go("other"))
    with _watching(lambda what, done, total: _press_escape(driver)):
        driver.step()
    assert game.scene == "main"
    assert len(game.history.done) == steps
    assert len(game.named(["e1", "e2"])) == 2


LARGE = HEAD + "".join(f"    - {{name: b{k}, Transform: {{}}}}\n" for k in range(1500))


def test_opening_a_large_game_shows_how_far_it_is(driver: UIDriver, game: Any, open_text: Callable[..., Any]) -> None:
    """While a large manifest is read, the window shows how far it is; afterwards the panels are where they were."""
    before = driver.place("editor.hierarchy")
    seen: list[bool] = []
    with _watching(lambda what, done, total: seen.append(driver.sees("dialog/progress"))):
        opened = open_text(LARGE, name="large")
    assert any(seen)
    assert opened.count > 1500
    assert driver.place("editor.hierarchy") == before


def test_cancelled_opening_leaves_the_open_game(driver: UIDriver, game: Any, tmp_path: Path) -> None:
    """Opening that is cancelled leaves the game that was open, with its unsaved edits."""
    (tmp_path / "large").mkdir()
    (tmp_path / "large" / "game.yaml").write_text(LARGE, encoding="utf-8")
    with _watching(lambda what, done, total: _press_escape(driver)):
        assert not driver.shell.open(tmp_path / "large")
    driver.step(2)
    assert driver.shell.editor.game is game
    assert game.dirty
    driver.key("Ctrl+S")
    assert _text(game).count("at: [5, 6]") == ENTRIES


@pytest.mark.parametrize("after", range(4))
def test_cancelled_duplicate_is_no_step(driver: UIDriver, game: Any, after: int) -> None:
    """Duplicating that is cancelled, at any time, leaves the World as it was and makes no step."""
    game.selection.set(game.named(["e1", "e2", "e3"]))
    driver.step()
    state, steps, reports = game.world.hash(), len(game.history.done), 0

    def cancel(what: str, done: int, total: int) -> None:
        nonlocal reports
        reports += 1
        if reports > after:
            _press_escape(driver)

    with _watching(cancel):
        driver.shell.editor.later(lambda: driver.shell.editor.run("edit.duplicate"))
        driver.step()
    assert reports > after
    assert game.world.hash() == state
    assert len(game.history.done) == steps
    driver.step(2)
    assert driver.shell.editor.run("edit.duplicate")
    assert len(game.named(["e1 2", "e2 2", "e3 2"])) == 3

"""Every popup, menu and dialogue is closed by Escape and by a press outside, and nothing else happens then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from imgui_bundle import imgui
from PIL import Image

from editing import Desk, desk
from editor_popups import FORMS, GAME, POPUPS, declared, raw_popups

OF_PLUGINS = [key for key in POPUPS if not key.startswith("rish_editor/")]
OF_EDITOR = [key for key in POPUPS if key not in OF_PLUGINS]
BELOW = "toolbar/tools.palette"
"""A button that no popup covers, and that opens one."""


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor in a window that is so high that the inspector shows all fields."""
    with desk(tmp_path_factory.mktemp("popups"), (1280, 1400)) as made:
        yield made


def open_game(at: Desk, plugins: str) -> Any:
    """Open the game of the popups with plugins."""
    (at.folder / f"game{at.games + 1}").mkdir(parents=True)
    Image.new("RGBA", (32, 32), "red").save(at.folder / f"game{at.games + 1}" / "hero.png")
    text = GAME + ("      Emitter: {preset: fire}\n" if "particles" in plugins else "")
    return at.open(text.replace("plugins: [render]", f"plugins: [{plugins}]"))


@pytest.fixture
def game(at: Desk) -> Any:
    """The open game, without plugins that bring popups; opened once."""
    if at.games == 0:
        open_game(at, "render, scripts")
    at.editor.settings.scale = 1.0
    at.driver.step(2)
    return at.game


def shown(at: Desk) -> list[str]:
    """Return the marks of the open popups."""
    return [mark.removeprefix("popup:") for mark in at.driver.marks("popup:")]


def state(at: Desk) -> Any:
    """Return what a press outside of a popup must not change."""
    return at.game.world.hash(), len(at.game.history.done), at.game.selection.handles, at.editor.settings.show_grid


def close(at: Desk, key: str, opens: Any) -> None:
    """Open a popup twice, and close it by Escape and by a press outside."""
    panels = at.editor.panels
    focused = panels.focused
    opens(at)
    at.driver.step(2)
    marks = shown(at)
    name = key.partition(":")[2]
    assert marks, f"{key} did not open"
    assert name in FORMS or all(part in marks[-1] for part in name.split("{}"))
    panel = marks[0].partition("/")[0]
    assert panels.focused == ""
    before = state(at)
    for left in range(len(marks) - 1, -1, -1):  # the innermost one first
        at.driver.key("Escape")
        assert shown(at) == marks[:left]
    assert state(at) == before
    assert panels.focused == (panel if panel in panels else focused)
    opens(at)
    at.driver.step(2)
    assert len(shown(at)) == len(marks)
    before = state(at)
    at.driver.click(BELOW)
    assert shown(at) == []
    assert state(at) == before


def test_every_popup_of_the_code_is_listed() -> None:
    """A popup, a menu or a form of any plugin that the tests do not know fails this test, and so does a raw one."""
    popups, forms = declared()
    assert popups == set(POPUPS)
    assert forms == set(FORMS)
    assert raw_popups() == set()


@pytest.mark.slow
@pytest.mark.parametrize("key", OF_EDITOR)
def test_popups(at: Desk, game: Any, key: str) -> None:
    """Escape closes the innermost popup, a press outside all of them, and neither changes the game or its view."""
    close(at, key, POPUPS[key])


@pytest.mark.parametrize("key", list(FORMS))
def test_dialogues(at: Desk, game: Any, key: str) -> None:
    """Escape closes a dialogue; a press outside closes one in which nothing was entered, but no question."""
    FORMS[key](at)
    at.driver.step(3)
    assert shown(at) == ["dialog"]
    before = state(at)
    at.driver.key("Escape")
    assert shown(at) == []
    FORMS[key](at)
    at.driver.step(2)
    at.driver.shell.frame(0.5)  # a press right after the opening closes nothing
    at.driver.step(2)
    at.driver.click(BELOW)
    if key.endswith(("dialogs.py:Question", "copying.py:Progress", "progress.py:ProgressDialog")):
        assert shown(at) == ["dialog"]
        at.driver.key("Escape")
    assert shown(at) == []
    assert state(at) == before


def tab_to(at: Desk, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Tab until the last widget with a name has the keyboard."""
    numbers: dict[str, int] = {}
    mark = at.editor.ui.mark

    def note(widget: str, **options: Any) -> None:
        numbers[widget] = imgui.get_item_id()
        mark(widget, **options)

    with monkeypatch.context() as patched:
        patched.setattr(at.editor.ui, "mark", note)
        for _ in range(60):
            at.driver.key("Tab")
            if imgui.get_current_context().nav_id == numbers[name]:
                return
    raise AssertionError(f"Tab does not reach {name}")


@pytest.mark.slow
@pytest.mark.parametrize("key", list(FORMS))
def test_enter_presses_the_button_that_tab_has_reached(
    at: Desk, game: Any, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With Tab on *Cancel*, Enter leaves a dialogue as *Cancel* does, and does nothing of what its other buttons do."""
    FORMS[key](at)
    at.driver.step(3)
    if not at.driver.sees("dialog/cancel") or "Progress" in key:  # which waits for its job
        at.driver.key("Escape")
        return
    before, files = state(at), sorted(game.path.rglob("*"))
    tab_to(at, "cancel", monkeypatch)
    at.driver.key("Enter")
    at.driver.step(3)
    assert shown(at) == []
    assert (state(at), sorted(game.path.rglob("*"))) == (before, files)
    assert not at.editor.notes


@pytest.mark.slow
@pytest.mark.parametrize("key", OF_PLUGINS)
def test_popups_of_plugins(at: Desk, key: str) -> None:
    """The popups of the panels of plugins are closed like those of the editor."""
    if at.editor.game is None or "audio" not in at.game.app.plugins:
        open_game(at, "render, particles, audio")
    close(at, key, POPUPS[key])

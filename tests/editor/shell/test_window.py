"""The window: keys, bars, colors of play, loading, and an editor at rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rish_core import find
from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver

Open = Callable[..., Any]
TOOLS = ("file.save", "edit.undo", "tool.move", "play.start", "play.pause", "play.step", "play.stop", "tools.palette")


def test_commands_with_ctrl_run_while_a_text_is_typed(driver: UIDriver, open_text: Open) -> None:
    """In a text field Ctrl+S saves, but Ctrl+Z and letters belong to the field."""
    game = open_text()
    with game.edit("Delete"):
        game.world.despawn(find(game.world, "red"))
    driver.shell.editor.show("editor.settings")
    driver.step(4)
    driver.double_click("editor.settings/files/open_with")
    driver.type("code")
    driver.key("Ctrl+Z")
    driver.key("G")
    driver.step()
    assert driver.shell.editor.settings.show_grid
    assert find(game.world, "red") is None
    assert game.dirty
    driver.key("Ctrl+S")
    driver.step(2)
    assert not game.dirty


def test_escape_closes_a_menu_before_it_is_a_command(driver: UIDriver, open_text: Open) -> None:
    """The first Escape closes what is open; the next one is the command that has the key."""
    open_text()
    ran: list[int] = []
    command = driver.shell.editor.commands["view.grid"]
    object.__setattr__(command, "run", lambda editor: ran.append(1))
    driver.shell.editor.commands.keys["view.grid"] = "Escape"
    driver.click("menu/File")
    assert driver.sees("menu/File/file.open")
    driver.key("Escape")
    driver.step(2)
    assert not driver.sees("menu/File/file.open")
    assert not ran
    driver.key("Escape")
    driver.step(2)
    assert ran


def test_escape_in_a_drag_is_no_command(driver: UIDriver, open_text: Open) -> None:
    """While a button of the mouse is held, Escape belongs to what is dragged."""
    open_text()
    ran: list[int] = []
    object.__setattr__(driver.shell.editor.commands["view.grid"], "run", lambda editor: ran.append(1))
    driver.shell.editor.commands.keys["view.grid"] = "Escape"
    driver.move("editor.scene/view")
    driver.press()
    driver.key("Escape")
    driver.release()
    driver.step(2)
    assert not ran


@pytest.fixture
def small(settings: Settings, window: Any, request: pytest.FixtureRequest) -> Iterator[UIDriver]:
    """An editor of 1280x720 at scale 2 in a language."""
    settings.scale, settings.language = 2.0, request.param
    shell = Shell(settings, headless=True, window=window, marks=True, drawn=False)
    yield UIDriver(shell)
    shell.close()


@pytest.mark.parametrize("small", ["en", "zh-TW"], indirect=True)
def test_nothing_of_the_bars_is_clipped_at_scale_2(small: UIDriver, tmp_path: Path) -> None:
    """At 1280x720 and scale 2, menus and tools are in the window and side by side; other tools are in a menu."""
    (tmp_path / "game.yaml").write_text("rish: 1\nplugins: [render]\nscenes: {main: []}\n")
    small.shell.open(tmp_path)
    small.step(3)
    places = [small.place(f"toolbar/{name}") for name in (*TOOLS, "scene", "time_scale", "more")]
    for place in (*places, *(small.place(f"menu/{name}") for name in ("File", "Help"))):
        assert 0 <= place.left < place.right <= 1280
        assert 0 <= place.top < place.bottom <= 720
    across = sorted((place.left, place.right) for place in places)
    assert all(one[1] <= other[0] for one, other in pairwise(across))
    small.click("toolbar/more")
    small.step(2)
    assert small.sees("toolbar/tools/view.grid")


def test_the_bars_have_the_color_of_play_while_playing(driver: UIDriver, open_text: Open) -> None:
    """While the game runs, the bars are tinted, and after Stop they are as before."""
    open_text()
    spot = driver.picture()[40, 420, :3].tolist()
    driver.click("toolbar/play.start")
    driver.step(2)
    assert driver.picture()[40, 420, :3].tolist() != spot
    driver.click("toolbar/play.stop")
    driver.step(2)
    assert driver.picture()[40, 420, :3].tolist() == spot


def test_an_editor_at_rest_draws_few_frames(driver: UIDriver, open_text: Open) -> None:
    """Without events, only a picture in a tenth of a second is drawn; an event, a run or a note wakes it up."""
    game = open_text()
    shell = driver.shell
    driver.step(60)
    shell.editor.notes, shell.editor.awake = [], 0.0
    assert shell._rests()
    driver.window.dispatch_event("on_mouse_motion", 30, 30, 1, 1)
    assert not shell._rests()
    driver.step(60)
    assert shell._rests()
    game.play.start()
    assert not shell._rests()
    game.play.stop()
    shell.editor.note("hello")
    driver.step(1)
    assert not shell._rests()


def test_notes_leave_the_buttons_of_panels_free(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """Messages of the moment are shown over the views, beside the inspector and its button."""
    game = open_text()
    game.selection.set(game.named(["red"]))
    for name in ("hero", "star", "moon"):
        driver.shell.editor.note(f"Imported {name} into the folder of the game", "ok")
    driver.step(4)
    view = driver.place("editor.scene/view")
    for number in range(3):
        note = driver.place(f"note:{number}")
        assert view.left <= note.left < note.right <= view.right
        assert view.top <= note.top < note.bottom <= view.bottom

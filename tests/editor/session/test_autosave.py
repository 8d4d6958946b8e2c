"""Autosave: copies of edits, and what is left of them after a crash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_authoring import add_component, add_plugin
from rish_core import Transform, find
from rish_editor.session.files import autosave
from rish_editor.session.files.journal import read_copy
from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver

Open = Callable[..., Any]
TWO_SCENES = """rish: 1
game: {title: Two}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {}}
  attic:
    - {name: lamp, Transform: {}, Shape: {}}
"""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings with copies after pauses of two seconds, at most every five seconds."""
    monkeypatch.setenv("RISH_CONFIG", str(tmp_path / "config"))
    return Settings(language="en", autosave=5.0)


def move(game: Any, x: float) -> None:
    """Move the red box as a step of the history."""
    with game.edit("Move"):
        game.world.set(find(game.world, "red"), Transform(position=(x, 0)))


def copies(game: Any) -> list[Path]:
    """Return the copies in the game's folder."""
    return sorted((game.path / ".rish" / "autosave").glob("*.autosave"))


def position(game: Any) -> float:
    """Return where the red box is."""
    return float(game.read(find(game.world, "red"), Transform, "position")[0])


def crash(shell: Shell) -> None:
    """Forget the open game as a killed editor does: nothing is tidied up."""
    shell.games.autosave.wait()
    shell.games.autosave = None
    shell.games.close()


def settle(driver: UIDriver) -> None:
    """Let some frames pass, and wait until a copy is written."""
    for _ in range(3):
        driver.step(2)
        driver.shell.games.autosave.wait()
        time.sleep(0.02)


def later(driver: UIDriver, seconds: float) -> None:
    """Let the copies of the open game see a later time."""
    games = driver.shell.games
    games.autosave.look(time.perf_counter() + seconds)
    games.autosave.wait()


def test_a_copy_is_made_after_a_pause_and_removed_by_saving(driver: UIDriver, open_text: Open) -> None:
    """A moment after an edit there is a copy; saving removes it, and so does closing."""
    game = open_text()
    move(game, 5.0)
    settle(driver)
    assert len(copies(game)) == 1
    driver.key("Ctrl+S")
    driver.step(2)
    assert not copies(game)
    move(game, 6.0)
    settle(driver)
    assert len(copies(game)) == 1
    driver.shell.games.close()
    assert not copies(game)


def test_edits_that_are_undone_leave_no_copy(driver: UIDriver, open_text: Open) -> None:
    """After undo the game is as it is saved, so nothing is offered after a crash."""
    game = open_text()
    move(game, 5.0)
    settle(driver)
    assert copies(game)
    game.undo()
    settle(driver)
    assert not copies(game)


def test_the_end_of_a_drag_is_in_the_copy(driver: UIDriver, open_text: Open) -> None:
    """A step that goes on for many frames is copied when it has ended, with its last value."""
    game = open_text()
    red = find(game.world, "red")
    for x in range(50):
        game.set([red], Transform, "position", (float(x), 0.0), merge="drag")
        driver.step()
    settle(driver)
    crash(driver.shell)
    game = open_text(None)
    driver.click("dialog/recover")
    driver.step(2)
    assert position(game) == 49.0


def test_a_copy_with_other_plugins_is_recovered(driver: UIDriver, open_text: Open) -> None:
    """Edits that need a plugin that the file does not name yet come back with it."""
    game = open_text()
    with game.edit("Add a body"):
        game.project.edit(lambda text: add_plugin(text, "physics"))
        add_component(game.app, [find(game.world, "red")], game.world.kind("Body"))
    settle(driver)
    before = game.world.hash()
    crash(driver.shell)
    open_text(None)
    driver.click("dialog/recover")
    driver.step(2)
    game = driver.shell.editor.game
    assert game.world.hash() == before
    assert "physics" in game.app.plugins
    assert game.dirty


def test_without_edits_there_is_no_copy(driver: UIDriver, open_text: Open) -> None:
    """A game that is only looked at has no copies, and no folder for them."""
    game = open_text()
    later(driver, 60.0)
    assert not (game.path / ".rish").exists()


def test_files_take_turns(driver: UIDriver, open_text: Open) -> None:
    """Edits are appended to a file until it is twice as long as the state, then another one begins; the latest one has
    the last edit.
    """  # fmt: skip
    game = open_text()
    for x in range(40):
        move(game, float(x))
        driver.step()
        driver.shell.games.autosave.wait()
        found = autosave.found_copy(game.path)
        assert found is not None
        assert len(found.path.read_bytes()) < 3 * len(found.state)
    assert len(copies(game)) == autosave.COPIES
    assert found.time == max(read_copy(path).time for path in copies(game))
    assert 0 < len(found.records) < 40
    crash(driver.shell)
    game = open_text(None)
    driver.click("dialog/recover")
    driver.step(2)
    assert position(game) == 39.0


def test_an_edit_of_a_large_game_is_appended(driver: UIDriver, open_text: Open) -> None:
    """After the first one, an edit of a game of 3000 entities writes a few kilobytes, in the frame after it."""
    rows = "".join(f"    - {{name: e{k}, Transform: {{}}, Shape: {{}}}}\n" for k in range(3000))
    game = open_text(TWO_SCENES.replace("  attic:\n", f"{rows}  attic:\n"))
    move(game, 0.0)
    settle(driver)
    [path] = copies(game)
    for x in range(1, 4):
        before = path.stat().st_size
        move(game, float(x))
        driver.step()
        driver.shell.games.autosave.wait()
        assert before < path.stat().st_size < before + 5000


def test_only_the_last_of_quick_edits_can_be_lost(driver: UIDriver, open_text: Open) -> None:
    """However quickly edits follow each other, after a frame all but the last one are in the file already."""
    game = open_text()
    red = find(game.world, "red")
    for x in range(1, 12):
        move(game, float(x))
        driver.step()
        found = autosave.found_copy(game.path)
        assert x == 1 or found is not None
        if found is not None:
            rows = found.snapshot.tables[Transform.__kind__.key]
            assert rows.handles is not None
            assert rows.fields["position"][rows.handles.tolist().index(red)][0] in (x - 1, x)


def test_a_copy_is_made_before_playing(driver: UIDriver, open_text: Open) -> None:
    """Play makes a copy of the edited state at once, because games crash."""
    game = open_text()
    move(game, 7.0)
    driver.click("toolbar/play.start")
    driver.step(5)
    driver.shell.games.autosave.wait()
    assert len(copies(game)) == 1
    driver.click("toolbar/play.stop")


def test_git_leaves_the_copies_out(driver: UIDriver, open_text: Open) -> None:
    """The folder .rish has its own .gitignore; that of the game is not touched."""
    game = open_text()
    move(game, 5.0)
    driver.step()
    later(driver, 2.1)
    assert (game.path / ".rish" / ".gitignore").read_text() == "*\n"
    assert not (game.path / ".gitignore").exists()


@pytest.mark.parametrize("answer", ["recover", "discard"])
def test_after_a_crash_the_edits_are_offered(driver: UIDriver, open_text: Open, answer: str) -> None:
    """Opening the game again offers the copy; Recover brings the edits back unsaved, Discard removes the copy."""
    game = open_text()
    move(game, 42.0)
    driver.step()
    later(driver, 2.1)
    crash(driver.shell)
    game = open_text()
    assert position(game) == -100.0
    driver.click(f"dialog/{answer}")
    driver.step(2)
    assert position(game) == (42.0 if answer == "recover" else -100.0)
    assert game.dirty == (answer == "recover")
    assert bool(copies(game)) == (answer == "recover")
    driver.key("Ctrl+S")
    driver.step(2)
    assert ("[42, 0]" in (game.path / "game.yaml").read_text()) == (answer == "recover")
    assert not copies(game)


def test_edits_of_the_text_are_recovered_too(driver: UIDriver, open_text: Open) -> None:
    """A scene that was added before the crash is there again."""
    from rish_authoring import add_scene

    game = open_text()
    with game.edit("Add scene"):
        game.project.edit(lambda text: add_scene(text, "cellar"))
    driver.step()
    later(driver, 2.1)
    crash(driver.shell)
    game = open_text(None)
    driver.click("dialog/recover")
    driver.step(2)
    assert game.scenes == ("main", "cellar")
    driver.key("Ctrl+S")
    driver.step(2)
    assert "cellar:" in (game.path / "game.yaml").read_text()


def test_recovered_entities_are_saved(driver: UIDriver, open_text: Open) -> None:
    """Entities that were made and put in order before a crash belong to the scene: saving writes them."""
    game = open_text()
    driver.shell.editor.run("entity.create.box")
    driver.shell.editor.run("edit.group")
    before = game.project.plan().finish().plain
    settle(driver)
    crash(driver.shell)
    game = open_text(None)
    driver.click("dialog/recover")
    driver.step(2)
    assert game.project.plan().finish().plain == before
    driver.key("Ctrl+S")
    driver.step(2)
    assert "Box" in (game.path / "game.yaml").read_text()


def test_a_copy_of_other_code_says_so(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """A copy with a component that the game no longer has is refused in a dialogue, and it stays."""
    text = "rish: 1\ngame: {title: T}\nplugins: [render]\nscenes: {main: [{name: red, Transform: {}, Heat: {}}]}\n"
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "plugin.py").write_text(
        "from rish_core import component, hookimpl\n\n\n@component\nclass Heat:\n    value: float = 1.0\n\n\n"
        "@hookimpl\ndef rish_components():\n    return [Heat]\n"
    )
    game = open_text(text)
    move(game, 1.0)
    driver.step()
    later(driver, 2.1)
    crash(driver.shell)
    (folder / "plugin.py").unlink()
    game = open_text(text)
    driver.click("dialog/recover")
    driver.step(3)
    assert driver.sees("dialog/close")
    assert copies(game)
    assert position(game) == 0.0


def test_damaged_copies_are_used_as_far_as_they_are_whole(driver: UIDriver, open_text: Open) -> None:
    """An edit that was not written completely is left out, and of a copy without a beginning the other file is used."""
    game = open_text()
    for x in range(1, 40):
        move(game, float(x))
        driver.step()
        driver.shell.games.autosave.wait()
        found = autosave.found_copy(game.path)
        if len(copies(game)) == 2 and found is not None and len(found.records) == 3:
            break
    newest = autosave.found_copy(game.path)
    assert newest is not None
    newest.path.write_bytes(newest.path.read_bytes()[:-10])
    cut = autosave.found_copy(game.path)
    assert cut is not None
    assert (cut.path, cut.records) == (newest.path, newest.records[:-1])
    newest.path.write_bytes(newest.path.read_bytes()[:200])
    other = autosave.found_copy(game.path)
    assert other is not None
    assert other.path != newest.path


def test_a_folder_that_cant_be_written_uses_that_of_the_settings(
    driver: UIDriver, open_text: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the game's folder is read-only, copies are in the folder of settings and are found there."""
    game = open_text()
    make = autosave.make_private

    def refuse(folder: Path) -> None:
        if folder.is_relative_to(game.path):
            raise OSError(30, "Read-only file system")
        make(folder)

    monkeypatch.setattr(autosave, "make_private", refuse)
    move(game, 5.0)
    driver.step()
    later(driver, 2.1)
    assert not copies(game)
    found = autosave.found_copy(game.path)
    assert found is not None
    assert found.path.is_relative_to(Path(os.environ["RISH_CONFIG"]))


_EDITING = """
import sys, time
from pathlib import Path
from rish_core import Transform, find
from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell

shell = Shell(Settings(language="en", autosave=0.2), size=(640, 360), headless=True)
assert shell.open(Path(sys.argv[1]))
game = shell.editor.game
for x in range(1, 10_000):
    with game.edit("Move"):
        game.world.set(find(game.world, "red"), Transform(position=(x, 0)))
    shell.frame()
    print(x, shell.games.autosave.written, flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs kill -9")
def test_kill_9_while_editing_loses_at_most_some_seconds(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """An editor that is killed in the middle of its work: the next one offers the last copy, which is complete."""
    open_text()
    driver.shell.games.close()
    process = subprocess.Popen(
        [sys.executable, "-c", _EDITING, str(tmp_path / "game")], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "ARCADE_HEADLESS": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    done = 0
    with process.stdout as lines:
        for line in lines:
            done, written = map(int, line.split())
            if written >= 3:
                break
        process.send_signal(signal.SIGKILL)
        process.wait()
    game = open_text(None)
    driver.click("dialog/recover")
    driver.step(2)
    assert 0 < position(game) <= done + 1
    assert game.dirty


def test_asked_later_means_asked_again(driver: UIDriver, open_text: Open) -> None:
    """`Ask later` leaves the copy where it is, also when the game is closed, so it is offered again."""
    game = open_text()
    move(game, 42.0)
    driver.step()
    later(driver, 2.1)
    [made] = copies(game)
    made.rename(made.with_name("999999999-1.autosave"))  # of another process, which does not run
    crash(driver.shell)
    for _ in range(2):
        game = open_text()
        driver.click("dialog/later")
        driver.step(2)
        driver.shell.games.close()
    game = open_text()
    driver.click("dialog/recover")
    driver.step(2)
    assert position(game) == 42.0


def test_edits_in_several_scenes_are_recovered_exactly(driver: UIDriver, open_text: Open) -> None:
    """After a crash, each edited scene has the hash that it had, whichever was open."""
    game = open_text(TWO_SCENES)
    move(game, 42.0)
    driver.shell.games.go("attic")
    with game.edit("Move"):
        game.world.set(find(game.world, "lamp"), Transform(position=(7, 8)))
    driver.step()
    later(driver, 2.1)
    before = game.world.hash()
    crash(driver.shell)
    game = open_text(None)
    driver.click("dialog/recover")
    driver.step(2)
    assert (game.scene, game.world.hash()) == ("attic", before)
    driver.shell.games.go("main")
    assert position(game) == 42.0


def test_an_editor_that_is_ended_from_outside_keeps_the_edits(settings: Settings, tmp_path: Path) -> None:
    """An editor that ends without a question, as by Ctrl-C in the terminal, leaves a copy; an edit a moment ago too."""
    settings.autosave = 20.0
    path = tmp_path / "game"
    path.mkdir()
    (path / "game.yaml").write_text(TWO_SCENES)
    shell = Shell(settings, size=(640, 480), headless=True)
    try:
        shell.open(path)
        game = shell.editor.game
        assert game is not None
        move(game, 42.0)
    finally:
        shell.close()
    assert autosave.found_copy(path) is not None

"""New assets: every kind that plugins declare is made from its template, and runs at once."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_core import App, Prefabs, read_manifest
from rish_core.launcher import main
from rish_core.plugin import build_registry, installed_plugins, load_plugins
from rish_editor.commands.assets import new_asset
from rish_editor.session.files.templates import read_others, templates_of
from rish_editor.testing import UIDriver

Open = Callable[..., Any]
GAME = """rish: 1
game: {title: New, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: hero, Transform: {}, Sprite: {size: [20, 20]}}
"""
DIALOG = "dialog/"


@pytest.fixture
def game(open_text: Open, driver: UIDriver, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An empty game with a sprite; files are not opened in other programs."""
    opened = open_text(GAME)
    monkeypatch.setattr(driver.shell.editor, "open_source", lambda path, line=0: None)
    return opened


def select(driver: UIDriver, name: str = "hero") -> None:
    """Select an entity."""
    game = driver.shell.editor.game
    assert game is not None
    game.selection.set(game.named([name]))
    driver.step(2)


def ask(driver: UIDriver, kind: str, name: str = "", folder: str | None = None) -> None:
    """Open the form for a kind, and type a name."""
    new_asset(driver.shell.editor, kind, folder)
    driver.step(3)
    if name:
        rename(driver, name)


def rename(driver: UIDriver, name: str) -> None:
    """Replace the name in the form."""
    driver.double_click(DIALOG + "name")
    driver.key("Ctrl+A")
    driver.type(name)
    driver.step()


def make(driver: UIDriver, kind: str, name: str = "", folder: str | None = None) -> Any:
    """Make an asset with the form; return the game."""
    ask(driver, kind, name, folder)
    driver.click(DIALOG + "create")
    driver.step(4)
    assert not driver.marks(DIALOG), [note.text for note in driver.shell.editor.notes]
    return driver.shell.editor.game


def errors(driver: UIDriver) -> list[str]:
    """Return the errors in the log."""
    return [line.text for line in driver.shell.log.lines if line.level >= 40]


def runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Check a game as `rish check` does, and run it; return what the check said."""
    capsys.readouterr()
    assert main(["check", str(folder)]) == 0
    said = capsys.readouterr().out
    with App(read_manifest(folder), headless=True) as app:
        app.run(frames=10)
    return said


def kinds() -> list[str]:
    """Return all kinds of the installed plugins of this repository, and of the editor."""
    from rish_core import builtin

    registry = build_registry(load_plugins(["editor"], core=builtin))
    read_others(registry)
    ours = {each.name for each in installed_plugins() if each.value.startswith("rish_")}
    return [each.id for each in templates_of(registry) if each.plugin in ours and each.plugin != "game"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds())
def test_each_kind_is_made_used_and_runs(
    driver: UIDriver, game: Any, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In an empty game, with a sprite selected, the proposed name is enough; the saved game is fine and runs."""
    select(driver)
    made = make(driver, kind)
    made.play.start()
    driver.step(5)
    assert made.play.running
    made.play.stop()
    driver.key("Ctrl+S")
    driver.step(4)
    assert not driver.marks(DIALOG)
    assert errors(driver) == []
    assert "fine" in runs(made.path, capsys)


def test_kinds_come_from_plugins_that_the_game_does_not_load_too(driver: UIDriver, game: Any) -> None:
    """The list has those of installed plugins; making one adds the plugin, and what was unsaved stays."""
    pytest.importorskip("rish_scripts")
    select(driver)
    with game.edit("Move"):
        game.set(game.selection.handles, game.world.kind("Transform"), "position", (7, 0))
    ask(driver, "")
    driver.click(DIALOG + "kind:scripts.script")
    driver.step(2)
    driver.click(DIALOG + "create")
    driver.step(4)
    game = driver.shell.editor.game
    assert "scripts" in game.app.plugins
    assert (game.path / "scripts" / "door.py").is_file()
    assert "scripts_in(scripts)" in (game.path / "plugin.py").read_text()
    [hero] = game.selection.handles
    assert game.world.has(hero, game.world.kind("Door"))
    assert game.read(hero, game.world.kind("Transform"), "position")[0] == 7
    assert errors(driver) == []


def test_the_search_chooses_a_kind(driver: UIDriver, game: Any) -> None:
    """What is typed into the search filters the kinds and chooses the first."""
    ask(driver, "editor.scene")
    driver.click(DIALOG + "search")
    driver.type("fold")
    driver.step(2)
    assert driver.marks(DIALOG + "kind:") == [DIALOG + "kind:editor.folder"]
    driver.click(DIALOG + "create")
    driver.step(3)
    assert (game.path / "folder").is_dir()


def test_making_a_part_of_the_manifest_is_a_step_that_can_be_undone(driver: UIDriver, game: Any) -> None:
    """A new scene is opened; Undo removes it and leads back."""
    make(driver, "editor.scene", "cave")
    assert game.scene == "cave"
    for _ in range(2):
        driver.key("Ctrl+Z")
        driver.step(2)
    assert game.scenes == ("main",)


def test_a_prefab_is_made_of_the_selection(driver: UIDriver, game: Any) -> None:
    """With one entity selected the list has its prefab; it becomes a use of it."""
    select(driver)
    make(driver, "editor.prefab_of", "hero")
    assert "hero" in game.world[Prefabs].names
    assert "prefab: hero" in game.project.plan().finish().texts[game.project.text.main].text


HOSTILE = {
    "scripts.script": ["class", "Class", "1Door", "../Door", "Script", "Transform", "Sprite", "Tür/x", "x" * 90],
    "particles.preset": ["../fire", "a/b", "a:b", "con", ".hidden", "fire.", "a?", "\u200b/", "C:\\x"],
    "editor.scene": ["main", "1st", "a b", "a.b", "{x}"],
    "editor.system": ["lambda", "field", "world'", "1turn"],
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_names_are_refused_before_anything_is_written(driver: UIDriver, game: Any, kind: str) -> None:
    """A name that is no identifier, exists, is reserved or leads out of the folder is said so, and nothing is made."""
    pytest.importorskip(f"rish_{kind.partition('.')[0]}")
    before, text = sorted(game.path.rglob("*")), game.project.text.plain
    ask(driver, kind)
    for name in HOSTILE[kind]:
        rename(driver, name)
        driver.click(DIALOG + "create")
        driver.key("Enter")
        driver.step()
        assert driver.sees(DIALOG + "create"), name
    assert sorted(game.path.rglob("*")) == before
    assert game.project.text.plain == text


def test_a_folder_outside_of_the_game_is_refused(driver: UIDriver, game: Any) -> None:
    """A folder that is typed stays inside of the game, also by a link; a new one is made."""
    (game.path / "away").symlink_to(game.path.parent)
    for folder in ("..", "/tmp", "a/../../..", ".cache", "away"):
        ask(driver, "render.clips", "run", folder)
        driver.click(DIALOG + "create")
        driver.step()
        assert driver.sees(DIALOG + "create"), folder
        driver.key("Escape")
        driver.step(2)
    make(driver, "render.clips", "run", "art/clips")
    assert (game.path / "art" / "clips" / "run.anim.yaml").is_file()


def test_a_folder_that_can_not_be_written_is_named(
    driver: UIDriver, game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the file, the form stays open, and nothing is left behind."""

    def refuse(path: Path, *arguments: Any, **options: Any) -> Any:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    ask(driver, "editor.component", "Health")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        driver.click(DIALOG + "create")
        driver.step(2)
    form: Any = driver.shell.editor.dialogs.shown  # pyright: ignore[reportAttributeAccessIssue]
    assert "health.py: Permission denied" in form._wrong
    assert sorted(each.name for each in game.path.iterdir()) == ["game.yaml"]


def test_what_can_not_be_written_whole_is_not_written_at_all(
    driver: UIDriver, game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If `plugin.py` can't be written, the new file and its folder are removed again, and the reason is shown."""
    (game.path / "plugin.py").mkdir()
    ask(driver, "editor.component", "Health")
    driver.click(DIALOG + "create")
    driver.step(2)
    assert driver.sees(DIALOG + "create")
    assert sorted(each.name for each in game.path.iterdir()) == ["game.yaml", "plugin.py"]


def test_a_plugin_that_can_not_be_completed_stays_and_the_lines_are_shown(driver: UIDriver, game: Any) -> None:
    """The file is made, the person's `plugin.py` is untouched, and a dialogue says what to add."""
    source = "def rish_components():\n    return list(found())\n\n\ndef found():\n    return ()\n"
    (game.path / "plugin.py").write_text(source)
    ask(driver, "editor.component", "Health")
    driver.click(DIALOG + "create")
    driver.step(4)
    assert (game.path / "plugin.py").read_text() == source
    assert (game.path / "components" / "health.py").is_file()
    shown: Any = driver.shell.editor.dialogs.shown  # pyright: ignore[reportAttributeAccessIssue]
    assert "from .components.health import Health" in shown.details


def test_new_assets_are_in_the_menu_the_palette_and_the_panel(driver: UIDriver, game: Any) -> None:
    """File > New asset…, the commands of each kind, the button and the menu of the panel open the same form."""
    driver.click("menu/File")
    driver.step(2)
    driver.click("menu/File/assets.new")
    driver.step(3)
    assert driver.sees(DIALOG + "kinds")
    driver.key("Escape")
    driver.step(2)
    driver.key("Ctrl+P")
    driver.type("New Folder")
    driver.step(2)
    driver.key("Enter")
    driver.step(3)
    assert driver.sees(DIALOG + "create")
    driver.key("Escape")
    driver.shell.editor.show("editor.assets")
    driver.step(3)
    driver.click("editor.assets/new")
    driver.step(3)
    assert driver.sees(DIALOG + "create")


def test_add_component_offers_new_code_with_the_typed_name(driver: UIDriver, game: Any) -> None:
    """A name that no component has becomes that of a new one, which the selected entity gets."""
    select(driver)
    driver.click("editor.inspector/add")
    driver.step(2)
    driver.type("health points")
    driver.step(2)
    driver.click("editor.inspector/components/new:editor.component")
    driver.step(3)
    driver.click(DIALOG + "create")
    driver.step(4)
    game = driver.shell.editor.game
    assert (game.path / "components" / "health_points.py").is_file()
    assert game.world.has(game.selection.primary, game.world.kind("HealthPoints"))

"""The hooks of the editor: what a game's own plugin adds by them, and the message of each mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_authoring import AssetFiles
from rish_core import Transform, find
from rish_editor.commands.assets import new_asset
from rish_editor.testing import UIDriver

Open = Callable[..., Any]
CODE = """from rish_core import Str, component, field, hookimpl


@component
class Vane:
    speed: float = 1.0
    gust: Str = field("")


class WindPanel:
    id, title, icon, dock = "game.wind", "Wind", "wind", "right"

    def draw(self, ui, editor):
        ui.text(f"{len(editor.game.world.table(Vane))} vanes")
        if ui.button(editor.tr("Blow"), "blow"):
            editor.game.set(editor.game.world.table(Vane).entities, Vane, "speed", 9.0)


def draw_vane(ui, editor, target):
    target.fields()
    if ui.button("Faster", "faster"):
        target.set("speed", 5.0)


def draw_vanes(scene, editor, handles):
    for handle in handles.tolist():
        scene.handle(f"vane.{handle}", scene.position(handle))


def calm(editor):
    editor.game.set(editor.game.world.table(Vane).entities, Vane, "speed", 0.0, name="Calm")


@hookimpl
def rish_components():
    return [Vane]
"""
GAME = """rish: 1
game: {title: Wind, size: [640, 360]}
plugins: [render]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: vane, Transform: {position: [40, 0]}, game.Vane: {}}
"""


@pytest.fixture
def wind(tmp_path: Path, open_text: Open) -> Callable[[str], Any]:
    """A function that opens a game whose plugin has these hooks; returns the `Game`."""

    def open_it(hooks: str) -> Any:
        folder = tmp_path / "wind"
        folder.mkdir(exist_ok=True)
        (folder / "plugin.py").write_text(CODE + hooks, encoding="utf-8")
        return open_text(GAME, "wind")

    return open_it


def hook(name: str, value: str) -> str:
    """Return the source of a hook of the editor that returns a value."""
    return f"\n\n@hookimpl(optional=True)\ndef rish_editor_{name}():\n    return {value}\n"


def speed(game: Any) -> float:
    """Return the speed of the vane."""
    cls = game.app.registry.component("Vane").cls
    return float(game.read(find(game.world, "vane"), cls, "speed"))


def select(driver: UIDriver, game: Any) -> int:
    """Select the vane; return it."""
    found = find(game.world, "vane")
    assert found is not None
    game.selection.set([found])
    driver.step(3)
    return found


def test_hook_rish_editor_panels(driver: UIDriver, wind: Callable[[str], Any]) -> None:
    """A declared panel is drawn at its place; what it sets is a step that can be undone."""
    game = wind(hook("panels", "[WindPanel]"))
    driver.shell.editor.show("game.wind")
    driver.step(4)
    driver.click("game.wind/blow")
    driver.step()
    assert speed(game) == 9.0
    driver.key("Ctrl+Z")
    assert speed(game) == 1.0


def test_hook_rish_editor_inspectors(driver: UIDriver, wind: Callable[[str], Any]) -> None:
    """A declared drawer shows its component in the inspector: the fields, and what it adds."""
    game = wind(hook("inspectors", "{Vane: draw_vane}"))
    select(driver, game)
    assert driver.sees("editor.inspector/Vane/speed")
    driver.click("editor.inspector/Vane/faster")
    driver.step()
    assert speed(game) == 5.0


def test_hook_rish_editor_gizmos(driver: UIDriver, wind: Callable[[str], Any]) -> None:
    """A declared drawer draws over the entities with its component in scene views."""
    game = wind(hook("gizmos", "{Vane: draw_vanes}"))
    driver.shell.editor.show("editor.scene")
    driver.step(4)
    assert driver.sees(f"editor.scene/vane.{select(driver, game)}")


def test_hook_rish_editor_commands(driver: UIDriver, wind: Callable[[str], Any]) -> None:
    """A declared command has its shortcut, an entry in its menu, and a name in the history."""
    options = '{"title": "Calm the Wind", "menu": "Tools", "run": calm, "shortcut": "Ctrl+Alt+K"}'
    game = wind(hook("commands", f'{{"game.calm": {options}}}'))
    driver.key("Ctrl+Alt+K")
    driver.step()
    assert speed(game) == 0.0
    assert game.history.done[-1].name == "Calm"
    driver.click("menu/Tools")
    driver.step(2)
    assert driver.sees("menu/Tools/game.calm")


def test_hook_rish_editor_spawners(driver: UIDriver, wind: Callable[[str], Any]) -> None:
    """What a declared function spawns is shown, locked and not saved while the game is edited; a run has none of it."""
    spawn = "\n\ndef flock(world, entity):\n    return [world.spawn(Name(value='bird'), Transform(parent=entity))]\n"
    game = wind("\n\nfrom rish_core import Name, Transform" + spawn + hook("spawners", "{Vane: ('speed', flock)}"))
    bird = find(game.world, "bird")
    assert game.spawned.fixed(bird).all()
    assert not game.dirty
    assert not game.project.dirty
    game.play.start()
    assert find(game.world, "bird") is None


def test_hook_rish_editor_templates(driver: UIDriver, wind: Callable[[str], Any]) -> None:
    """A declared kind is made by its command: its file, and the values of the selected entity, with PATH and NAME."""
    options = (
        '{"title": "Gust", "file": "gusts/NAME.gust.yaml", "text": "# NAME\\n", "name": "squall", '
        '"add": {"Vane": {"gust": "PATH"}}}'
    )
    game = wind(hook("templates", f'{{"game.gust": {options}}}'))
    vane = select(driver, game)
    new_asset(driver.shell.editor, "game.gust")
    driver.step(3)
    driver.click("dialog/create")
    driver.step(3)
    assert (game.path / "gusts" / "squall.gust.yaml").read_text() == "# squall\n"
    assert game.read(vane, game.app.registry.component("Vane").cls, "gust") == "gusts/squall.gust.yaml"


def test_hook_rish_editor_texts(driver: UIDriver, wind: Callable[[str], Any]) -> None:
    """Declared translations are used in the person's language."""
    wind(hook("panels", "[WindPanel]") + hook("texts", '{"zh-TW": {"Blow": "吹動"}}'))
    editor = driver.shell.editor
    assert editor.tr("Blow") == "Blow"
    editor.settings.language = "zh-TW"
    driver.step(2)
    assert editor.tr("Blow") == "吹動"


def test_translations_of_a_hook_may_be_files(tmp_path: Path, driver: UIDriver, wind: Callable[[str], Any]) -> None:
    """A hook may return a folder with a file for each language; one that is no folder is named, and so is a mistake."""
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "zh-TW.yaml").write_text('"Blow": "吹動"', encoding="utf-8")
    wind(hook("panels", "[WindPanel]") + hook("texts", repr(str(texts))))
    driver.shell.editor.settings.language = "zh-TW"
    driver.step(2)
    assert driver.shell.editor.tr("Blow") == "吹動"
    (texts / "zh-TW.yaml").write_text('"Blow": 3', encoding="utf-8")
    wind(hook("texts", repr(str(texts))))
    assert "zh-TW.yaml: the translation of 'Blow' is no text" in "\n".join(line.text for line in driver.shell.log.lines)


def test_hook_rish_editor_references(wind: Callable[[str], Any]) -> None:
    """Files of a declared format follow a picture that is renamed, in the declared places."""
    game = wind(hook("references", '{".wind.yaml": {"relative": ["vanes/*"]}}'))
    (game.path / "a.wind.yaml").write_text("vanes: {north: vane.png}\nname: vane.png\n")
    (game.path / "vane.png").write_bytes(b"")
    files = AssetFiles(game.project, game.app.registry.of("rish_editor_references").values())
    plan = files.plan("vane.png", "pictures/vane.png")
    assert [(use.line, use.new) for use in plan.changed] == [(1, "pictures/vane.png")]
    assert [use.line for use in plan.unsure] == [2]


def test_hook_rish_editor_reload(driver: UIDriver, wind: Callable[[str], Any]) -> None:
    """A plugin that loads code again gets the changed files, and the editor leaves them to it."""
    code = "def rish_editor_reload(editor, paths):\n    editor.memory['game.paths'] = paths\n    return True\n"
    game = wind(f"\n\n@hookimpl\n{code}")
    (game.path / "more.py").write_text("speed = 3\n")
    driver.shell.games.outside.note([game.path / "more.py"])
    driver.step(2)
    assert driver.shell.editor.memory["game.paths"] == [game.path / "more.py"]
    assert not driver.shell.editor.notes


MISTAKES = {
    ("panels", "[3]"): "this is no class",
    ("panels", "[type('P', (), {'id': 'game.x'})]"): "its `title` must be a text",
    ("panels", "[type('P', (), {'id': 'other.x', 'title': 'X', 'draw': calm})]"): "its id must begin with 'game.'",
    ("panels", "[type('P', (), {'id': 'game.x', 'title': 'X'})]"): "it has no method `draw`",
    ("panels", "[type('P', (WindPanel,), {'dock': 'sky'})]"): "its dock 'sky' is none of left, right, bottom",
    ("panels", "[type('P', (WindPanel,), {'open': 1})]"): "its `open` is 1",
    ("inspectors", "[draw_vane]"): "expected {component: function}",
    ("inspectors", "{'Vane': draw_vane}"): "expected a class marked @component",
    ("inspectors", "{Vane: 3}"): "for Vane, expected a function (ui, editor, target)",
    ("gizmos", "{int: draw_vanes}"): "expected a class marked @component",
    ("gizmos", "{Vane: 3}"): "for Vane, expected a function (scene, editor, handles)",
    ("commands", "{'game.x': {'title': 'X', 'run': calm, 'key': 'B'}}"): "has no option 'key'",
    ("commands", "{'game.x': {'title': 'X'}}"): "needs `title`, a text, and `run`",
    ("commands", "{'game.x': {'title': 'X', 'run': calm, 'when': True}}"): "`when` must be a function of the editor",
    ("commands", "{'game.x': {'title': 'X', 'run': calm, 'shortcut': 'Ctrl-B'}}"): "'Ctrl-B' is no shortcut",
    ("spawners", "[calm]"): "expected {component: (field, function)}",
    ("spawners", "{Vane: calm}"): "for Vane, expected (field, function)",
    ("spawners", "{Vane: ('file', calm)}"): "Vane has no field 'file'",
    ("templates", "{'game.x': {'title': 'X'}}"): "needs `title`, and `file`, `key` or `edit`",
    ("templates", "{'game.x': {'title': 'X', 'file': 'a', 'names': 'color'}}"): "`names`",
    ("templates", "{'game.x': {'title': 'X', 'file': 'a', 'txt': 'b'}}"): "has no option 'txt'",
    ("templates", "{'game.x': {'title': 'X', 'file': 3}}"): "`file` is 3",
    ("templates", "{'other.x': {'title': 'X', 'file': 'a'}}"): "the id must begin with 'game.'",
    ("texts", "{'zh-TW': 'x'}"): "{English text: translation}",
    ("texts", "'nowhere'"): "'nowhere', which is no folder",
    ("references", "{'.x.yaml': {'beside': ['*']}}"): "has no 'beside'",
    ("references", "{'.x.yaml': {'rooted': '*/image'}}"): "expected a list of patterns",
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), MISTAKES)
def test_a_mistake_is_named_and_the_game_opens(
    driver: UIDriver, wind: Callable[[str], Any], name: str, value: str
) -> None:  # fmt: skip
    """The log says which hook of which plugin returned what; the game can be edited without it."""
    game = wind(hook(name, value))
    said = "\n".join(line.text for line in driver.shell.log.lines)
    assert f"rish_editor_{name}" in said
    assert MISTAKES[name, value] in said
    assert len(game.world.table(Transform)) == 2

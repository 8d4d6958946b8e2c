"""Every popup, menu and dialogue of the editor, and how a person opens it, by its place in the code.

A key of POPUPS is a module and the name that the popup has there, with `{}` for what differs; a key of FORMS is a
module and the class of the form that the dialogue shows. `declared` finds both in the code.
"""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import rish_editor
from editing import Desk
from rish_editor.commands.assets import DuplicateAsset
from rish_editor.commands.assets.copying import Copying, Progress
from rish_editor.panels.assets import renaming
from rish_editor.session.files.renaming import planned
from rish_editor.shell.dialogs import Choice
from rish_editor.shell.progress import ProgressDialog
from rish_editor.testing import RIGHT

Open = Callable[[Desk], Any]
GAME = """rish: 1
game: {title: Popups, size: [640, 360]}
plugins: [render]
layers: [back, world, ui]
prefabs:
  crate: {Transform: {}, Shape: {size: [40, 40], color: orange}}
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - name: hero
      Transform: {}
      Sprite: {image: hero.png}
      Shape: {size: [60, 60], color: red}
"""
INSPECTOR = "editor.inspector"


def _field(mark: str, name: str = "hero", **options: Any) -> Open:
    """Return what clicks a widget of the inspector, which has room for all fields."""

    def opens(desk: Desk) -> None:
        desk.show(INSPECTOR)
        desk.select(name)
        desk.driver.click(f"{INSPECTOR}/{mark}", **options)

    return opens


def _click(*marks: str, panel: str = "", **options: Any) -> Open:
    """Return what clicks widgets of a panel, one after the other; options: of the first click."""

    def opens(desk: Desk) -> None:
        if panel:
            desk.show(panel)
        for number, mark in enumerate(marks):
            desk.driver.click(mark, **(options if not number else {}))

    return opens


def _in_hierarchy(*marks: str) -> Open:
    """Return what opens the menu of an entity and goes to entries of it."""

    def opens(desk: Desk) -> None:
        desk.show("editor.hierarchy")
        desk.driver.click("editor.hierarchy/rows/hero", button=RIGHT)
        for mark in marks:
            desk.driver.click(f"editor.hierarchy/entities/{mark}")

    return opens


def _more_tools(desk: Desk) -> None:
    """Open the tools that have no room at a large scale."""
    desk.editor.settings.scale = 2.0
    desk.driver.step(3)
    desk.driver.click("toolbar/more")


def _output(desk: Desk) -> None:
    """Write something into the console, and open the menu of its empty part."""
    desk.show("editor.console")
    desk.driver.click("editor.console/input")
    desk.driver.type("1")
    desk.driver.key("Enter")
    desk.driver.step(3)
    place = desk.driver.place("editor.console")
    desk.driver.click((place.right - 60, (place.top + place.bottom) / 2), button=RIGHT)


def _log_line(desk: Desk) -> None:
    """Open the menu of a line of the log."""
    logging.getLogger("rish.test").warning("a line")
    desk.show("editor.log")
    line = [mark for mark in desk.driver.marks("editor.log/") if "/line" in mark][-1]
    desk.driver.click(line, button=RIGHT)


class Gradient:
    """A panel with a gradient."""

    id, title, dock = "editor.gradient", "Gradient", "right"

    def draw(self, ui: Any, editor: Any) -> None:
        """Draw the gradient."""
        ui.gradient("colors", [(0.25, (1.0, 0.0, 0.0, 1.0)), (0.75, (0.0, 0.0, 1.0, 1.0))])


def _gradient(desk: Desk) -> None:
    """Open the color of a stop of a gradient."""
    panels = desk.editor.panels
    if Gradient.id not in panels:
        panels.use([*(type(held.panel) for held in panels), Gradient], {})
    desk.show(Gradient.id)
    desk.driver.click(f"{Gradient.id}/colors.0")


def _sounds(desk: Desk) -> None:
    """Open the form that saves a sound of the synthesizer."""
    desk.editor.panels["audio.sounds"]._name = "coin"
    desk.show("audio.sounds")
    desk.driver.click("audio.sounds/save")


POPUPS: dict[str, Open] = {
    "rish_audio/plugin/editing/sounds.py:save": _sounds,
    "rish_editor/panels/assets/menu.py:file": _click(
        "editor.assets/files/hero.png", panel="editor.assets", button=RIGHT
    ),
    "rish_editor/panels/log/console.py:menu": _output,
    "rish_editor/panels/hierarchy/menu.py:entities": _in_hierarchy(),
    "rish_editor/panels/hierarchy/menu.py:create": _in_hierarchy("create"),
    "rish_editor/panels/hierarchy/menu.py:others": _in_hierarchy("create", "create/others"),
    "rish_editor/panels/hierarchy/menu.py:prefabs": _in_hierarchy("prefabs"),
    "rish_editor/panels/hierarchy/menu.py:{}": _in_hierarchy("select"),
    "rish_editor/panels/hierarchy/panel.py:create": _click("editor.hierarchy/create"),
    "rish_editor/panels/inspector/adding.py:components": _field("add"),
    "rish_editor/panels/inspector/fields/assets.py:{}:files": _field("Sprite/image"),
    "rish_editor/panels/inspector/fields/entities.py:{}:list": _field("Camera/follow", "camera"),
    "rish_editor/panels/inspector/header.py:new": _field("tags/add"),
    "rish_editor/panels/inspector/fields/special_numbers.py:{}:names": _field("Camera/height:meanings", "camera"),
    "rish_editor/panels/inspector/menus.py:{}:menu": _field("Shape/size:label", button=RIGHT),
    "rish_editor/panels/inspector/menus.py:menu": _field("Shape:menu"),
    "rish_editor/panels/log/panel.py:menu{}": _log_line,
    "rish_editor/panels/log/panel.py:options": _click("editor.log/more", panel="editor.log"),
    "rish_editor/panels/views/menu.py:menu": _click("editor.scene/view", panel="editor.scene", button=RIGHT),
    "rish_editor/shell/bars.py:Panels": _click("menu/View", "menu/View/Panels"),
    "rish_editor/shell/bars.py:recent": _click("menu/File", "menu/File/recent"),
    "rish_editor/shell/bars.py:tools": _more_tools,
    "rish_editor/shell/bars.py:{}": _click("menu/View", "menu/View/Layout"),
    "rish_editor/shell/palette.py:palette": lambda desk: desk.driver.key("Ctrl+P"),
    "rish_editor/ui/widgets/buttons.py:{}": _click("editor.log/level", panel="editor.log"),
    "rish_editor/ui/values/colors.py:{}:picker": _field("Shape/color"),
    "rish_editor/ui/values/curves.py:{}:stop{}": _gradient,
    "rish_editor/ui/values/texts.py:{}:choices": _field("Sprite/layer:list"),
    "rish_particles/plugin/editing/panel.py:save_as": lambda desk: (
        desk.select("hero"),
        desk.show("particles.presets"),
        desk.driver.click("particles.presets/save_as"),
    ),
}


def _form(command: str) -> Open:
    """Return what runs a command that shows a form."""

    def opens(desk: Desk) -> None:
        assert desk.editor.run(command)

    return opens


def _ask(desk: Desk) -> None:
    """Ask whether unsaved edits are wanted."""
    choices = [Choice("save", "Save", "primary"), Choice("discard", "Don't save", "danger"), Choice("cancel", "Cancel")]
    desk.editor.dialogs.ask("Unsaved changes", "Save the changes?", choices, lambda answer: None, level="warning")


def _rename(desk: Desk) -> None:
    """Show what the renaming of a file does."""
    plan = planned(desk.editor, "hero.png", "boss.png")
    assert plan is not None
    desk.editor.dialogs.form(renaming.Question(desk.editor, desk.editor.panels["editor.assets"], plan))


def _prefab(desk: Desk) -> None:
    """Ask for the name of a new prefab."""
    desk.select("hero")
    assert desk.editor.run("entity.make_prefab")


def _layouts(desk: Desk) -> None:
    """Show the layouts that can be deleted."""
    desk.editor.layouts.save("mine")
    assert desk.editor.run("layout.delete")


def _duplicate(desk: Desk) -> None:
    """Ask for the name of a copy of a file."""
    desk.editor.dialogs.form(DuplicateAsset(desk.editor, "hero.png"))


def _copying(desk: Desk) -> None:
    """Show a copying that goes on."""
    job: Any = Copying("Import files", [])
    desk.editor.dialogs.form(Progress(SimpleNamespace(**vars(job), running=True)))  # pyright: ignore[reportArgumentType]


FORMS: dict[str, Open] = {
    "rish_editor/commands/about.py:About": _form("help.about"),
    "rish_editor/commands/assets/copying.py:Progress": _copying,
    "rish_editor/commands/assets/duplicating.py:DuplicateAsset": _duplicate,
    "rish_editor/commands/assets/form.py:NewAsset": _form("assets.new"),
    "rish_editor/commands/forms.py:GameForm": _form("file.settings"),
    "rish_editor/commands/forms.py:NewGame": _form("file.new"),
    "rish_editor/commands/forms.py:SceneForm": _form("file.add_scene"),
    "rish_editor/commands/entities/prefabs.py:MakePrefab": _prefab,
    "rish_editor/commands/window.py:LayoutForm": _form("layout.save"),
    "rish_editor/commands/window.py:LayoutList": _layouts,
    "rish_editor/panels/assets/renaming.py:Question": _rename,
    "rish_editor/shell/chooser.py:Browser": _form("file.open"),
    "rish_editor/shell/dialogs.py:Question": _ask,
    "rish_editor/shell/files/saving.py:Review": _form("file.review"),
    "rish_editor/shell/progress.py:ProgressDialog": lambda desk: desk.editor.dialogs.form(ProgressDialog("Save")),
}


# What the code has

_NAMED = {"popup": 0, "context_menu": 0, "window_menu": 0, "menu": 1, "drop_down": 0}
"""The position of the name among the arguments of the calls that begin a popup."""
_RAW = re.compile(r"(?:begin_(?:combo|menu|popup\w*)|open_popup\w*)\(")
_FORM = re.compile(r"def draw\(self, ui\b.*, editor\b.*\) -> bool:")
_DOOR = "rish_editor/ui/widgets/popups.py"
"""The only module that begins popups of Dear ImGui."""


def declared() -> tuple[set[str], set[str]]:
    """Return the keys of all popups and of all forms in the code of the packages."""
    popups, forms = set[str](), set[str]()
    for key, text in _modules():
        calls = key != _DOOR and re.search(rf"\.(?:{'|'.join(_NAMED)})\(", text)
        if not calls and not _FORM.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _NAMED:
                if calls and len(node.args) > _NAMED[node.func.attr]:
                    popups.add(f"{key}:{_pattern(node.args[_NAMED[node.func.attr]])}")
            elif isinstance(node, ast.ClassDef) and any(_is_form(each) for each in node.body):
                forms.add(f"{key}:{node.name}")
    return popups, forms


def raw_popups() -> set[str]:
    """Return the modules that begin or open popups of Dear ImGui themselves instead of with `UI`."""
    return {key for key, text in _modules() if re.search(rf"imgui\.{_RAW.pattern}", text)} - {_DOOR}


def _modules() -> Iterator[tuple[str, str]]:
    """Yield package and path, and the text, of all modules of all plugins."""
    plugins = Path(str(rish_editor.__file__)).parents[3]
    for path in sorted(plugins.glob("*/src/*/**/*.py")):
        yield "/".join(path.relative_to(plugins).parts[2:]), path.read_text(encoding="utf-8")


def _pattern(name: ast.expr) -> str:
    """Return the name of a popup with `{}` for what differs."""
    if isinstance(name, ast.Constant):
        return str(name.value)
    parts = name.values if isinstance(name, ast.JoinedStr) else [name]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)


def _is_form(node: ast.stmt) -> bool:
    """Whether a statement of a class is `draw(self, ui, editor) -> bool`."""
    if not isinstance(node, ast.FunctionDef) or node.name != "draw" or node.returns is None:
        return False
    return [each.arg for each in node.args.args] == ["self", "ui", "editor"] and ast.unparse(node.returns) == "bool"

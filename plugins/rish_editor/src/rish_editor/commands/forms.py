"""Forms of the File menu: a new game, a scene, and the settings of a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_authoring import (
    TEMPLATES,
    add_layer,
    add_plugin,
    add_scene,
    delete_scene,
    move_layer,
    new_game,
    remove_layer,
    remove_plugin,
    rename_scene,
    set_first_scene,
    set_size,
    set_title,
)
from rish_core import RishError
from rish_core.plugin import installed_plugins
from rish_frame import Frame
from rish_system import is_device

from ..look import icons
from ..session.files.examples import folder_for_games
from ..session.files.templates import MAX_NAME_LENGTH
from .plugins.installing import InstallRow

if TYPE_CHECKING:
    from rish_authoring import GameText

    from ..session.editor import Editor
    from ..ui.ui import UI

_TEMPLATES = {"empty": "Empty: a camera and nothing else", "platformer": "Platformer: ground, platforms and a figure"}


class NewGame:
    """The form for a new game: title, folder and template. The folder is made from the title until the user types one.

    name: the title. folder: its path, as it is typed.
    """

    width = 560.0

    def __init__(self, editor: Editor) -> None:
        self.title = editor.tr("New game")
        self._parent = folder_for_games()
        name = editor.tr("My game")
        names = (name, *(f"{name} {number}" for number in range(2, 100)))
        self.name = next((each for each in names if not _taken(self._parent / folder_name(each))), name)
        self.folder = str(self._parent / folder_name(self.name))
        self._follows = True
        self._template = TEMPLATES[0]
        self._wrong = ""

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        tr = editor.tr
        ui.text(tr("Title"), "section")
        ui.fill()
        name = ui.line("title", self.name, focus=ui.appearing)
        if name is not None:
            self.name, self._wrong = name, ""
            if self._follows:
                self.folder = str(self._parent / folder_name(name))
        ui.text(tr("Folder"), "section")
        folder = ui.line("folder", self.folder, width=ui.room[0] - ui.px(120))
        if folder is not None:
            self.folder, self._follows, self._wrong = folder, False, ""
        ui.same_line()
        if ui.button(tr("Browse…"), "browse", width=-1):
            start = Path(self.folder).expanduser()
            editor.dialogs.choose(tr("Folder of the new game"), self._choose, kind="folder", start=start.parent)
        ui.text(tr("Template"), "section")
        for template in TEMPLATES:
            if ui.radio(tr(_TEMPLATES.get(template, template)), f"template:{template}", self._template == template):
                self._template = template
        folder_problem = _taken(Path(self.folder).expanduser()) if self.folder.strip() else ""
        wrong = self._wrong or (tr(folder_problem) if folder_problem else "")
        if wrong:
            ui.text(wrong, "error", wrap=True)
            ui.mark("wrong")
        ui.space(6)
        ready = bool(self.name.strip() and self.folder.strip()) and not wrong
        if ui.button(tr("Create"), "create", kind="primary", enabled=ready) or (ready and ui.confirmed):
            return self._create(editor)
        ui.same_line()
        return ui.button(tr("Cancel"), "cancel")

    def _choose(self, path: Path) -> None:
        self._parent, self._wrong = path, ""
        self.folder = str(path / (folder_name(self.name) if self._follows else Path(self.folder).name))

    def _create(self, editor: Editor) -> bool:
        try:
            path = new_game(Path(self.folder.strip()).expanduser(), self.name.strip(), self._template)
        except (RishError, OSError) as error:
            self._wrong = str(error)
            return False
        editor.later(lambda: editor.open(path.parent))
        return True


def folder_name(title: str) -> str:
    """Return the name of the folder for a game: the letters and digits of its title, with hyphens between words."""
    name = re.sub(r"[\W_]+", "-", title.casefold()).strip("-")[:MAX_NAME_LENGTH].rstrip("-")
    return name if name and not is_device(name) else f"{name}-game".lstrip("-")


def _taken(folder: Path) -> str:
    """Return why no game can be made in a folder; "" if one can."""
    try:
        if (folder / "game.yaml").is_file():
            return "There is a game in this folder already"
        if folder.is_dir():
            return "This folder is not empty" if any(folder.iterdir()) else ""
        return "This is a file, not a folder" if folder.exists() else ""
    except (OSError, ValueError):
        return "This folder can't be read"


class SceneForm:
    """Asks for the name of a scene. name: of the scene that is renamed, "" for a new one."""

    def __init__(self, editor: Editor, name: str) -> None:
        self.title = editor.tr("Rename scene") if name else editor.tr("Add scene")
        self._before, self._name = name, name
        self._wrong = ""

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        tr = editor.tr
        ui.fill()
        name = ui.line("name", self._name, hint=tr("Name of the scene"), focus=ui.appearing)
        self._name = self._name if name is None else name
        if self._wrong:
            ui.text(self._wrong, "error", wrap=True)
        ui.space(4)
        if ui.button(tr("Rename") if self._before else tr("Add"), "ok", kind="primary", enabled=bool(self._name)):
            return self._finish(editor)
        if ui.confirmed and self._name:
            return self._finish(editor)
        ui.same_line()
        return ui.button(tr("Cancel"), "cancel")

    def _finish(self, editor: Editor) -> bool:
        before, name = self._before, self._name
        change = (lambda text: rename_scene(text, before, name)) if before else (lambda text: add_scene(text, name))
        wrong = edit_text(editor, self.title, change)
        if wrong is not None:
            self._wrong = wrong
            return False
        editor.later(lambda: editor.games.go(name))
        return True


def edit_text(editor: Editor, name: str, change: Callable[[GameText], Any]) -> str | None:
    """Change the text of the game as one step of its history; return the reason if that fails, otherwise None."""
    game = editor.game
    assert game is not None
    try:
        with game.edit(name):
            game.project.edit(change)
    except (RishError, OSError) as error:
        return str(error)
    return None


class GameForm:
    """Title, size, plugins, layers and scenes of the open game. Each change is a step of the history."""

    width = 640.0

    def __init__(self, editor: Editor) -> None:
        assert editor.game is not None
        self.title = editor.tr("Game settings")
        self._wrong = ""
        self._layer = ""
        self._install = InstallRow()
        self._about = _summaries()

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        tr = editor.tr
        with ui.area("form", height=ui.high(400), fields=True):
            self._general(ui, editor)
            self._scenes(ui, editor)
            self._layers(ui, editor)
            self._plugins(ui, editor)
        if self._wrong:
            ui.text(self._wrong, "error", wrap=True)
        ui.space(4)
        return ui.button(tr("Close"), "close", kind="primary") or editor.game is None

    def _change(self, editor: Editor, name: str, change: Callable[[GameText], Any]) -> None:
        self._wrong = edit_text(editor, editor.tr(name), change) or ""

    def _text(self, editor: Editor) -> GameText:
        assert editor.game is not None
        return editor.game.project.text

    def _general(self, ui: UI, editor: Editor) -> None:
        assert editor.game is not None
        manifest = editor.game.app.manifest
        with ui.property(editor.tr("Title"), "title"):
            title = ui.line("title", manifest.title, enter=True)
        if title is not None and title != manifest.title:
            self._change(editor, "Set the title", lambda text: set_title(text, title))
        text = self._text(editor)
        width, height = text.get(("game", "size")) if text.has(("game", "size")) else editor.game.world[Frame].design
        with ui.property(editor.tr("Size"), "size"):
            half = (ui.room[0] - ui.px(8)) / 2
            wide = ui.whole("width", width, low=1, high=16384, width=half)
            ui.same_line(8)
            high = ui.whole("height", height, low=1, high=16384, width=half)
        if wide is not None or high is not None:
            self._change(editor, "Set the size", lambda text: set_size(text, wide or width, high or height))

    def _scenes(self, ui: UI, editor: Editor) -> None:
        game, tr = editor.game, editor.tr
        assert game is not None
        ui.space(6)
        ui.text(tr("Scenes"), "section")
        first = game.app.manifest.start
        for name in game.scenes:
            with ui.inside(f"scene:{name}"):
                ui.caption("")
                ui.same_line(0)
                if ui.radio(name, "first", name == first, tr("The game begins with this scene")) and name != first:
                    self._change(editor, "Set the first scene", lambda text, name=name: set_first_scene(text, name))
                ui.right(ui.px(72))
                if ui.icon_button(icons.RENAME, "rename", tr("Rename")):
                    editor.dialogs.form(SceneForm(editor, name))
                ui.same_line(2)
                if ui.icon_button(icons.DELETE, "delete", tr("Delete"), enabled=len(game.scenes) > 1):
                    self._delete_scene(editor, name)
        if ui.button(tr("Add scene…"), "add_scene", icon=icons.PLUS):
            editor.dialogs.form(SceneForm(editor, ""))

    def _delete_scene(self, editor: Editor, name: str) -> None:
        game = editor.game
        assert game is not None
        if name == game.scene:
            editor.games.go(next(other for other in game.scenes if other != name))
        self._change(editor, "Delete scene", lambda text: delete_scene(text, name))

    def _layers(self, ui: UI, editor: Editor) -> None:
        tr = editor.tr
        ui.space(6)
        ui.text(tr("Layers, from the back to the front"), "section")
        text = self._text(editor)
        layers = text.get(("layers",)) or [] if text.has(("layers",)) else []
        for number, layer in enumerate(layers):
            name, options = next(iter(layer.items())) if isinstance(layer, dict) else (str(layer), {})
            with ui.inside(f"layer:{number}"):
                if ui.icon_button(icons.UP, "up", tr("Move to the back"), enabled=number > 0):
                    self._change(editor, "Move layer", lambda text, n=name, at=number - 1: move_layer(text, n, at))
                ui.same_line(2)
                if ui.icon_button(icons.DOWN, "down", tr("Move to the front"), enabled=number + 1 < len(layers)):
                    self._change(editor, "Move layer", lambda text, n=name, at=number + 1: move_layer(text, n, at))
                ui.same_line()
                ui.caption(name, "normal")
                self._layer_options(ui, editor, number, name, dict(options or {}))
                ui.right(ui.px(38))
                if ui.icon_button(icons.DELETE, "delete", tr("Delete")):
                    self._change(editor, "Delete layer", lambda text, name=name: remove_layer(text, name))
        new = ui.line("layer", self._layer, hint=tr("Name of a new layer"), width=ui.px(220))
        self._layer = self._layer if new is None else new
        ui.same_line()
        if ui.button(tr("Add"), "add_layer", icon=icons.PLUS, enabled=bool(self._layer)):
            name, self._layer = self._layer, ""
            self._change(editor, "Add layer", lambda text: add_layer(text, name))

    def _layer_options(self, ui: UI, editor: Editor, number: int, name: str, options: dict[str, Any]) -> None:
        """Draw the options of a layer: whether it is lit, and whether it is in screen space."""
        ui.right(ui.px(250))
        lit = ui.checkbox(editor.tr("Lit"), "lit", bool(options.get("lit", True)))
        ui.same_line()
        fixed = ui.checkbox(editor.tr("On the screen"), "screen", options.get("space") == "screen")
        if lit is None and fixed is None:
            return
        changed = dict(options)
        if lit is not None:
            changed.pop("lit", None)
            changed |= {} if lit else {"lit": False}
        if fixed is not None:
            changed.pop("space", None)
            changed |= {"space": "screen"} if fixed else {}
        item = {name: changed} if changed else name
        self._change(editor, "Change layer", lambda text: text.of(("layers",)).set(("layers", number), item))

    def _plugins(self, ui: UI, editor: Editor) -> None:
        game, tr = editor.game, editor.tr
        assert game is not None
        ui.space(6)
        ui.text(tr("Plugins"), "section")
        for name in self._install.draw(ui, editor):
            self._about = _summaries()
            game.app.plugins.candidates = tuple(installed_plugins())
            self._change(editor, "Add plugin", lambda text, name=name: add_plugin(text, name))
        wished = {wish.name for wish in game.app.manifest.plugins}
        for name in sorted({*wished, *self._about} - {"editor"}):
            loaded = name in game.app.plugins
            is_listed = name in wished
            new = ui.checkbox(name, f"plugin:{name}", is_listed)
            description, style = self._about.get(name, ""), "dim"
            if name not in self._about:
                description, style = tr("not installed"), "warning"
            elif loaded and not is_listed:
                description = tr("loaded because another plugin needs it")
            ui.right(ui.room[0] - ui.px(170))
            ui.caption(description, style, cut=True)  # pyright: ignore[reportArgumentType]
            if new:
                self._change(editor, "Add plugin", lambda text, name=name: add_plugin(text, name))
            elif new is False:
                self._change(editor, "Remove plugin", lambda text, name=name: remove_plugin(text, name))


def _summaries() -> dict[str, str]:
    """Return the descriptions of all installed plugins."""
    return {point.name: _summary(point) for point in entry_points(group="rish.plugins")}


def _summary(point: EntryPoint) -> str:
    """Return the description of a plugin's package."""
    metadata = point.dist.metadata if point.dist is not None else {}
    return str(metadata["Summary"]) if "Summary" in metadata else ""

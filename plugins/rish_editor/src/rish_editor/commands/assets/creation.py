"""Making a new asset from a template: its file, its declaration in `plugin.py`, and what the manifest needs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_authoring import GameText, add_plugin, declare_code
from rish_core import RishError, UsageError
from rish_core.manifest import FILE_NAME

from ...session.files.templates import class_name
from ..entities.creating import add_to
from ..forms import edit_text
from ..targets import the_game
from .writing import Files, inside, show_file, taken

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.files.templates import Template

PLUGIN = "plugin.py"


def problem(editor: Editor, template: Template, name: str, folder: str) -> str | None:
    """Return why an asset can't have a name in a folder; None if it can, "" if there is no name yet."""
    tr, game = editor.tr, the_game(editor)
    wrong = template.wrong_name(editor, name)
    if wrong is not None:
        return wrong
    path = template.path(name, folder)
    try:
        if path and taken(inside(game.path, path.rstrip("/"))):
            return tr("{name} exists already", name=path)
        if path and any(part[:1] == "." or part in ("__pycache__",) for part in Path(path).parts):
            return tr("Hidden folders are not part of the game")
    except (RishError, OSError, ValueError) as error:
        return error.what if isinstance(error, RishError) else str(error)
    if template.key and game.project.text.has(_key(template, name)):
        return tr("{name} exists already", name=name)
    for hook, thing in template.declare.items():
        owner = _owner_of(editor, hook, template.filled(class_name(name) if "." in thing else thing, name))
        if owner:
            return tr("The plugin {owner} has {name} already", owner=owner, name=name)
    return None


def _owner_of(editor: Editor, hook: str, name: str) -> str:
    """Return the plugin that declares a component or system of this name; "" if none does."""
    word = "system" if hook == "rish_systems" else "component"
    owners = the_game(editor).app.registry.owners
    return next((owner for (kind, full), owner in owners.items() if kind == word and full.split(".")[-1] == name), "")


def _key(template: Template, name: str) -> tuple[str, ...]:
    return tuple(template.filled(template.key.split("."), name))


def places(editor: Editor, template: Template, name: str, folder: str) -> list[str]:
    """Return the files that making an asset writes; for the manifest, with the keys that change."""
    path = template.path(name, folder)
    paths = [path] if path else []
    if template.declare:
        there = (the_game(editor).path / PLUGIN).is_file()
        paths.append(PLUGIN if there else f"{PLUGIN} ({editor.tr('new')})")
    parts = [".".join(_key(template, name))] if template.key else []
    parts += [f"plugins: {plugin}" for plugin in missing_plugins(editor, template)]
    parts += [f"settings.{key}" for key in template.filled(template.set, name)]
    return [*paths, *(f"{FILE_NAME}: {part}" for part in parts)]


def missing_plugins(editor: Editor, template: Template) -> list[str]:
    """Return the plugins that the game must load for a template and does not."""
    return [name for name in template.needs if name not in the_game(editor).app.plugins]


def make_asset(editor: Editor, template: Template, name: str, folder: str, *, use: bool, opened: bool) -> str | None:
    """Make an asset; return the reason if that fails, None if it was made. In case of an error, nothing is written.

    name: spelled as by the template. folder: that is shown. use: add it to the selected entities. opened: open its file
    afterwards.
    """
    game, files = the_game(editor), Files()
    path = template.path(name, folder)
    lacking = ""
    try:
        if path:
            _write(editor, template, files, name, path)
        if template.declare:
            lacking = _declare(template, files, name, path, game.path)
        plugins = missing_plugins(editor, template)
        if template.make is not None:
            with game.edit(editor.tr("New {name}", name=name)):
                template.make(editor, name)
        change = _change_of(template, name, path, plugins)
        wrong = edit_text(editor, editor.tr("New {name}", name=name), change) if change is not None else None
    except (RishError, OSError) as error:
        files.undo()
        failed_path = getattr(error, "filename", None) or path
        return f"{failed_path}: {error.strerror}" if isinstance(error, OSError) and error.strerror else str(error)
    if wrong is not None:
        files.undo()
        return wrong
    if template.declare:
        editor.games.reload_code()
    steps = _Finish(editor, template, name, path, use=use, opened=opened, lacking=lacking)
    editor.later(lambda: steps([each.relative_to(game.path).as_posix() for each in files.written]))
    return None


def _write(editor: Editor, template: Template, files: Files, name: str, path: str) -> None:
    target = inside(the_game(editor).path, path.rstrip("/"))
    if path.endswith("/"):
        files.make_folder(target)
    else:
        files.add(target, template.content(editor, name).encode())


def _declare(template: Template, files: Files, name: str, path: str, root: Path) -> str:
    """Complete `plugin.py`; return the lines that the user must add, "" if there are none."""
    target = root / PLUGIN
    module = path.removesuffix(".py").replace("/", ".")
    try:
        source = target.read_bytes().decode("utf-8") if target.is_file() else ""
        code = source
        for hook, thing in template.declare.items():
            finder = thing if "." in thing else ""
            declared_name = class_name(name) if finder else template.filled(thing, name)
            code = declare_code(code, hook, declared_name, module, finder=finder)
    except UnicodeDecodeError:
        return f"{PLUGIN} is not written in UTF-8"
    except UsageError as error:
        return f"{error.what}\n{error.hint or ''}"
    if code != source:
        files.change(target, code.encode())
    return ""


def _change_of(template: Template, name: str, path: str, plugins: list[str]) -> Callable[[GameText], Any] | None:
    """Return the change of the manifest that a template needs, None if it needs none."""
    key = template.key if template.make is None else ""
    if not (key or template.edit or template.set or plugins):
        return None

    def change(text: GameText) -> None:
        for plugin in plugins:
            add_plugin(text, plugin)
        if key:
            steps = _key(template, name)
            text.of(steps[:2]).put(steps, template.filled(template.value, name, path))
        if template.edit is not None:
            template.edit(text, name)
        for setting, value in template.filled(template.set, name, path).items():
            steps = ("settings", *setting.split("."))
            text.of(steps[:2]).put(steps, value)

    return change


class _Finish:
    """The work after the frame in which the game loads a new asset."""

    def __init__(
        self, editor: Editor, template: Template, name: str, path: str, *, use: bool, opened: bool, lacking: str
    ) -> None:
        self._editor, self._template, self._name, self._path = editor, template, name, path
        self._use, self._opened, self._lacking = use, opened, lacking

    def __call__(self, written: list[str]) -> None:
        """Add the asset to the selected entities, open it, and show a message. written: the files."""
        editor, tr = self._editor, self._editor.tr
        if editor.game is None:
            return
        if self._path:
            show_file(editor, self._path)
        if self._use and not self._lacking:
            self._add()
        names = ", ".join(written) or self._path or self._name
        editor.note(tr("Made {name}", name=names), "ok", seconds=8.0)
        if self._lacking:
            title = tr("{path} is made, and not declared yet", path=self._path)
            why, _, lines = self._lacking.partition("\n")
            editor.dialogs.tell(title, why, details=lines.split("\n"), level="warning")
        if self._opened and self._path and not self._path.endswith("/"):
            editor.open_source(editor.game.path / self._path, 1)
        if self._template.then is not None:
            self._template.then(editor, self._name, self._path)

    def _add(self) -> None:
        """Add the components of the template to the selected entities, as one step."""
        editor, game = self._editor, the_game(self._editor)
        handles = game.selection.handles
        parts: dict[str, Any] = self._template.filled(self._template.add, self._name, self._path)
        try:
            with game.edit(editor.tr("Add {name}", name=self._name)):
                for name, values in parts.items():
                    add_to(editor, handles, name)
                    cls: Any = game.world.kind(name)
                    if values:
                        game.world.set(np.array(handles, np.int64), cls(**values))
        except RishError as error:
            editor.report(editor.tr("Add {name}", name=self._name), error)

"""Duplicating files, folders and prefabs of a game under another name."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core import Prefabs, RishError

from ...session.files.templates import class_name, is_file_name
from ..forms import edit_text
from ..targets import the_game
from .copying import Copying
from .writing import Files, free_path, show_file, taken

if TYPE_CHECKING:
    from rish_authoring import GameText

    from ...session.editor import Editor
    from ...ui.ui import UI


class DuplicateAsset:
    """Asks for the name of a copy. path: of a file or folder of the game, or the name of a prefab."""

    width = 440.0

    def __init__(self, editor: Editor, path: str, *, prefab: bool = False) -> None:
        game = the_game(editor)
        self.title = editor.tr("Duplicate {name}", name=path)
        self._path, self._prefab, self._wrong = path, prefab, ""
        self._name = _free_name(path, game.world[Prefabs].names) if prefab else free_path(game.path / path).name
        if path.endswith(".py"):
            self._name = self._name.replace("-", "_")

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        tr = editor.tr
        ui.fill()
        name = ui.line("name", self._name, focus=ui.appearing)
        self._name = self._name if name is None else name
        wrong = self._problem(editor)
        if wrong or self._wrong:
            ui.text(wrong or self._wrong, "error", wrap=True)
        ui.space(6)
        fits = wrong is None
        if ui.button(tr("Duplicate"), "duplicate", kind="primary", enabled=fits) or (fits and ui.confirmed):
            self._wrong = (self._copy_prefab(editor) if self._prefab else self._copy(editor)) or ""
            return not self._wrong
        ui.same_line()
        return ui.button(tr("Cancel"), "cancel")

    def _target(self, editor: Editor) -> Path:
        return (the_game(editor).path / self._path).with_name(self._name.strip())

    def _problem(self, editor: Editor) -> str | None:
        tr, name = editor.tr, self._name.strip()
        if not name:
            return ""
        if self._prefab:
            return tr("{name} exists already", name=name) if name in the_game(editor).world[Prefabs].names else None
        if not is_file_name(name) or (name.endswith(".py") and not name[:-3].isidentifier()):
            return tr("A file can't have this name")
        return tr("{name} exists already", name=name) if taken(self._target(editor)) else None

    def _copy(self, editor: Editor) -> str | None:
        """Copy the file or folder, in the background if it is large; return the reason if that is not possible,
        otherwise None."""
        game, target = the_game(editor), self._target(editor)
        source = game.path / self._path
        shown = target.relative_to(game.path).as_posix()
        if source.suffix == ".py":
            files = Files()
            try:
                files.add(target, renamed_classes(source.read_bytes(), source.stem, target.stem))
            except (RishError, OSError, SyntaxError, ValueError) as error:
                return str(error)
            editor.games.reload_code()
            self._tell(editor, shown)
            return None
        pairs = [(source, target)]
        if source.is_dir():
            inner = [each for each in sorted(source.rglob("*")) if each.is_file() and "__pycache__" not in each.parts]
            pairs = [(each, target / each.relative_to(source)) for each in inner]
            try:
                target.mkdir()
            except OSError as error:
                return f"{shown}: {error.strerror or error}"
        job = Copying(self.title, pairs)

        def finish() -> None:
            if job.failed:
                editor.dialogs.tell(self.title, editor.tr("Not all was copied:"), details=job.failed, level="error")
            else:
                self._tell(editor, shown)

        job.start(editor, finish)
        return None

    def _copy_prefab(self, editor: Editor) -> str | None:
        """Write a copy of the prefab under its new name, as one step; return the reason if that fails."""
        game, name = the_game(editor), self._name.strip()

        def change(text: GameText) -> None:
            own = ("prefabs", self._path)
            data: Any = text.get(own) if text.has(own) else dict(game.app.registry.prefabs[self._path])
            text.of(own).put(("prefabs", name), data)

        wrong = edit_text(editor, self.title, change)
        if wrong is None:
            editor.note(editor.tr("Made {name}", name=name), "ok")
        return wrong

    def _tell(self, editor: Editor, shown: str) -> None:
        show_file(editor, shown)
        editor.note(editor.tr("Made {name}", name=shown), "ok")


def renamed_classes(source: bytes, before: str, after: str) -> bytes:
    """Return a Python source whose classes are renamed, so that a game can load both sources.

    before, after: the names of the files, without `.py`. A class that is named like its file stays so; others get the
    number of the new file, or 2. Texts and comments stay as they are. Raises SyntaxError.
    """
    tree = ast.parse(source)
    number = "".join(each for each in after[len(before) :] if each.isdigit()) if after.startswith(before) else ""
    names: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            own = node.name == class_name(before)
            names[node.name] = class_name(after) if own else f"{node.name}{number or 2}"
    text, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    lines = source.decode(text).splitlines(keepends=True)
    tokens = list(tokenize.tokenize(io.BytesIO(source).readline))
    for token in reversed(tokens):
        if token.type == tokenize.NAME and token.string in names:
            row, column = token.start[0] - 1, token.start[1]
            lines[row] = lines[row][:column] + names[token.string] + lines[row][column + len(token.string) :]
    return "".join(lines).encode(text)


def _free_name(name: str, taken_names: Any) -> str:
    number, free = 2, name
    while free in taken_names:
        free, number = f"{name}_{number}", number + 1
    return free

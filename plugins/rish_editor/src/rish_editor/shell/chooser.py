"""Choosing files and folders: with the dialogue of the system, or with the editor's own where there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_system import has_file_dialog, home

from ..look import icons

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI

Chosen = Callable[[Path], Any]
Several = Callable[[list[Path]], Any]
_MANIFEST = "game.yaml"


def native_chooser(
    editor: Editor, title: str, chosen: Chosen | Several, kind: str, start: Path | None, filters: Sequence[str]
) -> Callable[[], bool] | None:
    """Open the file dialogue of the system; return a function that has to be called in each frame, and returns True
    when the dialogue was closed.

    Return None if the system has no such dialogue, or if the editor has no window. The editor goes on while it is open.
    kind: file, folder, save, or files, for which `chosen` gets a list.
    """
    if editor.headless or not has_file_dialog():
        return None
    from imgui_bundle import portable_file_dialogs as dialogs

    at = str(start or Path.cwd())
    patterns = [title, " ".join(filters), "*", "*"] if filters else ["*", "*"]
    shown: Any
    if kind == "folder":
        shown = dialogs.select_folder(title, at)
    elif kind == "save":
        shown = dialogs.save_file(title, at, patterns)
    else:
        several = dialogs.opt.multiselect if kind == "files" else dialogs.opt.none
        shown = dialogs.open_file(title, at, patterns, several)

    def closed() -> bool:
        if not shown.ready(0):
            return False
        result = shown.result()
        path = result[0] if isinstance(result, list) and result else result
        if path:
            selected: Any = [Path(str(each)) for each in result] if kind == "files" else Path(str(path))
            editor.later(lambda: chosen(selected))
        return True

    return closed


class Browser:
    """The editor's own file dialogue. kind: file, folder, save for a new file, or files for one or more."""

    width = 640.0

    def __init__(
        self, title: str, chosen: Chosen | Several, kind: str, start: Path | None, filters: Sequence[str],
        editor: Editor,
    ) -> None:  # fmt: skip
        self.title = title
        self._picked: dict[Path, None] = {}
        self._chosen, self._kind, self._filters = chosen, kind, tuple(filters)
        self._name = ""
        self._folder = home()
        self._rows: list[tuple[Path, bool, bool]] = []
        self._wrong = ""
        self._places = [home(), *dict.fromkeys(Path(path).parent for path in editor.settings.recent)]
        start = start or Path.cwd()
        if kind == "save" or start.is_file():
            self._name, start = start.name, start.parent
        self._go(start)

    def _go(self, folder: Path) -> None:
        """Show a folder: its subfolders first, then the files that match the filters; hidden ones are left out."""
        try:
            visible = [path for path in folder.resolve().iterdir() if not path.name.startswith(".")]
            rows = [(path, path.is_dir()) for path in sorted(visible, key=lambda path: (path.name.lower(), path.name))]
        except OSError as error:
            self._wrong = f"{folder}: {error.strerror or error}"
            return
        self._folder, self._wrong = folder.resolve(), ""
        self._rows = [(path, True, (path / _MANIFEST).is_file()) for path, folder in rows if folder]
        if self._kind != "folder":
            self._rows += [(path, False, False) for path, folder in rows if not folder and self._fits(path)]

    def _fits(self, path: Path) -> bool:
        return not self._filters or any(fnmatch(path.name, pattern) for pattern in self._filters)

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the dialogue; return whether it is done."""
        done = self._head(ui, editor)
        with ui.area("list", height=ui.high(300, 190), border=True, fields=True):
            done = self._list(ui, editor) or done
            if not self._rows:
                ui.text(editor.tr("This folder is empty"), "dim")
        if self._kind == "save":
            ui.fill()
            name = ui.line("name", self._name, hint=editor.tr("Name"))
            self._name = self._name if name is None else name
        if self._wrong:
            ui.text(self._wrong, "error", wrap=True)
        ui.space(4)
        label = editor.tr("Save") if self._kind == "save" else editor.tr("Choose this folder")
        if self._kind == "files":
            label = editor.tr("Choose {count} {count:file|files}", count=len(self._picked))
            if ui.button(label, "ok", kind="primary", enabled=bool(self._picked)):
                return self._finish(editor, [*self._picked])
            ui.same_line()
        elif self._kind != "file":
            whole = self._folder / self._name if self._kind == "save" else self._folder
            if ui.button(label, "ok", kind="primary", enabled=self._kind == "folder" or bool(self._name)):
                return self._finish(editor, whole)
            ui.same_line()
        return ui.button(editor.tr("Cancel"), "cancel") or done

    def _head(self, ui: UI, editor: Editor) -> bool:
        """Draw the field for the path, and buttons for common folders."""
        if ui.icon_button(
            icons.UP, "up", editor.tr("To the folder above"), enabled=self._folder.parent != self._folder
        ):
            self._go(self._folder.parent)
        ui.same_line()
        ui.fill()
        typed = ui.line("path", str(self._folder), enter=True)
        if typed is not None:
            path = Path(typed).expanduser()
            if path.is_dir() and not (self._kind == "file" and (path / _MANIFEST).is_file()):
                self._go(path)
            elif path.exists() and self._kind in ("file", "files"):
                return self._finish(editor, path if self._kind == "file" else [path])
            else:
                self._wrong = editor.tr("There is no folder {path}", path=path)
        for number, place in enumerate(self._places[:5]):
            if number:
                ui.same_line()
            if ui.button(
                place.name or str(place), f"place{number}", icon=icons.FOLDER, kind="ghost", tooltip=str(place)
            ):
                self._go(place)
        return False

    def _list(self, ui: UI, editor: Editor) -> bool:
        for path, folder, game in list(self._rows):
            icon = icons.GAME if game else icons.FOLDER if folder else icons.FILE
            clicked = ui.selectable(f"{icon}  {path.name}", f"entry:{path.name}", path in self._picked)
            if not clicked:
                continue
            if self._kind == "files" and not folder:
                if self._picked.pop(path, self) is self:
                    self._picked[path] = None
            elif self._kind == "save" and not folder:
                self._name = path.name
            elif not folder or (game and self._kind == "file"):
                return self._finish(editor, path)
            else:
                self._go(path)
        return False

    def _finish(self, editor: Editor, selected: Any) -> bool:
        editor.later(lambda: self._chosen(selected))
        return True

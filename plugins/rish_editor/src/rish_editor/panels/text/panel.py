"""The panel for the source texts of the game."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...look import icons
from .search import SearchBar

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.texts.document import Document
    from ...ui.ui import UI

_NAMES = {"python": "Python", "yaml": "YAML", "json": "JSON", "markdown": "Markdown"}


class TextPanel:
    """Source texts in tabs, with messages at their lines. Saving code loads it again."""

    id, title, icon, dock, order = "editor.text", "Text", "script", "center", 30
    open, always = False, True
    keys = frozenset({
        "Ctrl+S", "Ctrl+W", "Ctrl+F", "Ctrl+H", "Ctrl+G", "Ctrl+D", "Ctrl+Slash", "Ctrl+Shift+Z", "Ctrl+Bracketleft",
        "Ctrl+Bracketright", "Alt+Up", "Alt+Down", "Ctrl+Home", "Ctrl+End", "Ctrl+Left", "Ctrl+Right",
        "Ctrl+Backspace", "Ctrl+Delete", "Ctrl+Enter", "Ctrl+Shift+Enter",
    })  # fmt: skip

    def __init__(self) -> None:
        self.search = SearchBar()

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the tabs and the text in front."""
        texts, tr = editor.texts, editor.tr
        if not texts.open_ones:
            hint = tr("A double click on a script in Assets, or a click on a problem, opens it here.")
            ui.empty(tr("No file is open"), hint, icons.SCRIPT)
            return
        before = texts.active
        self._tabs(ui, editor)
        text = texts.active
        if text is None:
            return
        if text is not before or (not self.search.kind and ui.idle):
            text.field.focus()
        if editor.panels.focused == self.id and not editor.dialogs.open:
            self._keys(ui, editor, text)
        self.search.draw(ui, editor, text)
        ui.code("code", text.field, height=-ui.px(26))
        self._footer(ui, editor, text)

    def _tabs(self, ui: UI, editor: Editor) -> None:
        texts = editor.texts
        names = [text.name for text in texts.open_ones]
        with ui.tabs("tabs") as shown:
            if not shown:
                return
            front, texts.front = texts.front, None
            for text in list(texts.open_ones):
                label = text.name if names.count(text.name) == 1 else f"{text.path.parent.name}/{text.name}"
                here, closed = ui.tab(
                    label, f"tab:{text.path}", front=text is front, unsaved=text.dirty, tooltip=str(text.path)
                )
                if here and front in (None, text):
                    texts.active = text
                if closed:
                    editor.later(lambda text=text: texts.close(text))

    def _keys(self, ui: UI, editor: Editor, text: Document) -> None:
        if ui.pressed("f3"):
            if not self.search.kind:
                self.search.open("find", text)
            self.search.step(text, -1 if ui.shift else 1)
        if not ui.ctrl or ui.shift or ui.alt:
            return
        if ui.pressed("s"):
            editor.later(lambda: editor.texts.save(text) if text.dirty else editor.run("file.save"))
        elif ui.pressed("w"):
            editor.later(lambda: editor.texts.close(text))
        for key, kind in (("f", "find"), ("h", "replace"), ("g", "line")):
            if ui.pressed(key):
                self.search.open(kind, text)

    def _footer(self, ui: UI, editor: Editor, text: Document) -> None:
        """Show the position of the cursor, the message of its line, and the encoding and line ends of the file."""
        tr, field = editor.tr, text.field
        line, column = field.cursor
        ui.text(tr("Line {line}, column {column}", line=line + 1, column=column + 1), "dim")
        ui.mark("place")
        message = field.message(line).replace("\n", "   ")
        if message:
            ui.same_line(16)
            ui.text(message, next(mark.level for mark in field.marks if mark.line == line))  # pyright: ignore[reportArgumentType]
            ui.mark("message")
        parts = [tr("Tabs") if field.indent == "\t" else tr("Spaces: {count}", count=len(field.indent)), text.file.form]
        parts += [_NAMES[text.language]] if text.language in _NAMES else []
        if text.missing:
            parts.insert(0, tr("Deleted"))
        elif not os.access(text.path, os.W_OK):
            parts.insert(0, tr("Read-only"))
        footer = "    ".join(parts)
        wide = ui.raw.calc_text_size(footer).x
        ui.same_line(16)
        fits = ui.room[0] > wide
        if fits:
            ui.right(wide)
        ui.text(footer if fits or not message else "", "dim")

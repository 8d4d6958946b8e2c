"""Commands for games and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..session.editor import Editor


def _quit(editor: Editor) -> None:
    editor.closing = True


COMMANDS: dict[str, dict[str, Any]] = {
    "file.quit": {"title": "Quit", "run": _quit, "icon": "quit", "shortcut": "Ctrl+Q", "menu": "File#quit"},
}

"""The code of a game: its files, and loading it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rish_core import Assets
from rish_core.plugin import load_game_plugin

if TYPE_CHECKING:
    from ..editor import Editor

CODE = ".py"


def code_files(root: Path) -> list[Path]:
    """Return the sorted files of code below a folder, without those in hidden folders."""
    return [root / name for name in Assets(root).files(CODE)]


def reload_plugin(editor: Editor) -> None:
    """Load the code of the opened game again and apply it; the edits stay. Mistakes are listed and reported."""
    from rish_reload import prepare

    game = editor.game
    path = game.path / "plugin.py" if game is not None else None
    if game is None or path is None or not path.is_file():
        editor.note(editor.tr("This game has no code"), "info")
        return
    try:
        prepare(game.app, module=load_game_plugin(path, afresh=True)).apply()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        editor.list_mistake(error)
        editor.report(editor.tr("The code has mistakes"), error)
        return
    editor.list_problems([], CODE)
    editor.note(editor.tr("The scripts are loaded again"), "ok")

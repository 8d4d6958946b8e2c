"""Commands for games and files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core.plugin import installed_modules

from ..session.files.examples import examples
from .forms import GameForm, NewGame, SceneForm
from .plugins import command as switch_on_plugin
from .targets import edits, has_game

if TYPE_CHECKING:
    from ..session.editor import Editor

_MANIFEST = "game.yaml"


def _dirty(editor: Editor) -> bool:
    return editor.game is not None and editor.game.dirty


def _new(editor: Editor) -> None:
    editor.games.leave(lambda: editor.dialogs.form(NewGame(editor)))


def _open(editor: Editor) -> None:
    def choose() -> None:
        filters = (_MANIFEST, *(f"*.{opener.name}" for opener in installed_modules("rish.game_files")))
        editor.dialogs.choose(editor.tr("Open game"), editor.open, filters=filters, start=_near(editor))

    editor.games.leave(choose)


def _near(editor: Editor) -> Path | None:
    """Return the folder of the games that were opened last."""
    folder = next((Path(text).parent for text in editor.settings.recent), None)
    return folder if folder is not None and folder.is_dir() else None


def _save_as(editor: Editor) -> None:
    assert editor.game is not None
    here = editor.game.path.resolve()
    start = here.with_name(f"{here.name}-copy")
    editor.dialogs.choose(editor.tr("Save as…"), lambda path: _copy_to(editor, path), kind="save", start=start)


def _copy_to(editor: Editor, path: Path) -> None:
    try:
        editor.games.saving.save_as(path)
    except Exception as error:
        editor.report(editor.tr("Save as…"), error)


def _reload(editor: Editor) -> None:
    game, tr = editor.game, editor.tr
    assert game is not None
    if not game.dirty:
        editor.games.reload()
        return
    from ..shell.dialogs import Choice

    editor.dialogs.ask(
        tr("Reload from disk"), tr("Your changes are lost if you don't save them."),
        [Choice("reload", tr("Reload"), "danger"), Choice("cancel", tr("Cancel"))],
        lambda answer: editor.games.reload() if answer == "reload" else None, level="warning",
    )  # fmt: skip


def _quit(editor: Editor) -> None:
    def close() -> None:
        editor.closing = True

    editor.games.leave(close)


def _examples(editor: Editor) -> None:
    folder = examples()
    assert folder is not None
    editor.games.leave(
        lambda: editor.dialogs.choose(editor.tr("Open an example"), editor.open, filters=(_MANIFEST,), start=folder)
    )


COMMANDS: dict[str, dict[str, Any]] = {
    "file.new": {"title": "New game…", "run": _new, "icon": "new", "shortcut": "Ctrl+N", "menu": "File#open"},
    "file.open": {"title": "Open game…", "run": _open, "icon": "open", "shortcut": "Ctrl+O", "menu": "File#open"},
    "file.examples": {
        "title": "Open an example…", "run": _examples, "icon": "game", "menu": "File#open",
        "when": lambda editor: examples() is not None,
    },
    "file.save": {
        "title": "Save", "run": lambda editor: editor.games.saving.save(), "icon": "save", "shortcut": "Ctrl+S",
        "menu": "File#save", "when": _dirty,
    },
    "file.save_as": {
        "title": "Save as…", "run": _save_as, "icon": "duplicate", "shortcut": "Ctrl+Shift+S", "menu": "File#save",
        "when": edits, "tooltip": "Save a copy of the game's folder",
    },
    "file.review": {
        "title": "Review and save…", "run": lambda editor: editor.games.saving.review(), "icon": "check",
        "menu": "File#save", "when": edits, "tooltip": "See what saving changes, and include what code has made",
    },
    "file.reload": {"title": "Reload from disk", "run": _reload, "icon": "reload", "menu": "File#save", "when": edits},
    "file.settings": {
        "title": "Game settings…", "run": lambda editor: editor.dialogs.form(GameForm(editor)), "icon": "settings",
        "menu": "File#game", "when": edits, "tooltip": "Title, size, plugins, layers and scenes of the game",
    },
    **switch_on_plugin.COMMANDS,
    "file.add_scene": {
        "title": "Add scene…", "run": lambda editor: editor.dialogs.form(SceneForm(editor, "")), "icon": "scene",
        "menu": "File#game", "when": edits,
    },
    "file.folder": {
        "title": "Show in folder", "icon": "folder", "menu": "File#game", "when": has_game,
        "run": lambda editor: editor.open_source(editor.game.path.resolve()),
    },
    "file.close": {
        "title": "Close game", "icon": "close", "shortcut": "Ctrl+W", "menu": "File#quit", "when": has_game,
        "run": lambda editor: editor.games.leave(editor.close_game),
    },
    "file.quit": {"title": "Quit", "run": _quit, "icon": "quit", "shortcut": "Ctrl+Q", "menu": "File#quit"},
}  # fmt: skip

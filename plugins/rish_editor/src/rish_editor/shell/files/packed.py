"""Games in files of another kind, such as packs: they are edited in a folder that the person chooses.

The file itself never changes. Python code in it runs only after the person has agreed, see `rish_cli.find_game`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rish_cli import PackedGame, look_into, unpack_game
from rish_core import RishError
from rish_core.manifest import use_data_only

from ...session.files.examples import folder_for_games
from ..dialogs import Choice

if TYPE_CHECKING:
    from ...session.editor import Editor


def open_packed(editor: Editor, path: Path) -> None:
    """Ask for a folder, and whether code may run; then write the files of a packed game there, and open it."""
    tr = editor.tr
    try:
        packed = look_into(path)
    except RishError as error:
        editor.report(tr("Open {path}", path=path.name), error)
        return
    title = tr("New folder for the files of {title}", title=packed.title)
    start = _free(folder_for_games() / packed.name)
    editor.dialogs.choose(title, lambda folder: _ask(editor, path, packed, folder), kind="save", start=start)


def _free(folder: Path) -> Path:
    """Return a folder, or one with a number behind its name, that does not exist."""
    number = 2
    free = folder
    while free.exists():
        free, number = folder.with_name(f"{folder.name}-{number}"), number + 1
    return free


def _ask(editor: Editor, path: Path, packed: PackedGame, folder: Path) -> None:
    if not packed.code:
        _unpack(editor, path, folder, runs=True)
        return
    tr = editor.tr
    text = tr("{title} has Python code of its own, which could do everything that you can do on this computer. "
              "It would run each time the game is opened.", title=packed.title)  # fmt: skip
    choices = [
        Choice("run", tr("Trust it, and open with its code"), "danger"),
        Choice("data", tr("Open without its code"), "primary"),
        Choice("cancel", tr("Cancel")),
    ]

    def answered(answer: str) -> None:
        if answer != "cancel":
            _unpack(editor, path, folder, runs=answer == "run")

    editor.dialogs.ask(tr("Do you trust its author?"), text, choices, answered, details=packed.code, level="warning")


def _unpack(editor: Editor, path: Path, folder: Path, *, runs: bool) -> None:
    """Write the files and open the game. runs: whether its code runs; otherwise it does not until the editor ends."""
    try:
        unpack_game(path, folder)
    except RishError as error:
        editor.report(editor.tr("Open {path}", path=path.name), error)
        return
    use_data_only(folder, not runs)
    if editor.open(folder):
        editor.note(editor.tr("Unpacked to {path}", path=folder), "ok")

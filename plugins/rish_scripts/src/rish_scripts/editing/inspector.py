"""The inspector of scripts, and the command that reloads them."""

from __future__ import annotations

import inspect as python
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calls.lifecycle import inspect
from ..faults import Faults, pardon
from ..reload import Reload
from ..script import Script, overrides

if TYPE_CHECKING:
    from rish_editor import UI, Editor, Target

_MAX_LINES = 200
"""The maximum number of log lines that are searched for the last message of a script."""


def draw_script(ui: UI, editor: Editor, target: Target) -> None:
    """Draw a script: its fields, what its `on_inspect` draws, its errors, and the way to its source."""
    target.fields()
    _faults(ui, editor, target)
    if overrides(target.cls, "on_inspect"):
        _on_inspect(ui, editor, target)
    with target.row("", "source"):
        if ui.button(
            editor.tr("Open source"), "source", icon=ui.icon("external"), tooltip=str(source_of(target.cls)[0])
        ):
            editor.open_source(*source_of(target.cls))
        if target.game.world[Reload].waiting:
            ui.same_line()
            if ui.button(
                editor.tr("Reload"),
                "reload",
                icon=ui.icon("reload"),
                kind="primary",
                tooltip=editor.tr("Its files have changed"),
            ):
                reload_scripts(editor)


def _on_inspect(ui: UI, editor: Editor, target: Target) -> None:
    """Call `on_inspect` of the script of the entity that was selected last; what it writes is a step of the history."""
    name, game = target.cls.__name__, target.game
    ui.separator()
    with ui.inside("on_inspect"), game.edit(editor.tr("Edit {name}", name=name), merge=("inspect", name, ui.gesture)):
        fine = inspect(game.world, target.primary, ui, target.cls)
    if not fine:
        ui.text(
            last_error(editor, name, "on_inspect") or editor.tr("on_inspect has failed; see the log"),
            "error",
            wrap=True,
        )


def _faults(ui: UI, editor: Editor, target: Target) -> None:
    """Show how often the scripts have raised, the last message, and whether they are set aside."""
    tr, world, key = editor.tr, target.game.world, target.kind.key
    faults = world[Faults]
    if not len(faults):
        return
    rows = (faults.script == world.intern(key)) & np.isin(faults.who, target.handles)
    if not rows.any():
        return
    count, aside = int(faults.count[rows].sum()), bool(faults.aside[rows].any())
    summary = (
        tr("{count} {count:error|errors}, set aside", count=count)
        if aside
        else tr("{count} {count:error|errors}", count=count)
    )
    ui.text(f"{ui.icon('error')}  {summary}", "error")
    message = last_error(editor, target.cls.__name__)
    if message:
        ui.text(message, "error", wrap=True)
    if ui.button(
        tr("Try again"), "pardon", icon=ui.icon("reset"), tooltip=tr("Call the script again, as if it had not failed")
    ):
        pardon(world, key, target.handles)


def last_error(editor: Editor, script: str, method: str = "") -> str:
    """Return the last message of the log about a script; "" if there is none.

    method: only messages about this method.
    """
    for line in list(editor.log.lines)[::-1][:_MAX_LINES]:
        if f"script {script} of" in line.text and method in line.text:
            return line.text
    return ""


def source_of(cls: type) -> tuple[Path, int]:
    """Return the file and the line of a class."""
    try:
        return Path(python.getsourcefile(cls) or ""), python.getsourcelines(cls)[1]
    except (OSError, TypeError, SyntaxError):  # the file has changed, and perhaps can't be read
        return Path(getattr(python.getmodule(cls), "__file__", "") or ""), 1


def take_changes(editor: Editor, paths: Iterable[Path]) -> bool:
    """Load changed files again, and keep the World's state; return True. Mistakes are listed."""
    game = editor.game
    assert game is not None
    reload = game.world[Reload]
    before = reload.count
    reload.changed(paths)
    reload.take(game.world)
    if reload.mistake is not None:
        editor.list_mistake(reload.mistake)
        editor.note(f"{editor.tr('The code has mistakes')}: {reload.problems[0]}", "error")
    elif reload.count > before:
        editor.list_problems([], ".py")
        editor.note(editor.tr("The scripts were reloaded"), "ok")
    return True


def reload_scripts(editor: Editor) -> None:
    """Read all code of the game's folder again, and keep the World's state."""
    editor.games.reload_code()


def _opened(editor: Editor) -> bool:
    return editor.game is not None


INSPECTORS: Mapping[type, Callable[..., None]] = {Script: draw_script}
COMMANDS: Mapping[str, Mapping[str, Any]] = {
    "scripts.reload": {
        "title": "Reload Scripts", "icon": "reload",  # the menu has the editor's command, which calls this one
        "run": reload_scripts, "when": _opened, "tooltip": "Read the code of the game again and keep its state",
    },
}  # fmt: skip

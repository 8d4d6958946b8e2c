"""Fields that name a file of the game: dropped from the assets, chosen from a list with previews, or typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import Assets

from ....look import icons
from ....session.target import Target

if TYPE_CHECKING:
    from rish_ecs.declarations import FieldSpec

    from ..state import State

_PREVIEW_SIZE = 24.0


def draw_asset(state: State, target: Target, spec: FieldSpec) -> None:
    """Draw the path of a file, with its preview."""
    path = choose_asset(state, target, spec.name, str(target.value(spec.name)), spec, mixed=target.mixed(spec.name))
    if path is not None:
        target.set(spec.name, path)


def choose_asset(
    state: State, target: Target, name: str, value: str, spec: FieldSpec, *, mixed: bool = False
) -> str | None:  # fmt: skip
    """Draw a path; return the one that is chosen. spec: of the field, whose list of names has the files that fit."""
    ui, tr = target.ui, target.editor.tr
    missing = bool(value) and not mixed and not spec.is_word(value) and not state.exists(value)
    label = "—" if mixed else value.rpartition("/")[2] if value else tr("None")
    tooltip = (
        tr("There is no file {path}", path=value)
        if missing
        else value or tr("Drop a file here, or click to choose one")
    )
    icon = icons.WARNING if missing else icons.IMAGE if value and not mixed else ""
    buttons = 1 if value and not mixed else 0
    shown = bool(value) and not mixed and not missing and not spec.is_word(value)
    picture = target.editor.thumbnails.get(value) if shown else None
    if ui.reference(label, name, icon=icon, picture=picture, dim=not value or mixed, wrong=missing, tooltip=tooltip,
                    buttons=buttons):  # fmt: skip
        state.filter = ""
        ui.open_popup(f"{name}:files")
    dropped = ui.drop_target("asset")
    if isinstance(dropped, str):
        return dropped
    if buttons:
        ui.same_line(2)
        if ui.icon_button(icons.CLOSE, f"{name}:clear", tr("Clear")):
            return ""
    return _list(state, target, name, value, spec.names)


def _list(state: State, target: Target, name: str, value: str, list_name: str) -> str | None:
    """Draw the list of files, if it is open; return the one that was chosen."""
    ui, tr = target.ui, target.editor.tr
    with ui.popup(f"{name}:files") as opened:
        if not opened:
            return None
        typed = ui.line("search", state.filter, hint=f"{icons.SEARCH}  {tr('Search, or write a path')}",
                        focus=ui.appearing,
                        width=ui.px(300))  # fmt: skip
        state.filter = typed if typed is not None else state.filter
        words = state.filter.lower().split()
        files = state.names(list_name) if list_name else state.world[Assets].files()
        matches = [path for path in files if all(word in path.lower() for word in words)]
        chosen: str | None = None
        with ui.area("files", ui.px(300), ui.high(300, 64)):
            if not files:
                ui.text(tr("The game has no such files"), "dim")
            for k in ui.visible_rows(len(matches), ui.px(_PREVIEW_SIZE + 6)):
                if _row(target, matches[k], matches[k] == value):
                    chosen = matches[k]
        if chosen is None and words and ui.pressed("enter"):
            chosen = matches[0] if matches else state.filter.strip()
        if chosen is not None:
            ui.close_popup()
        return chosen


def _row(target: Target, path: str, selected: bool) -> bool:
    """Draw a file of the list; return whether it was chosen."""
    ui = target.ui
    picture = target.editor.thumbnails.get(path)
    return ui.file_row(path, path, picture=picture, selected=selected, side=_PREVIEW_SIZE)

"""Fields that refer to an entity: dropped from the hierarchy, chosen from a list, or picked in the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....look import icons
from ....session.target import Target

if TYPE_CHECKING:
    from collections.abc import Callable

    from rish_ecs.declarations import FieldSpec

    from ..state import State


def draw_entity(state: State, target: Target, spec: FieldSpec) -> None:
    """Draw a reference of a component."""
    choose_entity(state, target, spec.name, int(target.value(spec.name)), lambda handle: target.set(spec.name, handle),
                  mixed=target.mixed(spec.name))  # fmt: skip


def choose_entity(
    state: State, target: Target, name: str, value: int, put: Callable[[int], Any], *, mixed: bool = False
) -> None:  # fmt: skip
    """Draw a reference; `put` is called with the handle that is chosen, 0 for none."""
    ui, editor, tr = target.ui, target.editor, target.editor.tr
    game = target.game
    picking = state.picking is not None and state.picking.field == name and state.picking.cls is target.cls
    lost = bool(value) and not game.world.alive(value)
    label = "—" if mixed else game.name_of(value) if value else tr("None")
    if picking:
        label = tr("Click an entity…")
    elif lost:
        label = tr("Missing")
    icon = icons.WARNING if lost else icons.ENTITY if value and not mixed else ""
    tooltip = tr("Drop an entity here, or click to choose one")
    buttons = 3 if value and not mixed else 1
    if ui.reference(label, name, icon=icon, dim=not value or mixed, wrong=lost, tooltip=tooltip, buttons=buttons):
        state.filter = ""
        ui.open_popup(f"{name}:list")
    dropped = ui.drop_target("entities")
    if dropped:
        put(int(dropped[0]))
    ui.same_line(2)
    if ui.icon_button(icons.PIPETTE, f"{name}:pick", tr("Pick in the scene"), active=picking):
        _pick(state, target, name, put)
    if buttons == 3:
        ui.same_line(0)
        if ui.icon_button(icons.PIVOT, f"{name}:go", tr("Select this entity"), enabled=not lost):
            editor.later(lambda: _select(target, value))
        ui.same_line(0)
        if ui.icon_button(icons.CLOSE, f"{name}:clear", tr("Clear")):
            put(0)
    chosen = _list(state, target, name, value)
    if chosen is not None:
        put(chosen)


def _select(target: Target, handle: int) -> None:
    with target.game.edit("Select"):
        target.game.selection.set([handle])


def _list(state: State, target: Target, name: str, value: int) -> int | None:
    """Draw the list of entities, if it is open; return the one that was chosen."""
    ui, tr = target.ui, target.editor.tr
    with ui.popup(f"{name}:list") as opened:
        if not opened:
            return None
        ui.space(1)
        typed = ui.line(
            "search", state.filter, hint=f"{icons.SEARCH}  {tr('Search')}", focus=ui.appearing, width=ui.px(260)
        )
        state.filter = typed if typed is not None else state.filter
        words = state.filter.lower().split()
        matches = [pair for pair in state.entities() if all(word in pair[1].lower() for word in words)]
        chosen: int | None = None
        with ui.area("entities", ui.px(260), ui.high(240, 64)):
            if ui.selectable(tr("None"), "none", not value):
                chosen = 0
            for k in ui.visible_rows(len(matches)):
                handle, text = matches[k]
                if ui.selectable(f"{icons.ENTITY}  {text}", f"{text}", handle == value):
                    chosen = handle
        if chosen is None and matches and ui.pressed("enter") and words:
            chosen = matches[0][0]
        if chosen is not None:
            ui.close_popup()
        return chosen


def _pick(state: State, target: Target, name: str, put: Callable[[int], Any]) -> None:
    """Begin to pick an entity, or stop it."""
    from ..state import Picking

    if state.picking is not None:
        state.picking = None
        return
    state.picking = Picking(target.cls, name, target.game.selection.handles, put)


def finish_picking(state: State) -> None:
    """Use the entity that the user has selected since picking began; called before the inspector is drawn."""
    picking, game = state.picking, state.editor.game
    if picking is None or game is None:
        return
    now = game.selection.handles
    if state.editor.ui.pressed("escape"):
        state.picking = None
    elif now != picking.selection:
        state.picking = None
        game.selection.set(picking.selection)
        if now:
            picking.set(now[-1])

"""The button and the list that add components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_authoring import add_component
from rish_core import Name, Tags
from rish_ecs import Disabled
from rish_space3d import Transform3D

from ...commands.entities import place, pose_for
from ...look import icons
from .edits import edit_later

if TYPE_CHECKING:
    from rish_ecs.declarations import Kind

    from ...session.editor import Editor
    from ...session.selection import Handles
    from ...ui.ui import UI
    from .state import State

_ELSEWHERE = (Name, Tags, Disabled)
"""Components that the head of the inspector has."""
_WIDTH = 300.0


def draw_adding(ui: UI, editor: Editor, state: State, handles: Handles, present: list[type]) -> None:
    """Draw the button that opens the list, and the list if it is open."""
    ui.space(2)
    if ui.button(editor.tr("Add component"), "add", icon=icons.PLUS, width=-1):
        state.filter = ""
        ui.open_popup("components")
    with ui.popup("components") as opened:
        if opened:
            _list(ui, editor, state, handles, present)


def offered(editor: Editor, present: list[type]) -> dict[str, list[Kind]]:
    """Return the components that can be added, by plugin, both in order of their names."""
    assert editor.game is not None
    found: dict[str, list[Kind]] = {}
    for kind in editor.game.app.registry.components.values():
        if kind.cls not in present and kind.cls not in _ELSEWHERE and (kind.shown or not kind.fields):
            found.setdefault(kind.owner, []).append(kind)
    return {owner: sorted(found[owner], key=lambda kind: kind.name) for owner in sorted(found)}


def sentence_of(kind: Kind) -> str:
    """Return the first sentence of what is known of a component."""
    text = " ".join(kind.doc.replace("`", "").split())
    end = text.find(". ")
    return text[: end + 1] if end >= 0 else text


def _list(ui: UI, editor: Editor, state: State, handles: Handles, present: list[type]) -> None:
    tr = editor.tr
    hint = f"{icons.SEARCH}  {tr('Search components')}"
    typed = ui.line("search", state.filter, hint=hint, focus=ui.appearing, width=ui.px(_WIDTH))
    state.filter = typed if typed is not None else state.filter
    words = state.filter.lower().split()
    chosen: Kind | None = None
    first: Kind | None = None
    with ui.area("list", ui.px(_WIDTH), ui.high(340, 64)):
        for owner, kinds in offered(editor, present).items():
            fits = [kind for kind in kinds if all(word in f"{owner} {kind.name} {kind.doc}".lower() for word in words)]
            fits.sort(key=lambda kind: not kind.name.lower().startswith(state.filter.strip().lower()))
            if not fits:
                continue
            ui.text(tr(owner.capitalize()), "section")
            for kind in fits:
                first = kind if first is None or _is_better(kind, first, state.filter) else first
                if ui.choice_row(kind.name, kind.name, icon=icons.icon_for(kind.name), about=sentence_of(kind)):
                    chosen = kind
        if first is None:
            ui.text(tr("No component is called so"), "dim")
    if chosen is None and words and ui.pressed("enter"):
        chosen = first
    if chosen is not None:
        ui.close_popup()
        add(editor, handles, chosen.cls)


def _is_better(kind: Kind, other: Kind, typed: str) -> bool:
    """Whether the name of a component begins with what was typed, and that of the other one does not."""
    start = typed.strip().lower()
    return kind.name.lower().startswith(start) and not other.name.lower().startswith(start)


def add(editor: Editor, handles: Handles, cls: type) -> None:
    """Add a component to entities after this frame; those without a place get one where the scene view looks."""
    chosen, pose = handles.tolist(), pose_for(editor)
    spot: Any = place(editor, pose is Transform3D)
    own = pose(position=spot, last_position=spot)
    edit_later(editor, f"Add {cls.__name__}", lambda game: add_component(game.app, chosen, cls, own),
               what="Add component")  # fmt: skip

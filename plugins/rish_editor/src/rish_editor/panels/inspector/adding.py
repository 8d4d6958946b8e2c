"""The button and the list that add components."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import Name, Tags
from rish_ecs import Disabled, kind_of

from ...commands.assets import new_asset
from ...commands.entities.creating import add_to
from ...commands.plugins.switching import label_of
from ...look import icons
from ...session.catalog import Offer
from ...session.files.templates import Template, templates_of
from .edits import edit_later

if TYPE_CHECKING:
    from rish_ecs.declarations import Kind

    from ...session.editor import Editor
    from ...session.game.selection import Handles
    from ...ui.ui import UI
    from .state import State

_ELSEWHERE = (Name, Tags, Disabled)
"""Components that the header of the inspector shows."""
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
    kinds_of_owner: dict[str, list[Kind]] = {}
    for kind in editor.game.app.registry.components.values():
        if kind.cls not in present and kind.cls not in _ELSEWHERE and (kind.shown or not kind.fields):
            kinds_of_owner.setdefault(kind.owner, []).append(kind)
    return {owner: sorted(kinds_of_owner[owner], key=lambda kind: kind.name) for owner in sorted(kinds_of_owner)}


def sentence_of(kind: Kind) -> str:
    """Return the first sentence of the docstring of a component."""
    text = " ".join(kind.doc.replace("`", "").split())
    end = text.find(". ")
    return text[: end + 1] if end >= 0 else text


def _list(ui: UI, editor: Editor, state: State, handles: Handles, present: list[type]) -> None:
    tr = editor.tr
    hint = f"{icons.SEARCH}  {tr('Search components')}"
    typed = ui.line("search", state.filter, hint=hint, focus=ui.appearing, width=ui.px(_WIDTH))
    state.filter = typed if typed is not None else state.filter
    words = state.filter.lower().split()
    chosen: Kind | Offer | None = None
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
        assert editor.game is not None
        offers = editor.catalog.matching(editor.game.app, words) if editor.game.editing else []
        if offers:
            ui.text(tr("With Another Plugin"), "section")
        for offer in offers:
            if ui.choice_row(label_of(editor, offer.component, offer), f"offer:{offer.component}", icon=icons.PLUGIN,
                             about=offer.about):  # fmt: skip
                chosen = offer
        if first is None and not offers:
            ui.text(tr("No component is called so"), "dim")
        new = _new_code(ui, editor, state.filter.strip())
    if new is not None:
        ui.close_popup()
        editor.later(lambda: new_asset(editor, new.id, name=state.filter.strip()))
        return
    if chosen is None and words and ui.pressed("enter"):
        chosen = _best(first, offers, state.filter)
    if chosen is None:
        return
    ui.close_popup()
    component = chosen.component if isinstance(chosen, Offer) else chosen.key
    state.reveal, state.search = component.rpartition(".")[2], ""
    add_named(editor, handles, component)


def _new_code(ui: UI, editor: Editor, typed: str) -> Template | None:
    """Draw a row for each kind of new code whose components entities can have; return the chosen one."""
    assert editor.game is not None
    kinds = templates_of(editor.game.app.registry) if editor.game.editing else []
    template = None
    for number, kind in enumerate([each for each in kinds if each.declare and each.add]):
        if not number:
            ui.text(editor.tr("New"), "section")
        title = editor.tr("New {name}", name=editor.tr(kind.title))
        label = f"{title} {kind.spelled(typed)}" if typed else f"{title}…"
        if ui.choice_row(label, f"new:{kind.id}", icon=icons.by_name(kind.icon, icons.FILE),
                         about=editor.tr(kind.about)):  # fmt: skip
            template = kind
    return template


def _best(first: Kind | None, offers: list[Offer], typed: str) -> Kind | Offer | None:
    """Return what Enter adds: a component of the game, unless the typed name is exactly that of a component of another
    plugin."""
    start = typed.strip().lower()
    offer = offers[0] if offers else None
    if first is None or (offer is not None and offer.component.lower() == start and first.name.lower() != start):
        return offer
    return first


def _is_better(kind: Kind, other: Kind, typed: str) -> bool:
    """Return whether the name of a component begins with the typed text, and that of the other one does not."""
    start = typed.strip().lower()
    return kind.name.lower().startswith(start) and not other.name.lower().startswith(start)


def add(editor: Editor, handles: Handles, cls: type) -> None:
    """Add a component to entities after this frame."""
    add_named(editor, handles, kind_of(cls).key)


def add_named(editor: Editor, handles: Handles, component: str) -> None:
    """Add a component to entities after this frame, and switch on its plugin before if it has to be."""
    chosen = handles.tolist()
    edit_later(editor, f"Add {component.rpartition('.')[2]}", lambda game: add_to(editor, chosen, component),
               what="Add component")  # fmt: skip

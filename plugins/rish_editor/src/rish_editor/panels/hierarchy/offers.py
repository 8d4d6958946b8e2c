"""What a search that finds no entity could mean instead: things and components of plugins that are not switched on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...commands import entities
from ...commands.plugins import label_of, offer_of
from ...look import icons

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI

_SHOWN = 4
"""The greatest number of things, and of components, that are offered."""
_LEAST = 2
"""The least number of letters for which things are offered."""


def draw(ui: UI, editor: Editor, text: str) -> None:
    """Draw buttons that switch on a plugin for the last word of a search, and create or add what it names."""
    game = editor.game
    kind, colon, word = text.split()[-1].rpartition(":")
    if game is None or not game.editing or len(word) < _LEAST or kind.lower() not in ("", "has"):
        return
    chosen = game.selection.handles
    things = [thing for thing in entities.THINGS if not colon and word.lower() in thing.title.lower()]
    for thing in [each for each in things if offer_of(editor, each.parts) is not None][:_SHOWN]:
        if ui.button(entities.label(editor, thing), f"thing:{thing.id}", icon=icons.by_name(thing.icon), width=-1):
            editor.later(lambda thing=thing: entities.create(editor, thing))
    for offer in editor.catalog.matching(game.app, [word])[:_SHOWN]:
        label = label_of(editor, offer.component, offer)
        if ui.button(label, f"offer:{offer.component}", icon=icons.PLUGIN, tooltip=offer.about, width=-1):
            editor.later(lambda offer=offer: entities.take_offer(editor, offer, chosen))

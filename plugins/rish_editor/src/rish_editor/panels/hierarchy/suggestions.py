"""Suggestions under a search that finds no entity: presets and components of plugins that are not switched on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...commands.entities import creating
from ...commands.plugins.switching import label_of, offer_of
from ...look import icons

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI

_MAX_SHOWN = 4
"""The greatest number of presets, and of components, that are offered."""
_MIN_LETTERS = 2
"""The least number of letters for which presets are offered."""


def draw(ui: UI, editor: Editor, text: str) -> None:
    """Draw buttons that switch on a plugin for the last word of a search, and create or add the preset or component
    that it names."""
    game = editor.game
    kind, colon, word = text.split()[-1].rpartition(":")
    if game is None or not game.editing or len(word) < _MIN_LETTERS or kind.lower() not in ("", "has"):
        return
    chosen = game.selection.handles
    presets = [preset for preset in creating.PRESETS if not colon and word.lower() in preset.title.lower()]
    for preset in [each for each in presets if offer_of(editor, each.parts) is not None][:_MAX_SHOWN]:
        if ui.button(creating.label(editor, preset), f"thing:{preset.id}", icon=icons.by_name(preset.icon), width=-1):
            editor.later(lambda preset=preset: creating.create(editor, preset))
    for offer in editor.catalog.matching(game.app, [word])[:_MAX_SHOWN]:
        label = label_of(editor, offer.component, offer)
        if ui.button(label, f"offer:{offer.component}", icon=icons.PLUGIN, tooltip=offer.about, width=-1):
            editor.later(lambda offer=offer: creating.take_offer(editor, offer, chosen))

"""The table of all voices, the loudest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...clips.library import ClipLibrary
from ...components.tables import Voices
from .drawing import decibels, height_of, shown_level

if TYPE_CHECKING:
    from rish_editor import UI, Editor


def draw_voices(ui: UI, editor: Editor) -> None:
    """Draw a row for each voice: sound, slot, level, priority, position and bus. Only those in view cost time."""
    tr, game = editor.tr, editor.game
    assert game is not None
    world = game.world
    voices = world[Voices]
    if not len(voices):
        ui.text(tr("No voice plays"), "dim")
        ui.mark("none")
        return
    order = np.lexsort((voices.serial, -voices.level))
    texts = world.texts.texts
    with ui.table("voices", 6, lines=True, scrolls=True) as shown:
        if not shown:
            return
        ui.columns(0.4, 46, 84, 46, 54, 0.25)
        ui.header(tr("Sound"), tr("Slot"), tr("Level"), tr("Priority"), tr("Time"), tr("Bus"))
        for k in ui.visible_rows(len(order)):
            row = int(order[k])
            with ui.inside(int(voices.serial[row])):
                _row(ui, editor, world, voices, row, texts)


def _row(ui: UI, editor: Editor, world: Any, voices: Any, row: int, texts: Any) -> None:
    game = editor.game
    assert game is not None
    slot, level, source = int(voices.slot[row]), float(voices.level[row]), int(voices.source[row])
    virtual = slot < 0
    ui.row()
    ui.cell()
    name = texts[voices.column("sound")[row]]
    chosen = source in game.selection
    where = game.name_of(source) if source else editor.tr("no source")
    if ui.selectable(name, "row", chosen, span=True, tooltip=where) and source:
        game.selection.set([source])
    ui.cell()
    ui.text(editor.tr("virtual") if virtual else str(slot), "disabled" if virtual else "dim")
    ui.cell()
    canvas = ui.canvas("level", 15, background="")
    width = canvas.size[0]
    canvas.rect(0, 5, width, 6, "stripe", rounding=3)
    canvas.rect(0, 5, width * height_of(decibels(level)), 6, "text_disabled" if virtual else "sound", rounding=3)
    canvas.text((width - 2, 0), shown_level(level), "text_dim", right=True)
    ui.cell()
    ui.text(str(int(voices.priority[row])), "dim")
    ui.cell()
    ui.text(f"{_seconds(world, voices, row):.1f} s" if not voices.paused[row] else editor.tr("paused"), "dim")
    ui.cell()
    ui.text(texts[voices.column("bus")[row]], "dim")


def _seconds(world: Any, voices: Any, row: int) -> float:
    """Return how far a voice is, in seconds of its clip."""
    clip = world.texts.texts[voices.column("clip")[row]]
    return float(voices.frame[row]) / max(world[ClipLibrary].info(world, clip).rate, 1)

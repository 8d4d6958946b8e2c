"""The table of all voices, the loudest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...clips.clip_library import ClipLibrary
from ...components.tables import Voices
from .drawing import decibels, height_of, shown_level

if TYPE_CHECKING:
    from rish_editor import UI, Editor


def draw_voices(ui: UI, editor: Editor) -> None:
    """Draw a row for each voice: sound, slot, level, priority, position and bus. Only visible rows take time."""
    tr, game = editor.tr, editor.game
    assert game is not None
    world = game.world
    voices = world[Voices]
    if not len(voices):
        ui.text(tr("No voice plays"), "dim")
        ui.mark("none")
        return
    order = np.lexsort((voices.serial, -voices.level))
    columns = [("sound", tr("Sound"), 0.6), ("slot", tr("Slot"), 44), ("level", "dB", 88),
               ("priority", tr("Pri."), 30), ("place", tr("Place"), 70), ("time", tr("Time"), 46),
               ("bus", tr("Bus"), 0.4)]  # fmt: skip
    if ui.room[0] < ui.px(_WIDE):
        columns = [column for column in columns if column[0] not in ("priority", "place", "time")]
    with ui.table(f"voices{len(columns)}", len(columns), lines=True, scrolls=True) as is_open:
        if not is_open:
            return
        ui.columns(*[width for _, _, width in columns])
        ui.header(*[title for _, title, _ in columns])
        for k in ui.visible_rows(len(order)):
            row = int(order[k])
            with ui.inside(int(voices.serial[row])):
                ui.row()
                for name, _, _ in columns:
                    ui.cell()
                    _CELLS[name](ui, editor, world, voices, row)


def _sound(ui: UI, editor: Editor, world: Any, voices: Any, row: int) -> None:
    game, source = editor.game, int(voices.source[row])
    assert game is not None
    name = world.texts.texts[voices.column("sound")[row]]
    where = game.name_of(source) if source else editor.tr("no entity plays it")
    if ui.selectable(name, "row", source in game.selection, span=True, tooltip=where) and source:
        game.selection.set([source])


def _slot(ui: UI, editor: Editor, world: Any, voices: Any, row: int) -> None:
    slot = int(voices.slot[row])
    ui.text(editor.tr("virtual") if slot < 0 else str(slot), "disabled" if slot < 0 else "dim")


def _level(ui: UI, editor: Editor, world: Any, voices: Any, row: int) -> None:
    level, virtual = float(voices.level[row]), voices.slot[row] < 0
    canvas = ui.canvas("level", 15, background="")
    width = canvas.size[0] - ui.px(36)
    canvas.rect(0, 5, width, 6, "stripe", rounding=3)
    long = width * height_of(decibels(level))
    if long > 1:
        canvas.rect(0, 5, long, 6, "text_disabled" if virtual else "sound", rounding=3)
    with ui.fonts.style("small"):
        canvas.text((canvas.size[0], 0), shown_level(level), "text_dim", right=True)


def _priority(ui: UI, editor: Editor, world: Any, voices: Any, row: int) -> None:
    ui.text(str(int(voices.priority[row])), "dim")


def _place(ui: UI, editor: Editor, world: Any, voices: Any, row: int) -> None:
    x, y, _ = voices.position[row].tolist()
    ui.text(f"{x:.0f}, {y:.0f}" if voices.spatial[row] else "–", "dim")


def _time(ui: UI, editor: Editor, world: Any, voices: Any, row: int) -> None:
    if voices.paused[row]:
        ui.text(editor.tr("paused"), "dim")
        return
    clip = world.texts.texts[voices.column("clip")[row]]
    rate = world[ClipLibrary].info(world, clip).rate
    ui.text(f"{voices.frame[row] / max(rate, 1):.1f} s", "dim")


def _bus(ui: UI, editor: Editor, world: Any, voices: Any, row: int) -> None:
    ui.text(world.texts.texts[voices.column("bus")[row]], "dim")


_CELLS = {"sound": _sound, "slot": _slot, "level": _level, "priority": _priority, "place": _place, "time": _time,
          "bus": _bus}  # fmt: skip
_WIDE = 380.0
"""The width, in units, from which all columns are shown."""

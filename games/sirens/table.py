"""The table of voices: a row for each slot of the mixer, and the virtual voices below it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from rish_audio import AudioSettings, AudioState, Voices
from rish_core import Stage, World, every, system
from rish_jit import maths
from rish_render import Text

from .components import Row
from .pen import CYAN, DIM, GOLD, GRAY, GREEN, Color, Pen

SLOTS = 64
_ROWS, _TOP, _STEP = 32, 610.0, 14.4
_COLUMNS = (920.0, 1106.0)
_BAR, _BAR_WIDTH = 86.0, 60.0
"""Where the bar of a row begins, and its width."""
_SMALLEST = -60.0
"""Decibels at which a bar is empty."""
_SQUARES = 52
"""Virtual voices in a line of squares."""


def row_place(number: int) -> tuple[float, float]:
    """Return where the row of a slot begins."""
    return _COLUMNS[number // _ROWS], _TOP - _STEP * (number % _ROWS)


def read_table(world: World) -> dict[str, Any]:
    """Return what the labels above and below the table show."""
    voices = world[Voices]
    unheard = voices.column("sound")[voices.slot < 0].tolist()
    counted = Counter(world.text(number) for number in unheard).most_common()
    kinds = [f"{name} {count}" for name, count in sorted(counted, key=lambda item: (-item[1], item[0]))[:6]]
    return {
        "mixed": int((voices.slot >= 0).sum()),
        "most": world[AudioSettings].voices,
        "unheard": len(unheard),
        "stolen": int(world[AudioState].stolen),
        "kinds": "   ".join(kinds),
    }


@system(Stage.PRE, reads=(Row, Voices), writes=Text, run_if=every(6), after="game.take_readings")
def write_rows(world: World, dt: float) -> None:
    """Write the names of the sounds in the slots; a name that is already right is not written."""
    voices = world[Voices]
    taken = np.flatnonzero(voices.slot >= 0)
    names = dict(zip(voices.slot[taken].tolist(), voices.column("sound")[taken].tolist(), strict=True))
    rows = world.query(Row, Text)
    for entity, slot, shown in zip(rows.entities.tolist(), rows[Row.number].tolist(), rows[Text.text], strict=True):
        number = names.get(slot)
        text = "" if number is None else world.text(number)[:13]
        if shown != text:
            world.set(entity, Text(text=text))


def ink_of(level: float) -> Color:
    """Return the color of a level in dB."""
    return GOLD if level > -6 else GREEN if level > -24 else CYAN


@system(Stage.EXTRACT, before="render.extract", reads=(Voices, AudioSettings))
def draw_table(world: World, dt: float) -> None:
    """Draw levels and priorities of the voices, and a square for each virtual one."""
    pen, voices = Pen(world, "hud", 2), world[Voices]
    for number in range(SLOTS):
        x, y = row_place(number)
        pen.box(x + _BAR, y - 4, _BAR_WIDTH, 8, DIM, 2)
    taken = np.flatnonzero((voices.slot >= 0) & (voices.slot < SLOTS))
    levels = 20 / maths.log(10.0) * np.asarray(maths.log(np.maximum(voices.level.astype(np.float64), 1e-6)))
    for row in taken.tolist():
        x, y = row_place(int(voices.slot[row]))
        level = float(levels[row])
        pen.box(x + _BAR, y - 4, _BAR_WIDTH * min(max(1 - level / _SMALLEST, 0.03), 1), 8, ink_of(level), 2)
        for k in range(min(int(voices.priority[row]), 4)):
            pen.box(x + _BAR + _BAR_WIDTH + 3 + 4 * k, y - 3, 3, 6, GOLD, 1)
    for k in range(min(int((voices.slot < 0).sum()), 7 * _SQUARES)):
        pen.box(900 + 6.85 * (k % _SQUARES), 74 - 7 * (k // _SQUARES), 4.5, 4.5, GRAY, 1)
    pen.done()

"""Ends voices, and emits their events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ..components.commands import SoundEnded
from ..components.tables import AudioState, Voices
from .states import STOPPED, write_states

if TYPE_CHECKING:
    from rish_core import World


def end_voices(world: World, rows: Array, *, stolen: bool = False, stopped: bool = False) -> None:
    """Remove voices immediately, and emit their events. The mixer fades them out."""
    voices = world[Voices]
    if not len(rows):
        return
    report_end(world, rows, stolen=stolen, stopped=stopped)
    world[AudioState].stolen += len(rows) * stolen
    remaining = np.ones(len(voices), np.bool_)
    remaining[rows] = False
    voices.keep_rows(remaining)


def report_end(world: World, rows: Array, *, stolen: bool = False, stopped: bool = False) -> None:
    """Emit `SoundEnded` for voices, and stop their sources."""
    voices = world[Voices]
    texts = {name: voices.column(name)[rows] for name in ("source", "sound", "tag")}
    world.emit(SoundEnded, **texts, stolen=stolen, stopped=stopped)
    write_states(world, rows, STOPPED)

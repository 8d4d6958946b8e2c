"""Selects the voices that are mixed. The others are virtual: they advance without being mixed, and may be selected
again later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ..components.settings import AudioSettings
from ..components.tables import AudioState, Voices

if TYPE_CHECKING:
    from rish_core import World

MIN_LEVEL = 1e-4
"""The level, -80 dB, above which a voice is mixed."""
_KEEP_FACTOR = 1.2
"""The factor by which the level of a voice that is already mixed is increased in the comparison, so that two equal
voices do not alternate.
"""


def give_slots(world: World) -> None:
    """Assign the slots of the mixer to the most important voices: by priority, then by level, then the newest."""
    voices, max_voices = world[Voices], world[AudioSettings].voices
    slot = voices.slot
    slot[slot >= max_voices] = -1
    audible = (voices.level > MIN_LEVEL) & ~voices.paused
    selected = np.flatnonzero(audible)
    if len(selected) > max_voices:
        level = voices.level[selected] * np.where(slot[selected] >= 0, np.float32(_KEEP_FACTOR), np.float32(1))
        order = np.lexsort((-voices.serial[selected], -level, -voices.priority[selected]))
        selected = selected[order[:max_voices]]
        lost = audible & (slot >= 0)
        lost[selected] = False
        world[AudioState].stolen += int(lost.sum())
    keeps: Array = np.zeros(len(voices), np.bool_)
    keeps[selected] = True
    slot[~keeps] = -1
    entering = np.flatnonzero(keeps & (slot < 0))
    if len(entering):
        free = np.ones(max_voices, np.bool_)
        free[slot[slot >= 0]] = False
        slot[entering] = np.flatnonzero(free)[: len(entering)]

"""The pool of voices: which voices are mixed. The others are virtual: they go on unheard, and come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..components.settings import AudioSettings
from ..components.tables import AudioState, Voices

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
AUDIBLE = 1e-4
"""The level, -80 dB, from which a voice is worth mixing."""
_KEEP = 1.2
"""A voice that is mixed counts as so much louder, so that two equal ones don't take turns."""


def give_slots(world: World) -> None:
    """Give the slots of the mixer to the most important voices: by priority, then by level, then the newest."""
    voices, most = world[Voices], world[AudioSettings].voices
    slot = voices.slot
    slot[slot >= most] = -1
    heard = (voices.level > AUDIBLE) & ~voices.paused
    chosen = np.flatnonzero(heard)
    if len(chosen) > most:
        level = voices.level[chosen] * np.where(slot[chosen] >= 0, np.float32(_KEEP), np.float32(1))
        order = np.lexsort((-voices.serial[chosen], -level, -voices.priority[chosen]))
        chosen = chosen[order[:most]]
        lost = heard & (slot >= 0)
        lost[chosen] = False
        world[AudioState].stolen += int(lost.sum())
    keeps: Array = np.zeros(len(voices), np.bool_)
    keeps[chosen] = True
    slot[~keeps] = -1
    new = np.flatnonzero(keeps & (slot < 0))
    if len(new):
        free = np.ones(most, np.bool_)
        free[slot[slot >= 0]] = False
        slot[new] = np.flatnonzero(free)[: len(new)]

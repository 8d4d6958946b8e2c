"""Decides in order which of the sounds of a tick get a voice, and which voices end to make room for them."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from ..components.tables import AudioState, Voices

if TYPE_CHECKING:
    from rish_core import World

    from ..sounds.sound import Sound

MAX_VOICES = 1024
"""The greatest number of voices of a World, including virtual ones. If it is reached, a new voice ends the least
important one.
"""


class Admission:
    """Admits sounds one after another, without changing the table of voices; so the voices begin and end together.

    Rows are numbered as if new voices were appended and none were removed. ended: the rows of the voices that must
    end, old and new ones, in order.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._voices = world[Voices]
        self._next = self._count = len(self._voices)
        self._limited: dict[int, dict[int, None]] = {}  # the rows of each sound that has a limit, oldest first
        self._old: list[tuple[int, float, int]] | None = None  # priority, level and row, the least important one last
        self._new: list[tuple[int, int]] = []  # a heap of priority and row; the level of a new voice is 0
        self.ended: dict[int, None] = {}

    def admit(self, number: int, name: str, sound: Sound, priority: int) -> bool:
        """Return whether a sound gets a voice. number, name: of its text. priority: 0 for that of the sound."""
        played, tick, priority = self._world[AudioState].played, self._world.tick, priority or sound.priority
        if sound.cooldown > 0 and 0 <= (tick - played.get(name, tick + 1)) * self._world.dt < sound.cooldown:
            return False
        if sound.most:
            same = self._rows_of(number)
            while len(same) >= sound.most:
                self._end(next(iter(same)))
        if self._count >= MAX_VOICES and not self._make_room(priority):
            return False
        if sound.cooldown > 0:
            played[name] = tick
        if sound.most:
            self._limited[number][self._next] = None
        heappush(self._new, (priority, self._next))
        self._next += 1
        self._count += 1
        return True

    def _rows_of(self, number: int) -> dict[int, None]:
        """Return the rows of the voices of a sound, oldest first."""
        rows = self._limited.get(number)
        if rows is None:
            old = np.flatnonzero(self._voices.column("sound") == number).tolist()
            rows = self._limited[number] = {row: None for row in old if row not in self.ended}
        return rows

    def _make_room(self, priority: int) -> bool:
        """End the least important voice, the oldest among equals; return False if all are more important."""
        if self._old is None:
            voices = self._voices
            order = np.lexsort((voices.serial, voices.level, voices.priority))[::-1]
            columns = voices.priority[order].tolist(), voices.level[order].tolist(), order.tolist()
            self._old = [*zip(*columns, strict=True)]
        old, new = self._old, self._new
        while old and old[-1][2] in self.ended:
            old.pop()
        while new and new[0][1] in self.ended:
            heappop(new)
        is_old = bool(old) and (not new or old[-1][:2] <= (new[0][0], 0.0))
        least, row = (old[-1][0], old[-1][2]) if is_old else new[0]
        if least > priority:
            return False
        self._end(row)
        return True

    def _end(self, row: int) -> None:
        self.ended[row] = None
        self._count -= 1
        for rows in self._limited.values():
            rows.pop(row, None)

"""Which bodies are awake in a step, and which wake in it.

A body takes part in contacts if it is awake, or if something about it differs from the last step: it was moved, has
another shape, or has just come to rest, so that its contacts are those of the pose before. Contacts of all others stay
as they are. What wakes a body: a difference, a velocity or force that was written, another joint or setting, an awake
body that touches it or is joined to it, a contact that is gone, and one that is new and pushes.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ..components.bodies import DYNAMIC, KINEMATIC, Body3D
from ..components.manifold import FIRST, POINT, SEPARATION
from ..components.settings import Physics3DSettings
from ..components.tables import Bodies3D
from .columns import MOVED, PUSHED
from .layout import Layout
from .motion import Motion
from .sleeping import resting_islands

if TYPE_CHECKING:
    from rish_core import World

_DEPTH = 0.005
"""An overlap of a new contact, m, beyond which it wakes: bodies that are placed asleep on each other stay asleep."""


class Islands:
    """The bodies of one step, by their numbers in `Layout`, bool arrays.

    dynamic, asleep: of the body. stirs: whether it keeps others awake although it is not dynamic. moves: whether it is
    kinematic and has a velocity. active: whether its
    contacts are computed. woke: whether it woke in this step.
    """

    def __init__(self, world: World, layout: Layout) -> None:
        self._table: Any = world[Bodies3D]
        self._bodies: Any = world.table(Body3D)
        self._rows = layout.rows
        self._has_row: Array = layout.rows >= 0
        self._layout = layout
        settings = world[Physics3DSettings]
        self._limit = float(settings.sleep_time) if settings.sleeping else float("inf")
        self._sleeping = bool(settings.sleeping)
        self.dynamic: Array = (layout.types == DYNAMIC) & self._has_row
        self.asleep: Array = self.dynamic & (self._table.island != 0)
        self._slept_before = self.asleep
        none = np.zeros(len(layout.entities), np.bool_)
        self.stirs, self.moves, self.active, self.woke = none, none, none, none.copy()

    def _column(self, name: str) -> Array:
        """Return a column of Body3D by body; zeros for bodies without a row."""
        column = self._bodies.column(name)
        return column[self._rows] * self._has_row if len(column) else np.zeros(len(self._rows), column.dtype)

    @functools.cached_property
    def _may_sleep(self) -> Array:
        return self._column("allow_sleep") & self._sleeping

    @property
    def awake(self) -> Array:
        """Whether a body is dynamic and awake."""
        return self.dynamic & ~self.asleep

    def notice(self, motion: Motion, new: Array, changed: Array, disturbed: Array) -> None:
        """Find what differs from the last step, and wake what it concerns.

        Bool: new. changed: bodies with other shapes. disturbed: those whose joints or settings changed.
        """
        table, asked = self._table, self._column("asleep") & self.dynamic
        pushed = (motion.notes & PUSHED) != 0
        moved = ~new & (changed | ((motion.notes & MOVED) != 0))
        moved |= (table.fresh != 0) & ~self.dynamic  # a kinematic body that moved in the last step
        if self._slept_before.any():
            self.wake(self.asleep & (moved | pushed | disturbed | ~asked | ~self._may_sleep))
        falls = np.zeros(len(moved), np.bool_)
        asked &= ~self.asleep & ~self.woke
        if asked.any():
            falls = asked & self._may_sleep & ~pushed
            self._sleep(falls, self._layout.entities)
            refused = self._rows[asked & ~falls]
            self._bodies.asleep[refused] = False
            self._bodies.mark(refused)
        self.moves = self._has_row & (self._layout.types == KINEMATIC) & pushed
        self.stirs = self.moves | (moved & ~self.dynamic)
        self.active = self.awake | self.stirs | moved | new | (table.fresh != 0)
        table.fresh[:] = falls
        noted = falls | ((moved | new) & ~self.dynamic)
        if noted.any():
            table.seen[noted] = motion.situation(noted)

    def wake(self, chosen: Array) -> bool:
        """Wake bodies (bool) and their islands; return whether any woke. Those that are awake begin to rest again."""
        table = self._table
        table.rest[chosen] = 0
        chosen = chosen & self.asleep
        if not chosen.any():
            return False
        woken = self.asleep & np.isin(table.island, table.island[chosen])
        table.island[woken], table.rest[woken], table.fresh[woken] = 0, 0, 0
        self.asleep = self.asleep & ~woken
        self.active = self.active | woken
        self.woke |= woken
        rows = self._rows[woken]
        self._bodies.asleep[rows] = False
        self._bodies.mark(rows)
        return True

    def touched(self, contacts: Any, pair: Array, rows: Array, solid: Array, joined: Array) -> Array:
        """Return the sleeping bodies (bool) that contacts of this step wake, or joints.

        contacts: the table `Contacts3D`. pair: (k, 2), the bodies of all contacts. rows: of the contacts that were
        computed. solid: bool, whether a contact pushes. joined: (j, 2), the bodies of joints.
        """
        wakes = np.zeros(len(self.asleep), np.bool_)
        if not self.asleep.any():
            return wakes
        stirring = self.awake | self.stirs
        rows = rows[solid[rows]]
        points, before = contacts.info[rows, 0], contacts.info[rows, 1] != 0
        ends = pair[rows]
        lost = before & (points == 0)
        begun = np.flatnonzero(~before & (points > 0))
        manifold = contacts.manifold[rows[begun]]
        gaps = manifold[:, [FIRST + POINT * k + SEPARATION for k in range(4)]]
        gaps = np.where(np.arange(4) < points[begun, None], gaps, np.inf).min(axis=1, initial=np.inf)
        lost[begun] |= gaps < -_DEPTH
        wakes[ends[lost]] = True
        for ours, others in ((ends[points > 0], ends[points > 0, ::-1]), (joined, joined[:, ::-1])):
            wakes[ours[stirring[others]]] = True
        return wakes & self.asleep

    def rested(self) -> Array:
        """Return the bodies (bool) that have rested for long enough to sleep."""
        return self.awake & (self._table.rest >= self._limit)

    def put_to_sleep(self, pairs: Array) -> Array:
        """Put islands to sleep that have rested for long enough; return their bodies, bool.

        pairs: int32 (k, 2), bodies that touch or are joined.
        """
        table, awake = self._table, self.awake
        parent, least = np.zeros(len(awake), np.int32), np.zeros(len(awake), np.float32)
        flat = np.ascontiguousarray(pairs, np.int32).ravel()
        if not resting_islands(flat, awake, self.stirs, table.rest, np.float32(self._limit), parent, least):
            return np.zeros(len(awake), np.bool_)
        falls = parent >= 0
        self._sleep(falls, self._layout.entities[parent])
        return falls

    def _sleep(self, falls: Array, islands: Array) -> None:
        """Note that bodies (bool) sleep. islands: int64, of all bodies."""
        self._table.island[falls] = islands[falls]
        self.asleep = self.asleep | falls
        rows = self._rows[falls]
        self._bodies.asleep[rows] = True
        self._bodies.mark(rows)

"""What a reload removed: the rows of a component class, or entities of the manifest, kept until they come back.

An author comments a class out, looks, and comments it in again; its entities should then be what they were. The same
holds for an entry of the manifest, for one reload. None of this is state of the game: it is emptied after a restore
or a seek, since handles may then mean other entities.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Interventions
from rish_ecs.snapshots import TableState, capture_rows, put_captured

if TYPE_CHECKING:
    from rish_core import Registry, World

    from .undo import Undo

_log = logging.getLogger("rish.reload")


class RemovedState:
    """Rows by the full name of their class, and what the last edit of the manifest removed.

    undo: what that was, None for nothing.
    """

    def __init__(self) -> None:
        self._kept: dict[str, TableState] = {}
        self.undo: Undo | None = None
        self._known = 0

    def note(self, world: World) -> None:
        """What changed the past so far is known: it was a reload."""
        self._known = world[Interventions].count

    def _check(self, world: World) -> None:
        if world[Interventions].count != self._known:
            self._kept.clear()
            self.undo = None
            self.note(world)

    def put_away(self, world: World, registry: Registry) -> None:
        """Keep the rows of classes that the new declarations lack."""
        self._check(world)
        for table in world.tables.values():
            key = table.schema.key
            if key not in registry.components and len(table):
                state = capture_rows(table, True)
                state.handles = table.entities.copy()
                self._kept[key] = state
                _log.warning("%s is gone from the code, and %d entities lost it", key, len(table))

    def give_back(self, world: World, registry: Registry) -> None:
        """Give entities what they had of classes that are there again."""
        for key in [key for key in self._kept if key in registry.components]:
            state = self._kept.pop(key)
            handles = state.handles
            if handles is None:
                continue
            table = world.table(registry.components[key].cls)
            rows = np.flatnonzero(world.alive(handles) & (table.rows_of(handles) < 0))
            if len(rows):
                world.add(handles[rows], table.schema.cls)
                put_captured(table, table.rows_of(handles[rows]), state, rows)

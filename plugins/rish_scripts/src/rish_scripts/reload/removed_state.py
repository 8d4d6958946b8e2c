"""State that a reload removed: rows of component classes and entities of the manifest, kept until they are added again.

An author may comment a class out and in again; its entities should then have their former values. The same applies to
an entry of the manifest, for one reload. None of this is state of the game: it is emptied after a restore or a seek,
since handles may then refer to other entities.
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
    """The removed rows by the full name of their class, and the entities removed by the last edit of the manifest.

    undo: the latter, or None.
    """

    def __init__(self) -> None:
        self._rows: dict[str, TableState] = {}
        self.undo: Undo | None = None
        self._interventions = 0

    def note(self, world: World) -> None:
        """Accept all interventions so far; they were reloads."""
        self._interventions = world[Interventions].count

    def _check(self, world: World) -> None:
        """Forget everything if the state was changed by something other than a reload."""
        if world[Interventions].count != self._interventions:
            self._rows.clear()
            self.undo = None
            self.note(world)

    def put_away(self, world: World, registry: Registry) -> None:
        """Store copies of the rows of classes that the new declarations lack."""
        self._check(world)
        for table in world.tables.values():
            key = table.schema.key
            if key not in registry.components and len(table):
                self._rows[key] = capture_rows(table, True)
                _log.warning("%s was removed from the code; %d entities lost this component", key, len(table))

    def give_back(self, world: World, registry: Registry) -> None:
        """Add the kept rows of classes that are declared again to their entities."""
        for key in [key for key in self._rows if key in registry.components]:
            state = self._rows.pop(key)
            handles = state.handles
            if handles is None:
                continue
            table = world.table(registry.components[key].cls)
            rows = np.flatnonzero(world.alive(handles) & (table.rows_of(handles) < 0))
            if len(rows):
                world.add(handles[rows], table.schema.cls)
                put_captured(table, table.rows_of(handles[rows]), state, rows)

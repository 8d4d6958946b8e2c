"""Links: which rows of components and which slots of the solver belong together.

A link is found anew where entities came or went, and after a restore; between these it costs nothing. Nothing here is
state: `Bodies.entity` and `Shapes.entity` say it all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import Disabled, Transform, World, resource
from rish_core.ecs.entities import INDEX_MASK

from .components import Body, Collider
from .tables import HUNG, TELL_HITS, TELL_STAY, Bodies, Shapes

Array = npt.NDArray[Any]
_NOBODY: Array = np.zeros(0, np.int32)


@resource(derived=True)
class Links:
    """Rows by slot, slots by entity, and how far the tables of components were read.

    slots: int32, the body slots in use, ascending. body_row, place_row: int32 by body slot, rows of Body (-1: none, an
    implicit body) and Transform. body_of, shape_of: int32 by index of an entity, its body's slot and the first slot of
    its collider's shapes, 0 and -1 for none. colliders, holders: the handles of all colliders that take part, and the
    slots of their bodies. children: which of them belong to another entity's body. refused: the fingerprints of those
    that can be no shape, by handle. ended: int64 (n, 6) each: contacts that ended before the step, the entities of both
    colliders and both bodies, the flags of their shapes, whether the first is the sensor. asks: whether some collider
    wants to be told of contacts that last, or of hits. hangs: whether some body may have a parent. forced, driven:
    bodies on which a force acts in this step, and kinematic ones (with the poses that they are to reach). linked: how
    often links were found. joint_stamps: for which links and tables the joints were read.
    statics, published: how often what stands still has changed, and for which of these it was published. edges_version:
    of the other sources, which were read.
    breakable: whether some joint breaks when it bears too much.
    """

    def __post_init__(self) -> None:
        """Nothing is known yet."""
        self.forget()

    def rebuild(self, world: World) -> None:
        """After a restore everything is read anew."""
        self.forget()

    def forget(self) -> None:
        """Know nothing."""
        self.members: tuple[int, ...] = ()
        self.stamps: tuple[Any, ...] = ()
        self.slots = self.body_row = self.place_row = self.body_of = self.shape_of = _NOBODY
        self.colliders: Array = np.zeros(0, np.int64)
        self.holders = self.children = _NOBODY
        self.refused: dict[int, int] = {}
        self.ended: list[Array] = []
        self.enabled: Any = None
        self.writes: list[tuple[int, int]] = []
        self.hangs = self.asks = False
        self.linked = self.statics = 0
        self.published = self.edges_version = -1
        self.joint_stamps: tuple[Any, ...] = ()
        self.breakable = False
        self.forced: Array | None = None
        self.driven: tuple[Array, Array] | None = None

    def note_writes(self, *tables: Any) -> list[bool]:
        """Remember how far tables were read; for each, whether nothing has been written since but rows came and went.

        A row that comes or goes raises both numbers of a table by one; whatever is written raises only its version.
        """
        now = [(table.version - table.membership, table.marked) for table in tables]
        quiet = [one == other for one, other in zip(now, self.writes, strict=False)]
        self.writes = now
        return quiet or [False] * len(tables)

    def note_enabled(self, *tables: Any) -> None:
        """Remember which bodies and colliders are enabled, as their fields say."""
        self.enabled = [(table.stamp, table.enabled.copy()) for table in tables]

    def link(self, world: World) -> None:
        """Find the slots of entities, and their rows."""
        bodies, shapes, room = world[Bodies], world[Shapes], world.entities.used
        self.slots = np.flatnonzero(bodies.entity).astype(np.int32)
        owners = bodies.entity[self.slots]
        self.body_of = np.zeros(room, np.int32)
        self.body_of[owners & INDEX_MASK] = self.slots
        self.body_row = self._rows(world, Body, owners)
        self.place_row = self._rows(world, Transform, owners)
        self.shape_of = np.full(room, -1, np.int32)
        made = np.flatnonzero((shapes.entity != 0) & (shapes.body != 0))[::-1]
        self.shape_of[shapes.entity[made] & INDEX_MASK] = made
        self.linked += 1
        self.statics += 1
        self.asks = bool((shapes.flags & (TELL_HITS | TELL_STAY)).any())
        self.hangs = bool((bodies.flags & HUNG).any())
        self.members = members(world)

    def _rows(self, world: World, cls: type, owners: Array) -> Array:
        rows = np.full(len(world[Bodies]), -1, np.int32)
        rows[self.slots] = world.table(cls).rows_of(owners)
        return rows

    def body_slots(self, handles: Array) -> Array:
        """int32: the body slot of each entity, 0 where it has none, and for the handle 0."""
        if not len(self.body_of):
            return np.zeros(len(handles), np.int32)
        index = handles & INDEX_MASK
        known = (index < len(self.body_of)) & (handles != 0)
        return np.where(known, self.body_of.take(index, mode="clip"), 0)


def members(world: World) -> tuple[int, ...]:
    """What changes whenever an entity joins or leaves the physics."""
    tables = world.tables
    return (
        tables[Body].membership, tables[Collider].membership, tables[Transform].membership, tables[Disabled].membership
    )  # fmt: skip

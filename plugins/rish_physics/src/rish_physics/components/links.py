"""Links: which rows of components and which slots of the solver belong together.

A link is found again where entities came or went, and after a restore; between these it costs nothing. Nothing here is
state: `Bodies.entity` and `Shapes.entity` say it all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import Disabled, Transform, World, resource
from rish_ecs.storage import INDEX_MASK

from .bodies import Body, Collider
from .tables import HIT_EVENTS, HUNG, STAY_EVENTS, Bodies, Shapes

Array = npt.NDArray[Any]
_NOBODY: Array = np.zeros(0, np.int32)


@resource(derived=True)
class Links:
    """Rows by slot, slots by entity, and how far the tables of components were read.

    slots: int32, the body slots in use, ascending. body_row, place_row: int32 by body slot, rows of Body (-1: none, an
    implicit body) and Transform. body_of, shape_of: int32 by index of an entity, its body's slot and the first slot of
    its collider's shapes, 0 and -1 for none. holders: int32 by row of Collider, the slot of its body, 0 where it takes
    no part. children: the rows of those that belong to another entity's body. refused: the fingerprints of those that
    can be no shape, by handle. shape_cache: by the bytes of the columns. shape_cache_of: the settings that it was made
    with. known_members: of each table of components its membership, its entities, and which
    of them were enabled or had a parent.

    asks: whether some collider has events of contacts that last, or of hits. hangs: whether some body may have a
    parent. forced, driven: bodies on which a force acts in this step, and kinematic ones (with the poses that they are
    to reach). moved: the slots that were written last, and their rows of Transform and Body.

    versions, writes: of the tables of Transform, Body, Collider and Disabled when their values were read, `version` and
    `writes`. members: their memberships when their rows were. membership: of the World when it was last looked whether
    there are any joints and areas. linked: how often links were found. joint_versions: for which links and tables the
    joints were read. breakable: whether some joint breaks when it bears too much. statics, published: how often what
    stands still has changed, and for which of these it was published. edges_version, ground: of the other sources,
    which were read, and what they said.
    """

    def __post_init__(self) -> None:
        """Start empty."""
        self.forget()

    def rebuild(self, world: World) -> None:
        """After a restore everything is read again."""
        self.forget()

    def forget(self) -> None:
        """Know nothing."""
        self.versions: tuple[int, ...] = ()
        self.writes: tuple[int, ...] = (-1, -1, -1, -1)
        self.members: tuple[int, ...] = ()
        self.slots = self.body_row = self.place_row = self.body_of = self.shape_of = _NOBODY
        self.holders = self.children = _NOBODY
        self.shape_cache: dict[bytes, Any] = {}
        self.shape_cache_of: Any = None
        self.known_members: list[tuple[int, Any, Any]] = []
        self.refused: dict[int, int] = {}
        self.hangs = self.asks = False
        self.linked = self.statics = 0
        self.published = -1
        self.edges_version: tuple[int, ...] = ()
        self.ground: bytes | None = None
        self.joint_versions: tuple[int, ...] = ()
        self.breakable = self.joints = self.areas = False
        self.membership = -1
        self.moved: tuple[Any, Array, Array] = (None, _NOBODY, _NOBODY)
        self.forced: Array | None = None
        self.driven: tuple[Array, Array] | None = None

    def remember_members(self, *tables: Any) -> None:
        """Remember which entities are in the tables, which are enabled, and their parents, as the fields say."""
        before = self.known_members or [(-1, None, None)] * len(tables)
        self.known_members = []
        for table, (membership, entities, _) in zip(tables, before, strict=True):
            if membership != table.membership:
                entities = table.entities.copy()
            said = standing_of(table)
            self.known_members.append((table.membership, entities, None if said is None else said.copy()))

    def members_differ(self, *tables: Any) -> bool:
        """Whether an entity was enabled, disabled or given another parent, while none was added or removed."""
        return any(
            said is not None and not np.array_equal(standing_of(table), said)
            for table, (_, _, said) in zip(tables, self.known_members, strict=False)
        )

    def slot_of(self, bodies: Any, entity: int) -> int:
        """The slot of the body of an entity, 0 where it has none."""
        index = entity & INDEX_MASK
        slot = int(self.body_of[index]) if index < len(self.body_of) else 0
        return slot if slot and bodies.entity[slot] == entity else 0

    def link(self, world: World, *, still: bool = True) -> None:
        """Find the slots of entities, and their rows. still: whether what stands still may be other than it was."""
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
        self.moved = (None, _NOBODY, _NOBODY)
        self.statics += still
        self.members = memberships_of(world)
        self.asks = bool((shapes.flags & (HIT_EVENTS | STAY_EVENTS)).any())
        self.hangs = bool((bodies.flags & HUNG).any())

    def make_room(self, world: World) -> None:
        """Let the lists by slot and by entity have a place for each that there is."""
        for name, size, empty in (
            ("body_row", len(world[Bodies]), -1), ("place_row", len(world[Bodies]), -1),
            ("body_of", world.entities.used, 0), ("shape_of", world.entities.used, -1),
        ):  # fmt: skip
            known = getattr(self, name)
            if len(known) < size:
                grown = np.full(size + size // 8, empty, np.int32)
                grown[: len(known)] = known
                setattr(self, name, grown)

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


def standing_of(table: Any) -> Any:
    """The column of a table of components that decides which body a row belongs to; None where there is none."""
    for name in ("enabled", "parent"):
        if name in table.schema.fields:
            return table.column(name)
    return None


def memberships_of(world: World) -> tuple[int, ...]:
    """What changes whenever an entity joins or leaves the physics."""
    tables = world.tables
    return (
        tables[Transform].membership, tables[Body].membership, tables[Collider].membership, tables[Disabled].membership
    )  # fmt: skip

"""Maps between rows of components and slots of the solver.

The links are rebuilt after entities are added or removed and after a restore; otherwise they cost nothing. They are
derived data, not state: they follow from `Bodies.entity` and `Shapes.entity`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np

from rish_core import Disabled, Edges, Transform, World, resource
from rish_ecs import Columns, Inputs, RowChanges, Rows, kind_of
from rish_ecs.declarations import with_room
from rish_ecs.storage import INDEX_MASK
from rish_jit import Array

from .bodies import Body, Collider
from .ground import GroundChains
from .joints import READERS
from .tables import HAS_PARENT, HIT_EVENTS, STAY_EVENTS, Bodies, Shapes

_NONE: Array = np.zeros(0, np.int32)
MEMBERS = (Transform, Body, Collider, Disabled)
"""The components that decide which bodies and shapes there are."""


_READ_APART = ("joints", "edges", "kinds")
"""The sources in `TablesRead` beside the members."""
_MAPS = (
    "slots", "body_row", "place_row", "body_of", "shape_of", "holders", "children", "refused", "has_parents",
    "breakable", "joints", "areas", "requested_events", "unpublished",
)  # fmt: skip
"""The attributes of `Links` that a state keeps."""


@dataclass
class TablesRead:
    """What was last read of the World.

    columns, rows: the tables Transform, Body, Collider and Disabled, with the edges, and their rows alone. is_new: True
    before the first reading. known: of each of these tables its entities, and their values of `standing_of`, with room
    for more rows than `counts` says. joints: the tables of joints; everything is read again after the links were
    rebuilt. edges, ground: the edges of other sources. kinds: the rows of all components, when the
    existence of joints and areas was last checked. scaled, layers: the settings of the last step. areas, awake: the
    bytes of all areas, and the list of awake bodies, when the forces on sleeping bodies were last compared with the
    current ones.
    """

    columns: Inputs = dataclass_field(default_factory=lambda: Inputs((*MEMBERS, Edges)))
    rows: Inputs = dataclass_field(default_factory=lambda: Inputs(map(Rows, MEMBERS)))
    is_new: bool = True
    known: list[tuple[Any, Any]] = dataclass_field(default_factory=list[tuple[Any, Any]])
    counts: list[int] = dataclass_field(default_factory=list[int])
    joints: Inputs = dataclass_field(default_factory=lambda: Inputs(READERS))
    edges: Inputs = dataclass_field(default_factory=lambda: Inputs((Edges, Rows(Body))))
    ground: GroundChains | None = None
    kinds: Inputs = dataclass_field(default_factory=lambda: Inputs((Rows(World),)))
    scaled: Any = None
    layers: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    areas: bytes | None = None
    awake: Any = None

    def remember_members(self, *tables: Any) -> None:
        """Store which entities are in the tables, which are enabled, and their parents."""
        self.known = [(table.entities.copy(), standing_of(table).copy()) for table in tables]
        self.counts = [table.used for table in tables]

    def remember_rows(self, changes: Sequence[RowChanges], *tables: Any) -> None:
        """Store what `remember_members` stores, for the changed rows of each table."""
        for k, (table, change) in enumerate(zip(tables, changes, strict=True)):
            if change:
                rows, count = change.rows, table.used
                entities, standing = self.known[k]
                if count > entities.size:
                    self.known[k] = entities, standing = with_room(entities, count), with_room(standing, count)
                self.counts[k] = count
                entities[rows], standing[rows] = table.entities[rows], standing_of(table)[rows]

    def members_differ(self, changes: Sequence[RowChanges], *tables: Any) -> bool:
        """Return True if an entity was enabled, disabled or given another parent since `remember_members`, for tables
        to which no entity was added and from which none was removed. changes: of the tables since then or later.
        """
        for change, table, (_, standing) in zip(changes, tables, self.known, strict=True):
            if change:
                rows = slice(0, table.used) if change.all else change.rows
                if (standing_of(table)[rows] != standing[rows]).any():
                    return True
        return False


@dataclass
class ShapeCache:
    """A cache of solver rows: `bodies` at rest, and their `shapes`. rows: for the values of the columns of a body, the
    row of the body, the first row of its shapes and their number. scaled, layers: the settings with which the rows were
    computed.
    """

    rows: dict[Any, tuple[int, int, int]] = dataclass_field(default_factory=dict[Any, tuple[int, int, int]])
    bodies: Columns = dataclass_field(default_factory=lambda: Columns(kind_of(Bodies)))
    shapes: Columns = dataclass_field(default_factory=lambda: Columns(kind_of(Shapes)))
    scaled: Any = None
    layers: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])

    def clear(self) -> None:
        """Remove all rows."""
        self.rows.clear()
        self.bodies.clear()
        self.shapes.clear()


@dataclass
class TickLists:
    """The bodies that need special treatment in this tick.

    forced: the bodies on which a force acts. driven: the kinematic bodies that move, and their target poses. moved: the
    slots that were last written, and what is marked in Transform and in Body: an array of rows, a slice, or None for
    all. walked: what the characters have done before the step, None if there are none.
    """

    forced: Array | None = None
    driven: tuple[Array, Array] | None = None
    moved: tuple[Any, Array | slice | None, Array | slice | None] = (None, None, None)
    walked: Any = None


@resource(derived=True)
class Links:
    """Maps between slots, rows and entities.

    slots: int32, the body slots in use, ascending. body_row, place_row: int32 by body slot, the rows of Body (-1 for an
    implicit body) and Transform. body_of, shape_of: int32 by entity index, the slot of its body and the first slot of
    its collider's shapes; 0 and -1 if there is none. holders: int32 by row of Collider, the slot of its body, 0 if the
    collider is inactive. children: the rows of colliders that belong to another entity's body. refused: the
    fingerprints of colliders that cannot be made into a shape, by handle.

    joints, areas: whether there are any. breakable: whether any joint has a load limit. requested_events: the flags
    HIT_EVENTS and STAY_EVENTS that any shape has. has_parents: whether any body may have a parent. unpublished: whether
    static bodies have changed since their edges were published.

    read: what was last read. cache: see `ShapeCache`. tick: see `TickLists`.
    """

    def rebuild(self, world: World) -> None:
        """Read everything again after a restore."""
        self.__post_init__()

    def __post_init__(self) -> None:
        """Start with empty links."""
        self.read, self.cache, self.tick = TablesRead(), ShapeCache(), TickLists()
        self.slots = self.body_row = self.place_row = self.body_of = self.shape_of = _NONE
        self.holders = self.children = _NONE
        self.refused: dict[int, int] = {}
        self.has_parents = self.breakable = self.joints = self.areas = False
        self.requested_events = 0
        self.unpublished = True

    def remember(self, world: World) -> Any:
        """Return copies of the maps, and the changes that no step has read, for `recall`; None before any step."""
        read = self.read
        if read.is_new:
            return None
        changes, moved = read.columns.look(world), read.rows.look(world)
        moves = [] if moved is None else [source.cls for source in moved]
        unread = {} if changes is None else {cls: changes[cls] for cls in MEMBERS if changes[cls] or cls in moves}
        known = [(entities.copy(), standing.copy()) for entities, standing in read.known]
        seen = [name for name in _READ_APART if getattr(read, name).look(world) is None]
        settings = read.ground, read.scaled, dict(read.layers)
        maps = {name: _copied(getattr(self, name)) for name in _MAPS}
        return unread, moves, known, list(read.counts), seen, settings, maps

    def recall(self, world: World, memory: Any) -> None:
        """Take the maps of a loaded state; what had been read when it was saved is not read again. None: rebuild."""
        if memory is None:
            self.rebuild(world)
            return
        unread, moves, known, counts, seen, settings, maps = memory
        for name, value in maps.items():
            setattr(self, name, _copied(value))
        former, self.tick = self.read, TickLists()
        self.read = TablesRead(former.columns, former.rows, is_new=False, counts=list(counts))
        self.read.known = [(entities.copy(), standing.copy()) for entities, standing in known]
        self.read.ground, self.read.scaled, self.read.layers = settings
        for name in ("columns", "rows", *seen):
            setattr(self.read, name, getattr(former, name))
            getattr(former, name).changed(world)
        for cls, changes in unread.items():
            world.table(cls).repeat_changes(changes, moved=cls in moves)

    def slot_of(self, bodies: Any, entity: int) -> int:
        """Return the slot of an entity's body, 0 if it has none."""
        index = entity & INDEX_MASK
        slot = int(self.body_of[index]) if index < len(self.body_of) else 0
        return slot if slot and bodies.entity[slot] == entity else 0

    def link(self, world: World, *, still: bool = True) -> None:
        """Rebuild the maps between entities, slots and rows. still: True if static bodies may have changed."""
        bodies, shapes, room = world[Bodies], world[Shapes], world.entities.used
        self.slots = np.flatnonzero(bodies.entity).astype(np.int32)
        owners = bodies.entity[self.slots]
        self.body_of = np.zeros(room, np.int32)
        self.body_of[owners & INDEX_MASK] = self.slots
        self.body_row = self._rows(world, Body, owners)
        self.place_row = self._rows(world, Transform, owners)
        self.shape_of = np.full(room, -1, np.int32)
        used = np.flatnonzero((shapes.entity != 0) & (shapes.body != 0))[::-1]
        self.shape_of[shapes.entity[used] & INDEX_MASK] = used
        self.tick.moved = None, None, None
        self.unpublished = self.unpublished or still
        self.read.joints.forget()
        self.requested_events = int(np.bitwise_or.reduce(shapes.flags, initial=0)) & (HIT_EVENTS | STAY_EVENTS)
        self.has_parents = bool((bodies.flags & HAS_PARENT).any())

    def make_room(self, world: World) -> None:
        """Grow the arrays by slot and by entity to the current number of slots and entities."""
        slots, entities = world[Bodies].used, world.entities.used
        if slots <= self.body_row.size and entities <= self.body_of.size:
            return
        for name, size, empty in (
            ("body_row", slots, -1), ("place_row", slots, -1), ("body_of", entities, 0), ("shape_of", entities, -1),
        ):  # fmt: skip
            array = getattr(self, name)
            if len(array) < size:
                grown = np.full(size + size // 8, empty, np.int32)
                grown[: len(array)] = array
                setattr(self, name, grown)

    def _rows(self, world: World, cls: type, owners: Array) -> Array:
        rows = np.full(len(world[Bodies]), -1, np.int32)
        rows[self.slots] = world.table(cls).rows_of(owners)
        return rows

    def body_slots(self, handles: Array) -> Array:
        """Return the int32 body slot of each entity, 0 if it has none, and 0 for the handle 0."""
        if not len(self.body_of):
            return np.zeros(len(handles), np.int32)
        index = handles & INDEX_MASK
        valid = (index < len(self.body_of)) & (handles != 0)
        return np.where(valid, self.body_of.take(index, mode="clip"), 0)


def standing_of(table: Any) -> Array:
    """Return the column of a component table that decides which body a row belongs to: `enabled`, `parent`, or the
    entities if there is neither.
    """
    fields = table.schema.fields
    name = "parent" if "parent" in fields else "enabled" if "enabled" in fields else None
    return table.entities if name is None else table.flat(name)


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (np.ndarray, dict)) else value

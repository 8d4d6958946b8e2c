"""Updates the slots for a few added or removed entities, without processing the others.

`registry.sync_registry` checks every entity, which is right when a scene is loaded. But in nearly every tick of a game
a shot is fired or a crate breaks. Then this module processes only the entities whose rows in a table have changed since
the last sync, and all their descendants. The result is bit-identical: slots are given in the same order, and the same
bodies are rebuilt. If only bodies that `single_bodies` knows have come and gone, it updates them in much less time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rish_ecs import RowChanges
from rish_ecs.derivations import InputChanges
from rish_ecs.storage import INDEX_MASK
from rish_jit import Array

from ..components.links import MEMBERS, Links, standing_of
from ..components.notices import notify
from ..components.slots import BODY, take_slots
from ..components.tables import HAS_PARENT, HIT_EVENTS, IMPLICIT, STAY_EVENTS
from ..contacts.state import State
from .registry import add_bodies, any_still, reassemble_changed, remove_bodies, warn_of_scale
from .shape_cache import Key, key_of, remember_shapes
from .single_bodies import update_single_bodies

_MAX_CHANGED_ROWS = 64
"""The number of changed rows of a table above which all entities are checked."""
_CHECK_RATIO = 8
"""The sizes of bodies are checked if at least one in this number of bodies is new."""
_MAX_ANCESTORS = 256
"""The greatest number of ancestors that are followed. An entity with more may be its own ancestor."""


def sync_added(state: State, links: Links, changes: InputChanges | None = None) -> bool:
    """Update slots and shapes; return False, and do nothing, if too many entities were added or removed.

    changes: of the columns since the last sync, if they are known.
    """
    named = None if changes is None else [changes[cls] for cls in MEMBERS]
    handles = None if named is None else _named_entities(state, named)
    if named is not None and handles is not None and len(handles) and links.read.known:
        count = update_single_bodies(state, links, handles)
        if count is not None:
            if _CHECK_RATIO * count > len(links.slots):
                warn_of_scale(state)
            links.read.remember_rows(named, *state.columns)
            return True
    entities = None if handles is None else set(handles.tolist())
    who = _with_descendants(state, entities or _changed_entities(state, links))
    if who is None:
        return False
    update = _Update(state, links, who)
    if not update.find_bodies():
        return False
    update.warn_of_missing_transforms()
    update.link_rows()
    removed, added = update.compare()
    still = any_still(state, removed)
    if len(removed):
        links.body_of[state.bodies.entity[removed] & INDEX_MASK] = 0
        remove_bodies(state, removed)
    slots = update.add_slots(added)
    if len(removed) or added:
        links.slots = state.bodies.flat("entity").nonzero()[0].astype(np.int32)
    update.update_holders()
    shaped = update.make(added, slots)
    update.link_shapes(shaped)
    if still or any_still(state, shaped):
        links.unpublished = True
    links.read.joints.forget()
    if _CHECK_RATIO * len(added) > len(links.slots):
        warn_of_scale(state)
    if named is not None and entities and links.read.known:
        links.read.remember_rows(named, *state.columns)
    else:
        links.read.remember_members(*state.columns)
    return True


def _named_entities(state: State, changes: Sequence[RowChanges]) -> Array | None:
    """Return the entities whose rows were written, added, removed or moved, int64, some of them several times; None if
    that may be any or too many.

    changes: of the tables of `MEMBERS`.
    """
    parts: list[Array] = []
    for change, table in zip(changes, state.columns, strict=True):
        if change:
            if change.all or len(change.rows) > _MAX_CHANGED_ROWS:
                return None
            parts += table.entities[change.rows], change.removed
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _changed_entities(state: State, links: Links) -> set[int] | None:
    """Return the entities whose rows differ from those at the last sync; None if there are too many."""
    if not links.read.known:
        return None
    entities: set[int] = set()
    for table, count, known in zip(state.columns, links.read.counts, links.read.known, strict=True):
        earlier, standing = (column[:count] for column in known)
        current, now = table.entities, standing_of(table)
        common = min(len(current), len(earlier))
        if max(len(current), len(earlier)) - common > _MAX_CHANGED_ROWS:
            return None
        rows = ((current[:common] != earlier[:common]) | (now[:common] != standing[:common])).nonzero()[0]
        if len(rows) > _MAX_CHANGED_ROWS:
            return None
        for changed in (current[rows], earlier[rows], current[common:], earlier[common:]):
            entities.update(changed.tolist())
    return entities


def _with_descendants(state: State, entities: set[int] | None) -> list[int] | None:
    """Return these entities and all below them, ascending; None for None or too many."""
    if entities is None:
        return None
    places = state.columns[0]
    parents = places.flat("parent")
    hung = parents.nonzero()[0]
    if len(hung):
        above, below = parents[hung], places.entities[hung]
        pending = entities
        while pending:
            pending = set(below[np.isin(above, list(pending))].tolist()) - entities
            entities |= pending
    return sorted(entities) if len(entities) <= 4 * _MAX_CHANGED_ROWS else None


class _Update:
    """One update of the slots: the changed entities, and what their columns say.

    rows: for each entity, its rows of Transform, Body and Collider. slots: for each entity, the slot of its body before
    this update, 0 for none. wanted: entities that need a body, and whether it is implicit. holders: by row of Collider,
    the entity whose body it belongs to, for active colliders.
    """

    def __init__(self, state: State, links: Links, who: list[int]) -> None:
        self.state, self.links, self.who = state, links, who
        places, bodies, forms, _ = state.columns
        self.rows = {entity: (places.row_of(entity), bodies.row_of(entity), forms.row_of(entity)) for entity in who}
        self.slots = {entity: links.slot_of(state.bodies, entity) for entity in who}
        self.wanted: dict[int, bool] = {}
        self.holders: dict[int, int] = {}

    def find_bodies(self) -> bool:
        """Compute `wanted` and `holders` from the columns; return False if an entity is its own ancestor."""
        _, bodies, forms, disabled = self.state.columns
        for entity, (place, body, form) in self.rows.items():
            if place < 0 or disabled.row_of(entity) >= 0:
                continue
            if body >= 0 and bodies.flat("enabled").item(body):
                self.wanted[entity] = False
            if form >= 0 and forms.flat("enabled").item(form):
                holder = entity if body >= 0 else self._holder(entity)
                if holder is None:
                    return False
                if not holder:
                    self.wanted[entity] = True
                self.holders[form] = holder or entity
        self.holders = {form: holder for form, holder in self.holders.items() if self._takes_part(holder)}
        return True

    def _holder(self, entity: int) -> int | None:
        """Return the nearest ancestor that has a Body; 0 for none, None if the entity is its own ancestor."""
        places, bodies = self.state.columns[:2]
        row = places.row_of(entity)
        for _ in range(_MAX_ANCESTORS):
            entity = int(places.parent[row])
            row = places.row_of(entity) if entity else -1
            if row < 0:
                return 0
            if bodies.row_of(entity) >= 0:
                return entity
        return None

    def _takes_part(self, entity: int) -> bool:
        if entity in self.rows:
            return entity in self.wanted
        return self.links.slot_of(self.state.bodies, entity) > 0

    def warn_of_missing_transforms(self) -> None:
        """Log a warning for each body or collider without a Transform."""
        for entity, (place, *others) in self.rows.items():
            for row, name in zip(others, ("Body", "Collider"), strict=True):
                if row >= 0 and place < 0:
                    notify(
                        self.state.world,
                        f"place {entity}",
                        f"its {name} is ignored: the entity has no Transform",
                        entity,
                    )

    def link_rows(self) -> None:
        """Update the rows of the entities, which may have changed because the last row moves into a gap."""
        links = self.links
        for entity, (place, body, _) in self.rows.items():
            slot = self.slots[entity]
            if slot:
                links.body_row[slot], links.place_row[slot] = body, place

    def compare(self) -> tuple[Array, list[int]]:
        """Return the slots of removed bodies, and the entities that need a slot, in the order in which slots are
        assigned.
        """
        table, removed, stay = self.state.bodies, list[int](), set[int]()
        for entity in self.who:
            slot = self.slots[entity]
            if slot and self.wanted.get(entity) == bool(table.flags[slot] & IMPLICIT):
                stay.add(entity)
            elif slot:
                removed.append(slot)
        added = [entity for entity in self.wanted if entity not in stay]
        added.sort(key=lambda entity: (self.wanted[entity], self.rows[entity][2 if self.wanted[entity] else 1]))
        return np.array(sorted(removed), np.int32), added

    def add_slots(self, added: list[int]) -> Array:
        """Take slots for new bodies and link them; return the slots, int32. Their rows are still empty."""
        state, links = self.state, self.links
        slots = take_slots(state.free, state.bodies, BODY, len(added)) if added else links.slots[:0]
        links.make_room(state.world)
        for entity, slot in zip(added, slots.tolist(), strict=True):
            state.bodies.entity[slot] = entity
            links.body_of[entity & INDEX_MASK] = slot
            links.place_row[slot], links.body_row[slot] = self.rows[entity][:2]
        return slots

    def update_holders(self) -> None:
        """Write the body slot of each collider to `Links.holders`."""
        links, bodies, forms = self.links, self.state.bodies, self.state.columns[2]
        holders = links.holders
        links.holders = np.zeros(len(forms), np.int32)
        links.holders[: len(holders)] = holders[: len(forms)]
        hung = len(links.children) > 0
        for entity, (_, _, form) in self.rows.items():
            if form >= 0:
                holder = self.holders.get(form, 0)
                links.holders[form] = links.slot_of(bodies, holder) if holder else 0
                hung = hung or holder not in (0, entity)
        if hung:
            away = (links.holders != 0) & (bodies.entity[links.holders] != forms.entities)
            links.children = away.nonzero()[0]

    def make(self, added: list[int], slots: Array) -> Array:
        """Fill the slots of new bodies, and rebuild shapes if colliders were added or removed; return the bodies,
        int32.
        """
        state, links = self.state, self.links
        which, robbed = self._unsettled()
        if not (added or len(which) or len(robbed)):
            return slots
        keys = self._keys(added) if len(which) == len(added) and not len(robbed) else None
        if added:
            add_bodies(
                state, links, slots, np.array(added, np.int64), np.array([self.wanted[entity] for entity in added])
            )
            state.stale()
        shaped = reassemble_changed(state, links, which, slots, robbed)
        if keys:
            remember_shapes(state, links, slots, keys)
        return shaped

    def _keys(self, added: list[int]) -> list[Key] | None:
        """Return the key of each new body for the shape cache; None if one of them is not a single body."""
        links, parent = self.links, self.state.columns[0].flat("parent")
        keys: list[Key] = []
        for entity in added:
            place, body, form = self.rows[entity]
            if form < 0 or links.holders[form] != links.body_of[entity & INDEX_MASK] or parent[place]:
                return None
            keys.append(key_of(self.state, place, body, form))
        return keys

    def _unsettled(self) -> tuple[Array, Array]:
        """Return the rows of colliders that have no shapes yet, and the slots of bodies that have shapes of entities
        which are no longer their colliders.
        """
        shapes, links = self.state.shapes, self.links
        which, robbed = list[int](), set[int]()
        for entity, (_, _, form) in self.rows.items():
            holder = int(links.holders[form]) if form in self.holders else 0
            shape = int(links.shape_of[entity & INDEX_MASK])
            body = int(shapes.body[shape]) if shape >= 0 and shapes.entity[shape] == entity else 0
            if holder and body != holder:
                which.append(form)
            if body and body != holder:
                robbed.add(body)
        return np.array(sorted(which), np.int64), np.array(sorted(robbed), np.int32)

    def link_shapes(self, slots: Array) -> None:
        """Update `Links.shape_of` for the changed entities and for all colliders of the bodies in `slots`."""
        bodies, shapes, links = self.state.bodies, self.state.shapes, self.links
        first = links.shape_of
        for index in (entity & INDEX_MASK for entity in self.who):
            if first[index] >= 0 and shapes.entity[first[index]] & INDEX_MASK != index:
                first[index] = -1
        first_shapes: dict[int, int] = {}
        for slot in slots.tolist():
            links.has_parents = links.has_parents or bool(bodies.flags[slot] & HAS_PARENT)
            shape = int(bodies.first_shape[slot])
            while shape >= 0:
                index = int(shapes.entity[shape]) & INDEX_MASK
                first_shapes[index] = min(shape, first_shapes.get(index, shape))
                links.requested_events |= int(shapes.flags[shape]) & (HIT_EVENTS | STAY_EVENTS)
                shape = int(shapes.next[shape])
        for index, shape in first_shapes.items():
            first[index] = shape

"""Updates the slots for a few added or removed entities, without processing the others.

`registry.sync_registry` checks every entity, which is right when a scene is loaded. But in nearly every tick of a game
a shot is fired or a crate breaks. Then only the entities are processed whose rows in a table have changed since the
last sync, with all their descendants. The result is bit-identical: slots are given in the same order, and the same
bodies are rebuilt.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.storage import INDEX_MASK

from ..components.links import Links, memberships_of, standing_of
from ..components.notices import notify
from ..components.slots import BODY, take_slots
from ..components.tables import HIT_EVENTS, HUNG, IMPLICIT, STAY_EVENTS
from ..contacts.state import State
from .registry import add_bodies, any_still, remove_bodies, say_if_out_of_scale, settle_colliders
from .shape_cache import copy_cached, keys_of, remember_shapes

Array = npt.NDArray[Any]
_FEW = 64
"""The number of changed rows of a table above which all entities are checked."""
_MANY = 8
"""The sizes of bodies are checked if at least one body in this many is new."""
_DEEP = 256
"""The most ancestors of an entity. An entity with more may be its own ancestor."""


def sync_added(state: State, links: Links) -> bool:
    """Update slots and shapes; return False, and do nothing, if too many entities were added or removed."""
    who = _in_question(state, links)
    if who is None:
        return False
    some = _Some(state, links, who)
    if not some.ask():
        return False
    some.say_who_has_no_place()
    some.link_rows()
    gone, fresh = some.compare()
    still = any_still(state, gone)
    some.remove_bodies(gone)
    slots = some.enter(fresh)
    some.hold()
    made = some.make(fresh, slots)
    some.link_shapes(made)
    if still or any_still(state, made):
        links.statics += 1
    links.linked += 1
    if _MANY * len(fresh) > len(links.slots):
        say_if_out_of_scale(state)
    links.read.members = memberships_of(state.world)
    links.read.remember_members(*state.columns)
    return True


def _in_question(state: State, links: Links) -> list[int] | None:
    """Return the entities whose rows have changed since the last sync, and their descendants; None if they are too
    many.
    """
    if not links.read.known:
        return None
    found: set[int] = set()
    for table, (membership, known, said) in zip(state.columns, links.read.known, strict=True):
        if said is None and table.membership == membership:
            continue
        now = table.entities
        both = min(len(now), len(known))
        if max(len(now), len(known)) - both > _FEW:
            return None
        differs = now[:both] != known[:both]
        if said is not None:
            differs |= standing_of(table)[:both] != said[:both]
        rows = differs.nonzero()[0]
        if len(rows) > _FEW:
            return None
        for some in (now[rows], known[rows], now[both:], known[both:]):
            found.update(some.tolist())
    places = state.columns[0]
    hung = places.parent.nonzero()[0]
    above, below = places.parent[hung], places.entities[hung]
    new = found if len(hung) else set[int]()
    while new:
        new = set(below[np.isin(above, list(new))].tolist()) - found
        found |= new
    return sorted(found) if len(found) <= 4 * _FEW else None


class _Some:
    """The entities in question, and the contents of their columns.

    rows: for each entity, its rows of Transform, Body and Collider. wanted: entities that need a body, and whether it
    is implicit. holders: by row of Collider, the entity whose body it belongs to, for active colliders.
    """

    def __init__(self, state: State, links: Links, who: list[int]) -> None:
        self.state, self.links, self.who = state, links, who
        places, bodies, forms, _ = state.columns
        self.rows = {entity: (places.row_of(entity), bodies.row_of(entity), forms.row_of(entity)) for entity in who}
        self.wanted: dict[int, bool] = {}
        self.holders: dict[int, int] = {}

    def ask(self) -> bool:
        """Fill `wanted` and `holders`; return False if an entity is its own ancestor."""
        _, bodies, forms, disabled = self.state.columns
        for entity, (place, body, form) in self.rows.items():
            if place < 0 or disabled.row_of(entity) >= 0:
                continue
            if body >= 0 and bodies.enabled[body]:
                self.wanted[entity] = False
            if form >= 0 and forms.enabled[form]:
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
        for _ in range(_DEEP):
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

    def say_who_has_no_place(self) -> None:
        """Log bodies and colliders without a Transform."""
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
        links.make_room(self.state.world)
        for entity, (place, body, _) in self.rows.items():
            slot = links.slot_of(self.state.bodies, entity)
            if slot:
                links.body_row[slot], links.place_row[slot] = body, place

    def compare(self) -> tuple[Array, list[int]]:
        """Return the slots of removed bodies, and the entities that need one, in the order in which slots are given."""
        table, gone, stay = self.state.bodies, list[int](), set[int]()
        for entity in self.who:
            slot = self.links.slot_of(table, entity)
            if slot and self.wanted.get(entity) == bool(table.flags[slot] & IMPLICIT):
                stay.add(entity)
            elif slot:
                gone.append(slot)
        fresh = [entity for entity in self.wanted if entity not in stay]
        fresh.sort(key=lambda entity: (self.wanted[entity], self.rows[entity][2 if self.wanted[entity] else 1]))
        return np.array(sorted(gone), np.int32), fresh

    def remove_bodies(self, gone: Array) -> None:
        """Remove bodies and their links."""
        if len(gone):
            links = self.links
            remove_bodies(self.state, gone)
            links.slots = np.delete(links.slots, np.searchsorted(links.slots, gone))
            slots = set(gone.tolist())
            for index in (entity & INDEX_MASK for entity in self.who):
                if int(links.body_of[index]) in slots:
                    links.body_of[index] = 0

    def enter(self, fresh: list[int]) -> Array:
        """Take slots for new bodies and link them; return the slots, int32. Their rows are still empty."""
        state, links = self.state, self.links
        if not fresh:
            return links.slots[:0]
        slots = take_slots(state.free, state.bodies, BODY, len(fresh))
        links.make_room(state.world)
        ascending = np.sort(slots)
        links.slots = np.insert(links.slots, np.searchsorted(links.slots, ascending), ascending)
        for entity, slot in zip(fresh, slots.tolist(), strict=True):
            state.bodies.entity[slot] = entity
            links.body_of[entity & INDEX_MASK] = slot
            links.place_row[slot], links.body_row[slot] = self.rows[entity][:2]
        return slots

    def hold(self) -> None:
        """Update the bodies of colliders."""
        links, bodies, forms = self.links, self.state.bodies, self.state.columns[2]
        known = links.holders
        links.holders = np.zeros(len(forms), np.int32)
        links.holders[: len(known)] = known[: len(forms)]
        hung = len(links.children) > 0
        for entity, (_, _, form) in self.rows.items():
            if form >= 0:
                holder = self.holders.get(form, 0)
                links.holders[form] = links.slot_of(bodies, holder) if holder else 0
                hung = hung or holder not in (0, entity)
        if hung:
            away = (links.holders != 0) & (bodies.entity[links.holders] != forms.entities)
            links.children = away.nonzero()[0]

    def make(self, fresh: list[int], slots: Array) -> Array:
        """Fill the slots of new bodies, and rebuild shapes if colliders were added or removed; return the bodies,
        int32.
        """
        state, links = self.state, self.links
        which, robbed = self._unsettled()
        if not (fresh or len(which) or len(robbed)):
            return slots
        keys = keys_of(state, links, fresh, self.rows) if len(which) == len(fresh) and not len(robbed) else None
        if keys and copy_cached(state, links, fresh, slots, keys, self.rows):
            state.stale()
            return np.sort(slots)
        if fresh:
            add_bodies(state, links, slots, np.array(fresh, np.int64), np.array([self.wanted[one] for one in fresh]))
            state.stale()
        made = settle_colliders(state, links, which, slots, robbed)
        if keys:
            remember_shapes(state, links, slots, keys)
        return made

    def _unsettled(self) -> tuple[Array, Array]:
        """Return the rows of colliders that have no shapes yet, and the slots of bodies with shapes of others."""
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
        """Update the first shapes of the entities, which may have lost theirs, and of all colliders of these bodies."""
        bodies, shapes, links = self.state.bodies, self.state.shapes, self.links
        first = links.shape_of
        for index in (entity & INDEX_MASK for entity in self.who):
            if first[index] >= 0 and shapes.entity[first[index]] & INDEX_MASK != index:
                first[index] = -1
        made: dict[int, int] = {}
        for slot in slots.tolist():
            links.hangs = links.hangs or bool(bodies.flags[slot] & HUNG)
            shape = int(bodies.first_shape[slot])
            while shape >= 0:
                index = int(shapes.entity[shape]) & INDEX_MASK
                made[index] = min(shape, made.get(index, shape))
                links.asks |= int(shapes.flags[shape]) & (HIT_EVENTS | STAY_EVENTS)
                shape = int(shapes.next[shape])
        for index, shape in made.items():
            first[index] = shape

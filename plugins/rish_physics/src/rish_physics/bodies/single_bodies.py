"""Updates slots, shapes and contacts for single bodies that come and go, in two kernel calls.

A shot is fired, a crate breaks: most entities that come and go during play have no parent, and their only collider is
on the same entity. The first kernel finds what happens to them and writes nothing; if there is more to do, or if a new
body is not in the shape cache, `incremental_update` does it. The second kernel removes and adds them. Both ways give
the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array

from ..components.links import Links
from ..contacts.state import State
from .assembly import list_moved
from .change_kernels import COUNTS, FORM, MAX_ENTITIES, PLACE, PLAN, find_changes
from .shape_cache import cache_of, key_of
from .single_kernels import body_arrays, shape_arrays, update_bodies
from .waking import wake


def update_single_bodies(state: State, links: Links, handles: Array) -> int | None:
    """Update everything for the entities whose rows have changed; return the number of bodies that came.

    None if there is more to do than single bodies that come and go; then nothing has changed. handles: int64.
    """
    plan, lists, counts = _find(state, links, handles)
    if plan is None:
        return None
    n_removed, n_gone, n_added, n_rows, touched, n_others, sleepers, still, n_bodies, n_shapes = counts.tolist()
    removed, gone, added, rows, others, _ = lists
    copies = _copies(state, links, plan, added[:n_added])
    if copies is None:
        return None
    if sleepers:
        wake(state, others[:n_others])
    total = int(copies[2::3].sum())
    new = state.bodies.used, state.shapes.used
    _make_room(state, links, n_added - n_bodies - n_removed, total - n_shapes - n_gone)
    contacts, free, ended = state.flats(state.contacts), state.free, state.ended
    numbers, moved = np.array([free.used, *new, 0, 0]), np.empty(n_gone + total, np.int32)
    if n_removed:
        free.resize(free.used + n_removed + n_gone)
    arguments: Any = (
        plan, (removed[:n_removed], gone[:n_gone], rows[:n_rows], added[:n_added]), copies,
        (links.body_of, links.shape_of, links.body_row, links.place_row, links.holders),
        (contacts.pair, contacts.manifold, contacts.ids, contacts.info, contacts.cold), state.index.pairs.keys,
        ended.flat_rows(ended.resize(ended.used + touched) if touched else slice(0, 0)), *_solver_columns(state, links),
        numbers, moved,
    )  # fmt: skip
    links.requested_events |= update_bodies(*arguments)
    n_free, _, _, n_moved, new_still = numbers.tolist()
    if n_free != free.used:
        free.resize(n_free)
    if n_rows:
        state.index.pairs.count -= n_rows
        state.contacts.resize(contacts.used - n_rows)
    if n_removed or n_added:
        state.changed = state.changed[:0]
        state.stale()
        list_moved(state, moved[:n_moved])
        links.slots = state.bodies.flat("entity").nonzero()[0].astype(np.int32)
        links.unpublished = links.unpublished or still + new_still > 0
        links.read.joints.forget()
    return n_added


def _find(state: State, links: Links, handles: Array) -> tuple[Array | None, tuple[Array, ...], Array]:
    """Return the plan of `find_changes`, None if there is more to do, and its lists and counts."""
    bodies, shapes, contacts = state.flats(state.bodies), state.flats(state.shapes), state.flats(state.contacts)
    places, table, forms, _ = state.columns
    take, room = state.scratch.take, bodies.used
    few = [take(name, MAX_ENTITIES, np.int32) for name in ("single.removed", "single.gone", "single.added")]
    rows, others = take("single.contacts", contacts.used, np.int32), take("single.others", room, np.int32)
    lists, counts = (*few, rows, others, np.zeros(room, np.uint8)), np.zeros(COUNTS, np.int64)
    plan = take("single.plan", PLAN * MAX_ENTITIES, np.int64)
    entities: list[Any] = []
    for each in state.columns:
        entities += each.entities, each.row_index
    n = find_changes(
        handles, tuple(entities),
        (places.flat("parent"), table.flat("enabled"), forms.flat("enabled"), table.flat("velocity")),
        float(state.scaled.max_speed) ** 2, (links.body_of, links.shape_of, links.body_row, links.place_row),
        (bodies.entity, bodies.flags, bodies.rest, bodies.first_shape), (shapes.entity, shapes.body, shapes.next),
        (contacts.pair, contacts.info), state.free.flat("table"), plan, lists, counts,
    )  # fmt: skip
    return None if n < 0 else plan[: PLAN * n], lists, counts


def _make_room(state: State, links: Links, n_bodies: int, n_shapes: int) -> None:
    """Add rows to Bodies and Shapes if these numbers are above 0, and give the links the sizes of their tables."""
    for table, missing in ((state.bodies, n_bodies), (state.shapes, n_shapes)):
        if missing > 0:
            table.resize(table.used + missing)
    links.make_room(state.world)
    room = state.columns[2].used
    if len(links.holders) != room:
        holders, links.holders = links.holders, np.zeros(room, np.int32)
        links.holders[: len(holders)] = holders[:room]


def _solver_columns(state: State, links: Links) -> tuple[Any, ...]:
    """Return the arguments of `update_bodies` from `entity` to `free`."""
    bodies, shapes, free, cache, scaled = state.bodies, state.shapes, state.free, links.cache, state.scaled
    places, table = state.columns[:2]
    return (
        bodies.flat("entity"), bodies.cached(body_arrays), shapes.cached(shape_arrays),
        cache.bodies.cached(body_arrays), cache.shapes.cached(shape_arrays),
        (places.flat("position"), places.flat("rotation"), places.flat("scale")),
        (table.flat("velocity"), table.flat("angular_velocity"), table.flat("asleep")),
        (bodies.flat("pose"), scaled.speculative, scaled.margin), (free.flat("table"), free.flat("slot")),
    )  # fmt: skip


def _copies(state: State, links: Links, plan: Array, added: Array) -> Array | None:
    """Return the cached rows of added bodies, see `single_kernels.add_bodies`; None if one is not in the cache."""
    copies: list[int] = []
    if len(added):
        cached = cache_of(state, links).rows
        for number in added.tolist():
            place, body, form = plan[PLAN * number + PLACE : PLAN * number + FORM + 1].tolist()
            rows = cached.get(key_of(state, place, body, form))
            if rows is None:
                return None
            copies += rows
    return np.array(copies, np.int64)

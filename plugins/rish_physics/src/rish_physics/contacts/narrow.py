"""The narrow phase: computes the contact points and separations of each contact.

A pair that hardly moved since its manifold was computed keeps it: only the separations are computed again, from the
same two points (contact recycling, as in Box2D 3.2). That costs a third of a full collision test, and stacks become
more stable, because their points do not move. Otherwise boxes and circles have their own kernels; all other pairs use
one kernel for any two rounded hulls and one for chains, which are compiled only when they are needed. A separated pair
stores its separation, and is skipped until it has moved that far.

Sensors only test for overlap. A one-way shape is solid for shapes that move against its direction; others pass through
it until they no longer overlap. Contacts whose fat boxes no longer overlap are removed from the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_jit.simd import LANES

from ..geometry.collide.convex import PAIR_SIZE
from . import rows as contacts
from .narrow_kernels import meet_chains, meet_hulls, meet_simple, sense, settle

if TYPE_CHECKING:
    from .state import State


TIE = np.float32(0.1)
"""The share of the slop by which a face must be better to become the reference face."""


def collide(state: State, result: tuple[Any, ...] | None = None) -> None:
    """Update the manifolds of all active contacts. result: the result of `meet_simple`, if it was called already.

    Contacts that began or ended to touch get the flag BEGAN or ENDED and are listed in `state.changed`; touching
    contacts that were removed are in `Ended`.
    """
    if result is None:
        arguments = state.arguments.get("collide") or _arguments(state)
        result = meet_simple(*arguments), arguments[-1]
    counts, lists = result
    if counts != _NOTHING:
        _finish(state, lists, counts)


_LISTS = ("narrow.gone", "narrow.changed", "narrow.hard", "narrow.chained", "narrow.sensed")
_NOTHING = (0,) * len(_LISTS)


def _arguments(state: State) -> tuple[Any, ...]:
    """Return the arguments of `meet_simple`, and cache them."""
    contacts, shapes, scaled = state.flats(state.contacts), state.flats(state.shapes), state.scaled
    take = state.scratch.take
    arguments = state.arguments["collide"] = (
        state.active,
        (contacts.pair, contacts.manifold, contacts.ids, contacts.info),
        state.flats(state.bodies).pose,
        (shapes.flags, shapes.size, shapes.fat),
        (scaled.speculative, scaled.recycle, TIE * scaled.slop),
        (
            take("narrow.who", 5 * LANES, np.int32),
            take("narrow.what", 2 * LANES),
            take("narrow.rest", len(state.active), np.int32),
        ),
        tuple([take(name, len(state.active), np.int32) for name in _LISTS]),
    )
    return arguments


def _finish(state: State, lists: tuple[Any, ...], counts: tuple[int, ...]) -> None:
    """Compute the manifolds of contacts that `meet_simple` has left, and process changed contacts. lists: see
    `_LISTS`. counts: the length of each list.
    """
    table, shapes = state.contacts, state.shapes
    apart, changed, hard, chained, sensed = lists
    n_gone, n_changed, n_hard, n_chained, n_sensed = counts
    if n_hard:
        n_changed = _meet(state, hard[:n_hard], False, changed, n_changed)
    if n_chained:
        n_changed = _meet(state, chained[:n_chained], True, changed, n_changed)
    if n_sensed:
        n_changed = sense(
            sensed[:n_sensed], table.flat("pair"), table.flat("info"), state.bodies.flat("pose"), shapes.flat("flags"),
            shapes.flat("size"), shapes.flat("hull"), changed, n_changed, state.scratch.take("narrow.both", PAIR_SIZE),
        )  # fmt: skip
    if n_changed:
        state.changed = np.sort(changed[:n_changed])
    if n_gone:
        contacts.remove(state, apart[:n_gone])
        state.refresh()


def _meet(state: State, rows: Array, chains: bool, changed: Array, n_changed: int) -> int:
    """Collide pairs of hulls, or of a chain and a hull; return the new length of `changed`."""
    table, bodies, shapes = state.flats(state.contacts), state.flats(state.bodies), state.flats(state.shapes)
    scaled, take = state.scaled, state.scratch.take
    pair, manifold, pose = table.pair, table.manifold, bodies.pose
    flags, size, hull = shapes.flags, shapes.size, shapes.hull
    both, names = take("narrow.both", PAIR_SIZE), take("narrow.names", 2 * len(rows), np.int32)
    counts = take("narrow.counts", len(rows), np.int32)
    limits = scaled.speculative, TIE * scaled.slop
    if chains:
        meet_chains(rows, pair, manifold, flags, size, hull, shapes.middle, pose, *limits, both, names, counts)
    else:
        meet_hulls(rows, pair, manifold, flags, size, hull, pose, *limits, both, names, counts)
    return settle(
        rows, pair, manifold, table.ids, table.info, pose, bodies.state, flags, hull, shapes.surface, scaled.slop,
        np.float32(state.dt), names, counts, changed, n_changed,
    )  # fmt: skip

"""Blocks contain every touching contact once, and no movable body twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physics_rig import empty_world, t

from long_runs import long
from rish_physics.contacts.state import State
from rish_physics.solver.color import COLD, ONE, PARTS, STILL, TWO, Coloring

KINDS = (t.DYNAMIC | t.AWAKE, t.DYNAMIC, t.STATIC, t.KINEMATIC | t.AWAKE)


def world_of(kinds: list[int], contacts: list[tuple[int, int, int, int]]) -> State:
    """Return a state with bodies of these kinds from slot 1 on; contacts as body A, body B, number of points, flags."""
    world = empty_world()
    world[t.Bodies].append(len(kinds), flags=np.array(kinds, np.int32) | t.USED | t.ENABLED)
    rows = np.array(contacts, np.int32).reshape(-1, 4)
    pair = np.stack([rows[:, 0], rows[:, 1], rows[:, 0], rows[:, 1]], 1)
    if len(rows):
        world[t.Contacts].append(len(rows), pair=pair, info=np.ascontiguousarray(rows[:, 2:]))
    state = State.of(world)
    state.refresh()
    return state


def check(state: State) -> tuple[Any, Any]:
    """Assert the properties of the blocks; return order and parts."""
    coloring = Coloring()
    count = coloring.color(state)
    order, parts = coloring.order[: 8 * count], coloring.parts
    flags, pair, info = state.bodies.flags, state.contacts.pair, state.contacts.info
    moves = (flags & (t.TYPE | t.AWAKE)) == (t.DYNAMIC | t.AWAKE)
    bodies = pair[:, 2:]
    wanted = (info[:, 0] > 0) & ((info[:, 1] & (t.IS_SENSOR | t.PASSES_THROUGH)) == 0) & moves[bodies].any(1)
    assert sorted(order[order >= 0].tolist()) == np.flatnonzero(wanted).tolist()
    assert parts[0] == 0
    assert parts[-1] == count
    for part in range(PARTS):
        for block in range(parts[part], parts[part + 1]):
            rows = order[8 * block : 8 * block + 8]
            rows = rows[rows >= 0]
            moving = bodies[rows][moves[bodies[rows]]]
            assert len(set(moving.tolist())) == len(moving)
            assert (moves[bodies[rows]].all(1) == (part < STILL)).all()
            kind = np.where((info[rows, 1] & t.IS_COLD) != 0, COLD, np.where(info[rows, 0] == 2, TWO, ONE))
            assert (kind == part % STILL).all()
    return order, parts


bodies_and_contacts = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.sampled_from(KINDS), min_size=n, max_size=n),
        st.lists(
            st.tuples(
                st.integers(1, n),
                st.integers(1, n),
                st.integers(0, 2),
                st.sampled_from([0, t.IS_COLD, t.IS_SENSOR, t.PASSES_THROUGH, t.IS_COLD | t.TOUCHING]),
            ).filter(lambda c: c[0] != c[1]),
            max_size=90,
        ),
    )
)


@pytest.mark.slow
@settings(deadline=None, max_examples=long(150, 30))
@given(bodies_and_contacts)
def test_blocks_are_valid(drawn: Any) -> None:
    """Any contacts are each in the right part once, and no block has a moving body twice."""
    check(world_of(*drawn))


def test_a_body_with_more_contacts_than_colors() -> None:
    """A body with more contacts than colors gets a block for each further contact, and the buffer grows."""
    many = 300
    kinds = [KINDS[0]] * (many + 1)
    order, parts = check(world_of(kinds, [(1, k + 2, 2, 0) for k in range(many)]))
    assert parts[1] == many
    assert (order >= 0).sum() == many
    kinds = [KINDS[0]] + [t.STATIC] * many
    order, parts = check(world_of(kinds, [(1, k + 2, 1, 0) for k in range(many)]))
    assert parts[STILL + ONE + 1] - parts[STILL + ONE] == many


def test_a_kinematic_body_takes_no_colors() -> None:
    """A thousand bodies on one kinematic platform are solved eight at a time."""
    kinds = [KINDS[3]] + [KINDS[0]] * 1000
    _, parts = check(world_of(kinds, [(1, k + 2, 2, 0) for k in range(1000)]))
    assert parts[-1] == 125


def test_the_order_follows_the_contacts() -> None:
    """Contacts of one color are in the order of the table."""
    order, parts = check(world_of([KINDS[0]] * 40, [(2 * k + 1, 2 * k + 2, 2, 0) for k in range(20)]))
    for block in range(parts[0], parts[1]):
        rows = order[8 * block : 8 * block + 8]
        rows = rows[rows >= 0]
        assert (np.diff(rows) > 0).all()

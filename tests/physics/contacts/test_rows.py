"""Rows of contacts are added and removed without changing others."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_physics.broad.pair_set import PairSet
from rish_physics.components import tables as t
from rish_physics.contacts import pairs
from rish_physics.contacts import rows as contacts


@pytest.fixture
def pile(rig: ModuleType) -> Any:
    """Return a small pyramid whose pairs are known, each row with its number in some columns."""
    made = rig.Rig("pyramid20")
    pairs.update(made.state)
    table = made.world[t.Contacts]
    table.manifold[:, 5] = table.ids[:, 1] = table.cold[:, 3] = np.arange(len(table))
    return made


@settings(max_examples=long(30, 10), deadline=None)
@given(seed=st.integers(0, 10**6), share=st.sampled_from([0.0, 0.01, 0.3, 0.9, 1.0]))
def test_removing_rows_is_taking_the_last_row_for_each_hole(rig: ModuleType, seed: int, share: float) -> None:
    """A removed row is replaced by the last row, from the highest removed row down, and the set of pairs is updated."""
    made = rig.Rig("pyramid20")
    state = made.state
    pairs.update(state)
    table = made.world[t.Contacts]
    table.manifold[:, 5] = table.ids[:, 1] = table.cold[:, 3] = np.arange(len(table))
    random = np.random.default_rng(seed)
    rows = np.flatnonzero(random.random(len(table)) < share)
    model = [(tuple(pair.tolist()), k) for k, pair in enumerate(table.pair)]
    for row in rows[::-1]:
        model[row] = model[-1]
        model.pop()
    contacts.remove(state, rows)
    assert [(tuple(pair.tolist()), int(k)) for pair, k in zip(table.pair, table.ids[:, 1], strict=True)] == model
    assert np.array_equal(table.manifold[:, 5], table.ids[:, 1])
    assert np.array_equal(table.cold[:, 3], table.ids[:, 1])
    anew = PairSet()
    anew.fill(table.pair[:, :2])
    keys = state.index.pairs.keys
    assert state.index.pairs.count == anew.count == len(model)
    assert np.array_equal(np.sort(keys[keys != 0]), np.sort(anew.keys[anew.keys != 0]))


def test_pairs_that_touched_are_noted_when_they_go(pile: Any) -> None:
    """Removed pairs that were touching are stored in `Ended`, in the order of their rows."""
    table, ended = pile.world[t.Contacts], pile.world[t.Ended]
    table.info[[4, 9, 11], 1] |= t.TOUCHING
    wanted = pile.world[t.Shapes].entity[table.pair[[4, 11], :2]]
    contacts.remove(pile.state, np.array([2, 4, 11]))
    assert np.array_equal(np.column_stack([ended.a, ended.b]), wanted)


def test_contacts_of_freshened_bodies_are_evaluated_once_more(pile: Any) -> None:
    """`request_update` makes the contacts of some bodies active for one step, though all bodies sleep."""
    table, state = pile.world[t.Contacts], pile.state
    table.info[:, 1] = 0
    state.bodies.flags[:] &= ~t.AWAKE
    state.stale()
    state.refresh()
    assert len(state.active) == 0
    contacts.request_update(state, np.array([3]))
    state.refresh()
    assert np.array_equal(state.active, np.flatnonzero((table.pair[:, 2:] == 3).any(axis=1)))
    assert state.fresh == len(state.active) > 0


@pytest.mark.parametrize("seed", range(6))
def test_what_changed_is_still_listed_when_rows_move(pile: Any, seed: int) -> None:
    """The list of changed contacts follows the moved rows, without removed ones, and leaves no flags in the table."""
    table, state, random = pile.world[t.Contacts], pile.state, np.random.default_rng(seed)
    state.refresh()
    changed = np.flatnonzero(random.random(len(table)) < 0.3)
    marks = table.info[:, 1].copy()
    state.changed = changed.astype(np.int32)
    gone = np.flatnonzero(random.random(len(table)) < (0.05, 0.5, 0.95)[seed % 3])
    contacts.remove(state, gone)
    wanted = np.setdiff1d(changed, gone)
    assert state.changed.tolist() == np.flatnonzero(np.isin(table.ids[:, 1], wanted)).tolist()
    assert np.array_equal(table.info[:, 1], marks[table.ids[:, 1]])
    state.refresh()
    assert state.active.tolist() == list(range(len(table)))


def test_a_new_row_is_empty(pile: Any) -> None:
    """A new row has no points, impulses or features, whatever was stored in its place before, and is fresh."""
    table = pile.world[t.Contacts]
    for name in ("manifold", "ids", "info", "cold"):
        table.column(name)[:] = 7
    contacts.remove(pile.state, np.arange(len(table)))
    shapes = pile.world[t.Shapes]
    shapes.flags[2] |= t.SENSOR
    shapes.flags[3] |= t.COLD
    pile.state.moved = np.arange(len(shapes), dtype=np.int32)
    shapes.flags[:] |= t.MOVED
    pairs.update(pile.state)
    assert len(table) > 100
    for name in ("manifold", "ids", "cold"):
        assert not table.column(name).any()
    assert not table.info[:, 0].any()
    sensed, cold = (table.pair[:, :2] == 2).any(axis=1), (table.pair[:, :2] == 3).any(axis=1)
    assert np.array_equal(table.info[:, 1], t.NEEDS_UPDATE + t.IS_SENSOR * sensed + t.IS_COLD * cold)
    assert np.array_equal(table.pair[:, 2:], shapes.body[table.pair[:, :2]])


def test_contacts_of_shapes_bodies_and_pairs_can_be_taken_out(pile: Any) -> None:
    """Contacts of shapes, of bodies, and between two bodies can be removed, and no others are."""
    table, state = pile.world[t.Contacts], pile.state
    before = {tuple(row) for row in table.pair.tolist()}
    contacts.remove_of_shapes(state, np.array([5]))
    contacts.remove_of_bodies(state, np.array([9, 12]))
    a, b = next((row[2], row[3]) for row in table.pair.tolist())
    contacts.remove_between(state, np.array([[b, a], [0, 0]]))
    left = {tuple(row) for row in table.pair.tolist()}
    assert left == {row for row in before if 5 not in row[:2] and not {9, 12} & set(row[2:]) and (a, b) != row[2:]}

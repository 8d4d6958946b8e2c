"""The set of pairs, compared with Python's set."""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from long_runs import long
from rish_physics.broad.pair_set import PairSet, delete_key, home_of, insert_keys, key_of, place_of

SLOTS = st.integers(0, 40) | st.integers(0, 2**31 - 1)
PAIRS = st.tuples(SLOTS, SLOTS).filter(lambda pair: pair[0] != pair[1])


def number(pair: tuple[int, int]) -> np.uint64:
    """Return the key of a pair, computed with Python's integers."""
    return np.uint64(((min(pair) << 32) | max(pair)) + 1)


class AgainstSet(RuleBasedStateMachine):
    """Adding, removing and refilling in any order gives the same as a set."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs, self.model = PairSet(), set[tuple[int, int]]()

    @rule(new=st.lists(PAIRS, max_size=30))
    def add(self, new: list[tuple[int, int]]) -> None:
        """Add many pairs, some of them known or given twice."""
        ordered = {(min(pair), max(pair)) for pair in new}
        added = self.pairs.add(np.array([number(pair) for pair in new], np.uint64))
        assert added == len(ordered - self.model)
        self.model |= ordered

    @rule(pair=PAIRS)
    def discard_any(self, pair: tuple[int, int]) -> None:
        """Discard a pair that may be missing."""
        ordered = (min(pair), max(pair))
        found = delete_key(self.pairs.keys, number(pair))
        assert found == (ordered in self.model)
        self.pairs.count -= found
        self.model.discard(ordered)

    @rule(data=st.data())
    def discard_known(self, data: st.DataObject) -> None:
        """Discard a pair that is in the set."""
        if self.model:
            pair = data.draw(st.sampled_from(sorted(self.model)))
            assert delete_key(self.pairs.keys, number(pair))
            self.pairs.count -= 1
            self.model.discard(pair)

    @rule()
    def refill(self) -> None:
        """Fill the set from a table of rows, as after a restore."""
        rows = np.array([(*pair, 0, 0) for pair in sorted(self.model)], np.int32)
        self.pairs.fill(rows.reshape(-1, 4)[:, :2])

    @invariant()
    def holds_the_same(self) -> None:
        """Exactly the keys of the model are in the set, and each is found."""
        keys = self.pairs.keys
        assert self.pairs.count == len(self.model)
        assert set(keys[keys != 0].tolist()) == {int(number(pair)) for pair in self.model}
        places = [place_of(keys, number(pair), np.uint64(len(keys) - 1)) for pair in self.model]
        assert all(keys[places] != 0)
        assert 2 * len(self.model) <= len(keys)


AgainstSet.TestCase.settings = settings(max_examples=long(200, 20), stateful_step_count=30, deadline=None)
TestAgainstSet = AgainstSet.TestCase


def test_no_key_lies_beyond_a_gap_after_its_home() -> None:
    """Deleting moves keys up, so that a search that ends at an empty slot misses none."""
    random = np.random.default_rng(3)
    pairs, mask = PairSet(), np.uint64(0)
    known = [number((int(a), int(b) + 2000)) for a, b in random.integers(0, 2000, (3000, 2))]
    pairs.add(np.array(known, np.uint64))
    for key in known[::3]:
        delete_key(pairs.keys, key)
    keys = pairs.keys
    mask = np.uint64(len(keys) - 1)
    for place in np.flatnonzero(keys):
        step = home_of(keys[place], mask)
        while step != place:
            assert keys[step] != 0
            step = (step + np.uint64(1)) & mask


def test_the_key_of_a_pair_is_the_same_in_either_order() -> None:
    """The order of a pair does not change its key."""
    assert key_of(np.int64(3), np.int64(9)) == key_of(np.int64(9), np.int64(3)) == number((3, 9))


def test_neighbors_and_floors_do_not_pile_up() -> None:
    """Pairs of neighboring slots, and of one slot with thousands of others, are stored near their home slots."""
    a = np.arange(5000)
    for b in (a + 1, a + 71, np.full(5000, 9000)):
        pairs = PairSet()
        pairs.fill(np.stack([a, b], 1).astype(np.int32))
        place = np.flatnonzero(pairs.keys).astype(np.uint64)
        mask = np.uint64(len(pairs.keys) - 1)
        far = [(p - home_of(pairs.keys[p], mask)) & mask for p in place]
        assert np.mean(far) < 1


def test_deleting_from_an_empty_set_does_nothing() -> None:
    """Deleting from an empty set, or an unknown key, returns False."""
    keys = np.zeros(64, np.uint64)
    assert not delete_key(keys, number((1, 2)))
    assert insert_keys(keys, np.array([number((1, 2))] * 2, np.uint64)) == 1
    assert not delete_key(keys, number((1, 3)))
    assert np.count_nonzero(keys) == 1

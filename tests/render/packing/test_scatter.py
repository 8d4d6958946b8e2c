"""Scattering: the sprites packed in a block are moved to the ranges of their groups, and gaps are closed."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.packing.lanes import GOOD
from rish_render.packing.order import order_of
from rish_render.packing.scatter import all_good, close_gaps, scatter, scatter_good, tell_states


def block(seed, states, groups=5, count=200):
    """Return one block's keys, order, rows, states, and the start of each group's range."""
    random = np.random.default_rng(seed)
    key = random.integers(0, groups, count).astype(np.uint32)
    rows = np.arange(2 * count, dtype=np.uint64)
    state = random.choice(states, count).astype(np.uint8)
    sizes = np.bincount(key, minlength=groups)
    starts = (np.cumsum(sizes) - sizes).astype(np.uint32)
    return key, order_of(key), rows, state, starts


def walk(order):
    """Return the order as arguments of the kernels."""
    first, last = (np.uint64(number) for number in order.blocks)
    return np.uint64(0), order.places, first, last, order.ends, order.group


@pytest.mark.parametrize("states", [[1], [0, 1], [0]])
def test_groups_get_what_is_packed(states):
    """Each group gets its packed sprites in order of number, and the gaps between groups are closed."""
    key, order, rows, state, starts = block(3, states)
    cursor, out, taken = starts.copy(), np.zeros(400, np.uint64), np.zeros(len(order.ends), np.uint16)
    if states == [1]:
        scatter_good(*walk(order), cursor, rows, taken, out)
    else:
        none = np.zeros(0, np.int32)
        assert scatter(*walk(order), cursor, rows, state, taken, out, none, none, 0) == 0
    counts = np.zeros(5, np.int64)
    total = int(close_gaps(starts, cursor, counts, out, np.zeros(0, np.int32)))
    wanted = [n for group in range(5) for n in range(200) if key[n] == group and state[n] == 1]
    assert total == len(wanted)
    assert out[: 2 * total : 2].tolist() == [2 * n for n in wanted]
    assert counts.tolist() == [sum(key[n] == group for n in wanted) for group in range(5)]
    assert taken.tolist() == counts[order.group].tolist()


def test_what_does_not_fit_is_noted():
    """A sprite that does not fit is listed with its number and place in its group; each packed one with its source."""
    key, order, rows, state, starts = block(4, [0, 1, 2])
    cursor, out, source = starts.copy(), np.zeros(400, np.uint64), np.zeros(200, np.int32)
    odd = np.zeros(400, np.int32)
    taken = np.zeros(len(order.ends), np.uint16)
    odds = scatter(*walk(order), cursor, rows, state, taken, out, source, odd, 0)
    found = {int(odd[2 * k]): int(odd[2 * k + 1]) - int(starts[key[odd[2 * k]]]) for k in range(odds)}
    wanted = {n: sum((key[:n] == key[n]) & (state[:n] == 1)) for n in range(200) if state[n] == 2}
    assert found == wanted
    total = int(close_gaps(starts, cursor, np.zeros(5, np.int64), out, source))
    assert (out[: 2 * total : 2] == 2 * source[:total]).all()


def test_what_is_said_of_eight_becomes_a_state_each():
    """A visible sprite that fits gets state 1, one that does not fit 2; one invisible or without a valid angle 0."""
    words = np.full(32, GOOD, np.uint64)
    state = np.zeros(256, np.uint8)
    assert all_good(words)
    words[1] &= ~np.uint64(1 << 6)  # sprite 11 is outside the view
    words[2] &= ~np.uint64(1 << 17)  # sprite 16 is too large
    words[3] &= ~np.uint64(1 << 39)  # sprite 31 has no valid angle
    assert not all_good(words)
    tell_states(words, state)
    assert {k: int(state[k]) for k in np.flatnonzero(state != 1)} == {11: 0, 16: 2, 31: 0}

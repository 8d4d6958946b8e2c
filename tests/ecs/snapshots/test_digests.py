"""Digests: the kernel and numpy agree, and every bit counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rish_jit
from rish_ecs.snapshots import digests
from rish_ecs.snapshots.digests import (
    BLOCK,
    ITEMS,
    KEYS,
    LENGTHS,
    MORE,
    TEXT,
    Rest,
    Rows,
    _digest_kernel,
    _digest_numpy,
    digest_parts,
)

SIZES = (0, 1, 2, 3, 7, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1, 6 * BLOCK + 5)
"""The numbers of int32 in the tested arrays. Two make one 64-bit word."""
SPANS = np.array([[4, 3], [0, 0], [7, 1], [0, 4]], np.int32)
ROOM = 11


class State:
    """Parts of many kinds and sizes, and the arrays that contain them."""

    def __init__(self, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        self.plain = [random.integers(-(2**31), 2**31, size).astype(np.int32) for size in SIZES]
        self.text = [random.integers(-1, 9, size).astype(np.int32) for size in SIZES]
        self.bytes = random.integers(0, 256, 13).astype(np.uint8)
        self.spans = SPANS.copy()
        self.items = random.integers(0, 256, 3 * ROOM).astype(np.uint8)
        self.words = random.integers(0, 9, 12).astype(np.int32)
        self.rest = random.integers(0, 2**63, 9).astype(np.uint64)
        self.texts = random.integers(0, 2**63, 16).astype(np.uint64)
        arrays = [*self.plain, *self.text, self.plain[3], self.bytes, self.spans, self.spans, self.items,
                  self.spans, self.words]  # fmt: skip
        kinds = [0] * len(SIZES) + [TEXT] * len(SIZES) + [MORE, 0, LENGTHS, ITEMS, 0, ITEMS | TEXT, 0]
        widths = [4] * 2 * len(SIZES) + [4, 1, 8, 8, 3, 8, 4]
        counts = [*SIZES, *SIZES, SIZES[3], 13, 4, 4, ROOM, 4, 12]
        self.parts = 2 * len(SIZES) + 3 + 2
        self.rows = Rows(
            np.array([array.ctypes.data for array in arrays]), np.array(widths), np.arange(len(arrays))[::-1].copy(),
            np.array(kinds, np.uint8), np.array(counts[::-1]), random.permutation(self.parts),
        )  # fmt: skip
        self.lying = Rest(self.rest, np.array([0, 4, 9]), np.array([0, 0], np.uint8))

    def digest(self, how: Any, room: int = 1 << 15) -> np.ndarray:
        """Compute the digest by kernel or numpy; return (n + 1, 2): two lanes per part, by rank, and two over all."""
        out = np.zeros(2 * self.parts + 2, np.uint64)
        assert how(*self.rows, *self.lying, self.texts, KEYS, np.full(room, 7, np.uint64), out) == 0
        return out.reshape(-1, 2)


compiled = pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")


@compiled
def test_the_kernel_and_numpy_agree() -> None:
    """The kernel and numpy agree on parts of every size around the block, on texts, pools, and split parts."""
    for seed in range(3):
        state = State(seed)
        assert (state.digest(_digest_kernel) == state.digest(_digest_numpy)).all()


@compiled
@pytest.mark.parametrize("room", [0, 1, 2, 5, 100])
def test_too_little_room_is_asked_for(room: int) -> None:
    """The kernel never writes beyond its buffer: it returns the size that it needs and works with it."""
    state = State()
    expected, out = state.digest(_digest_numpy), np.zeros(2 * state.parts + 2, np.uint64)
    for _ in range(20):
        held = np.full(room + 8, 7, np.uint64)
        need = _digest_kernel(*state.rows, *state.lying, state.texts, KEYS, held[:room], out)
        assert (held[room:] == 7).all()
        if not need:
            break
        assert need > room
        room = need
    assert (out.reshape(-1, 2) == expected).all()


def test_every_bit_counts_for_its_part_and_for_the_whole() -> None:
    """A flipped bit changes the digest of its part and of the total, and of no other part."""
    state = State()
    before = state.digest(_digest_numpy)
    ranks = state.rows.ranks
    for size in (1, 3, 6, 8):
        array = state.plain[size]
        for place in (0, len(array) - 1):
            for bit in (0, 31):
                array.view(np.uint32)[place] ^= np.uint32(1 << bit)
                after = state.digest(_digest_numpy)
                array.view(np.uint32)[place] ^= np.uint32(1 << bit)
                differs = set(np.flatnonzero((after != before).all(axis=1)).tolist())
                assert differs == {int(ranks[size]), state.parts} | (
                    {int(ranks[2 * len(SIZES)])} if size == 3 else set()
                )


def test_a_pool_counts_by_content() -> None:
    """A pool's digest depends on the items of each row, not on their place in the pool."""
    state = State()
    before = state.digest(_digest_numpy)
    state.items[12:21], state.spans[0] = state.items[12:21].copy(), (4, 3)
    assert (state.digest(_digest_numpy) == before).all()
    held = state.items.copy()
    state.items[:9], state.items[9:21] = held[12:21], held[:12]  # rows of 3 and of 4 items change places
    words = state.words.copy()
    state.words[:3], state.words[3:7] = words[4:7], words[:4]
    state.spans[0], state.spans[3] = (0, 3), (3, 4)
    assert (state.digest(_digest_numpy) == before).all()
    state.spans[0], state.spans[3] = (0, 4), (4, 3)
    assert (state.digest(_digest_numpy) != before).any()


@compiled
def test_spans_that_point_nowhere_are_passed_over() -> None:
    """Invalid spans in a pool are ignored, and no foreign memory is read."""
    state = State()
    state.spans[1] = (-5, 9)
    state.spans[2] = (3, 2**31 - 1)
    state.spans[3] = (7, -1)
    assert (state.digest(_digest_kernel) == state.digest(_digest_numpy)).all()


def test_the_same_change_twice_is_seen() -> None:
    """Two flipped signs do not cancel each other out, as they would in a plain sum."""
    state = State()
    before = state.digest(_digest_numpy)
    state.plain[6].view(np.uint32)[[1, 3]] ^= np.uint32(1 << 31)
    assert (state.digest(_digest_numpy)[-1] != before[-1]).all()


def test_a_zero_more_is_another_part() -> None:
    """The digest depends on the length, also for zeros."""
    zeros, found = np.zeros(8, np.uint64), set()
    for size in range(5):
        one = (np.array([value]) for value in (zeros.ctypes.data, 8, 0))
        rows = Rows(*one, np.zeros(1, np.uint8), np.array([size]), np.zeros(1, np.int64))
        out = np.zeros(4, np.uint64)
        digest_parts(rows, Rest(zeros[:0], np.zeros(1, np.int64), np.zeros(0, np.uint8)), zeros, out)
        found.add(out.tobytes())
    assert len(found) == 5


def test_many_questions_bring_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """If numba is available, the kernel is compiled after some digests, and gives the same results."""
    state = State()
    monkeypatch.setattr(digests, "_asked", 0)
    monkeypatch.setattr(digests, "_room", np.zeros(0, np.uint64))
    expected = state.digest(_digest_numpy).ravel()
    for _ in range(30):
        out = np.zeros_like(expected)
        digest_parts(state.rows, state.lying, state.texts, out)
        assert (out == expected).all()

"""Digests: the kernel and numpy agree, and every bit counts."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import jit
from rish_core.ecs import digests
from rish_core.ecs.digests import BLOCK, KEYS, _digest_kernel, _digest_numpy, digest_parts

SIZES = (0, 1, 2, 7, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5)


def parts(seed: int = 1) -> tuple[np.ndarray, ...]:
    """Parts of many sizes, some of them text."""
    random = np.random.default_rng(seed)
    text = np.array([k % 3 == 1 for k in range(len(SIZES))], np.uint8)
    runs = []
    for size, kind in zip(SIZES, text, strict=True):
        numbers = random.integers(-1, 9, 2 * size).astype(np.int32)
        runs.append(numbers.view(np.uint64) if kind else random.integers(0, 2**63, size).astype(np.uint64))
    starts = np.zeros(len(SIZES) + 1, np.int64)
    np.cumsum(SIZES, out=starts[1:])
    ranks = random.permutation(len(SIZES)).astype(np.int64)
    texts = random.integers(0, 2**63, 16).astype(np.uint64)
    return np.concatenate(runs), starts, ranks, text, texts


def numpy_digests(given: tuple[np.ndarray, ...]) -> np.ndarray:
    """By the slow way."""
    out = np.zeros(2 * len(SIZES) + 2, np.uint64)
    _digest_numpy(*given, out)
    return out


@pytest.mark.skipif(not jit.available(), reason="kernels run as plain Python here")
def test_the_kernel_and_numpy_agree() -> None:
    """On parts of every size around the block, and on texts."""
    for seed in range(3):
        given = parts(seed)
        out = np.zeros(2 * len(SIZES) + 2, np.uint64)
        _digest_kernel(*given, KEYS, out)
        assert (out == numpy_digests(given)).all()


def test_every_bit_counts_for_its_part_and_for_the_whole() -> None:
    """A flipped bit changes the digest of its part, no other part's, and the one over all."""
    given = parts()
    before = numpy_digests(given).reshape(-1, 2)
    words, starts, ranks = given[0], given[1], given[2]
    for part in (3, 5, 6):
        for place in (starts[part], starts[part + 1] - 1):
            for bit in (0, 31, 32, 63):
                words[place] ^= np.uint64(1 << bit)
                after = numpy_digests(given).reshape(-1, 2)
                words[place] ^= np.uint64(1 << bit)
                differs = set(np.flatnonzero((after != before).all(axis=1)).tolist())
                assert differs == {int(ranks[part]), len(SIZES)}


def test_the_same_change_twice_is_seen() -> None:
    """Two signs that flip in two places don't cancel out, as in a plain sum."""
    given = parts()
    before = numpy_digests(given)[-2:]
    words, begin = given[0], int(given[1][6])
    words[begin] ^= np.uint64(1 << 63)
    words[begin + 1] ^= np.uint64(1 << 63)
    assert (numpy_digests(given)[-2:] != before).all()


def test_a_zero_more_is_another_part() -> None:
    """Length counts."""
    texts, ranks, kinds = np.zeros(1, np.uint64), np.zeros(1, np.int64), np.zeros(1, np.uint8)
    found = set()
    for size in range(5):
        out = np.zeros(4, np.uint64)
        digest_parts(np.zeros(size, np.uint64), np.array([0, size]), ranks, kinds, texts, out)
        found.add(out.tobytes())
    assert len(found) == 5


def test_many_questions_bring_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numba is there, it is made after some digests, and gives the same from then on."""
    given = parts()
    monkeypatch.setattr(digests, "_asked", 0)
    expected = numpy_digests(given)
    for _ in range(30):
        out = np.zeros_like(expected)
        digest_parts(*given, out)
        assert (out == expected).all()

"""Random streams: the published numbers, equal bits for all ways of calling, and independence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_ecs.declarations.resource import copy_plain
from rish_ecs.random import (
    RandomStreams,
    Stream,
    philox,
    random_bits,
    random_integer,
    random_normal,
    random_uniform,
    stream_key,
)
from rish_jit import njit
from rish_jit.errors import UsageError

KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
keys = st.integers(0, 2**63 - 1)
counters = st.integers(0, 2**62)


@njit
def drawn(key, counter, low, high):
    """Return one draw of each kind from a kernel."""
    return (
        random_bits(key, counter),
        random_uniform(key, counter),
        random_integer(key, counter, low, high),
        random_normal(key, counter),
    )


@njit
def philox_words(c, k):
    """Return the four words of a block."""
    return philox(c[0], c[1], c[2], c[3], k[0], k[1])


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_the_published_known_answers(counter, key, words) -> None:
    """Philox4x32-10 gives the known answers that Random123's authors published, for ints, arrays and kernels."""
    assert philox(*counter, *key) == words
    columns = [np.full(3, word, dtype=np.uint64) for word in counter]
    assert [word.tolist() for word in philox(*columns, *key)] == [[word] * 3 for word in words]
    assert philox_words(np.array(counter), np.array(key)) == words


@pytest.mark.slow
@settings(deadline=None)  # the first call compiles
@given(keys, counters, st.integers(-(2**31), 2**31), st.integers(1, 2**31))
def test_kernels_draw_the_same_bits(key: int, counter: int, low: int, count: int) -> None:
    """Plain Python, kernels and draw number `counter` of a stream give the same bits."""
    plain = drawn.py_func(key, counter, low, low + count)
    assert drawn(key, counter, low, low + count) == plain
    stream = Stream(key, counter)
    assert stream.bits() == plain[0]
    stream.counter = counter
    assert stream.uniform() == plain[1]
    stream.counter = counter
    assert stream.integers(low, low + count) == plain[2]
    stream.counter = counter
    assert stream.normal() == plain[3]


@pytest.mark.slow
def test_kernels_take_any_integer_type() -> None:
    """A kernel accepts a counter of any integer type."""
    plain = drawn(5, 7, 0, 10)
    for kind in long((np.int32, np.uint32, np.uint64), (np.uint32,)):
        assert drawn(kind(5), kind(7), 0, 10) == plain


@given(keys, st.integers(0, 9), st.integers(0, 40))
def test_an_array_holds_what_single_draws_give(key: int, start: int, count: int) -> None:
    """Drawing an array gives the same numbers as single draws, and the same counter."""
    for one, many in (
        (lambda s: s.bits(), lambda s: s.bits(count)),
        (lambda s: s.uniform(-2, 5), lambda s: s.uniform(-2, 5, count)),
        (lambda s: s.normal(1, 3), lambda s: s.normal(1, 3, count)),
        (lambda s: s.integers(-7, 2**62), lambda s: s.integers(-7, 2**62, count)),
        (lambda s: s.integers(3, 5), lambda s: s.integers(3, 5, size=(count,))),
        (lambda s: s.choice("abcd"), lambda s: s.choice(list("abcd"), count)),
    ):
        a, b = Stream(key, start), Stream(key, start)
        assert many(a).tolist() == [one(b) for _ in range(count)]
        assert a.counter == b.counter


@given(keys, counters)
def test_ranges(key: int, counter: int) -> None:
    """Uniform draws are in [0, 1), integers within their bounds, and normal draws finite."""
    assert 0.0 <= random_uniform(key, counter) < 1.0
    assert -3 <= random_integer(key, counter, -3, 4) < 4
    assert np.isfinite(random_normal(key, counter))


def test_moments_and_evenness() -> None:
    """200,000 draws have the mean, variance and uniformity of their distributions."""
    stream = RandomStreams(seed=11)["statistics"]
    n = 200_000
    uniform = stream.uniform(size=n)
    assert abs(uniform.mean() - 0.5) < 4 / np.sqrt(12 * n)
    assert abs(uniform.var() - 1 / 12) < 0.001
    normal = stream.normal(size=n)
    assert abs(normal.mean()) < 4 / np.sqrt(n)
    assert abs(normal.var() - 1) < 4 * np.sqrt(2 / n)
    assert abs((normal**3).mean()) < 4 * np.sqrt(15 / n)
    assert abs((np.abs(normal) > 1.959964).mean() - 0.05) < 0.002
    for cells, draws in ((100, uniform * 100), (37, stream.integers(0, 37, n))):
        counts = np.bincount(draws.astype(np.int64), minlength=cells)
        chi_square = ((counts - n / cells) ** 2 / (n / cells)).sum()
        assert abs(chi_square - (cells - 1)) < 4 * np.sqrt(2 * (cells - 1))
    ones = np.unpackbits(stream.bits(20_000).view(np.uint8)).mean()
    assert abs(ones - 0.5) < 4 * 0.5 / np.sqrt(20_000 * 64)


def test_streams_are_independent() -> None:
    """Streams of different names or seeds are uncorrelated, and so are consecutive numbers of a stream."""
    streams = RandomStreams(seed=1)
    n = 50_000
    a = streams["a"].uniform(size=n) - 0.5
    others = [streams["b"].uniform(size=n), RandomStreams(seed=2)["a"].uniform(size=n), np.roll(a, 1) + 0.5]
    for other in others:
        assert abs(np.corrcoef(a, other)[0, 1]) < 4 / np.sqrt(n)


def test_one_stream_never_disturbs_another() -> None:
    """A stream does not depend on draws from other streams."""
    quiet, busy = RandomStreams(seed=3), RandomStreams(seed=3)
    expected = [quiet["mine"].bits() for _ in range(5)]
    found = []
    for i in range(5):
        busy[f"other{i}"].uniform(size=100)
        found.append(busy["mine"].bits())
    assert found == expected


def test_the_state_is_a_seed_and_counters() -> None:
    """A copy of the plain fields continues with the same numbers."""
    streams = RandomStreams(seed=9)
    streams["x"].normal(size=3)
    copy = copy_plain(streams)
    assert copy.counters == {"x": 6}
    assert copy["x"].bits() == streams["x"].bits()
    assert copy["y"].bits() == streams["y"].bits()


def test_keys_are_pinned() -> None:
    """Keys for seed and name never change, because saved games depend on them."""
    assert stream_key(0, "") == 2177741894678003153
    assert stream_key(-1, "physics") == 7060803785446023258
    assert RandomStreams(seed=7)["a"].bits() == 7012053765773282927


def test_choice_and_shuffle() -> None:
    """`choice` returns one of the options; `shuffle` keeps all items and uses one number per item."""
    stream = Stream(4)
    assert stream.choice(["x"]) == "x"
    assert 0 <= stream.choice(5) < 5
    assert set(stream.choice(3, 200).tolist()) == {0, 1, 2}
    assert stream.choice(np.array([2.5, 3.5]), (4, 2)).shape == (4, 2)
    items, rows = list(range(50)), np.arange(50).repeat(2).reshape(50, 2)
    start = stream.counter
    stream.shuffle(items)
    assert stream.counter == start + 50
    assert sorted(items) == list(range(50)) != items
    stream.shuffle(rows)
    assert (rows[:, 0] == rows[:, 1]).all()
    assert sorted(rows[:, 0].tolist()) == list(range(50))


@pytest.mark.slow
def test_every_order_is_equally_likely() -> None:
    """1,500 shuffles of three items give each of the six orders about 250 times."""
    stream = Stream(8)
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(1500):
        items = [0, 1, 2]
        stream.shuffle(items)
        seen[tuple(items)] = seen.get(tuple(items), 0) + 1
    assert len(seen) == 6
    assert all(abs(count - 250) < 4 * np.sqrt(250) for count in seen.values())


def test_requests_that_make_no_sense_are_refused() -> None:
    """An empty range, an empty choice and a negative size raise UsageError and draw nothing."""
    stream = Stream(1)
    with pytest.raises(UsageError, match="no whole number from 3 to below 3"):
        stream.integers(3, 3)
    with pytest.raises(UsageError, match="nothing to choose from"):
        stream.choice([])
    with pytest.raises(UsageError, match="negative"):
        stream.bits(-1)
    assert stream.counter == 0

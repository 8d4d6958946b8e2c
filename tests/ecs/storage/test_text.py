"""Text: interned strings by number, and pools for rows of any length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_ecs.declarations.columns import Chars
from rish_ecs.declarations.component import component, field, kind_of
from rish_ecs.storage.table import Columns
from rish_ecs.storage.text import Pool, RaggedView, TextTable
from rish_jit.errors import UsageError


def test_interning() -> None:
    """A text keeps its number; 0 is the empty text; `find` adds nothing."""
    texts = TextTable(["a", "b", "a"])
    assert texts.texts == ["", "a", "b"]
    assert (texts.intern("b"), texts.intern("c"), texts.intern("")) == (2, 3, 0)
    assert (texts.find("c"), texts.find("d"), len(texts)) == (3, -1, 4)
    assert type(texts.texts[texts.intern(np.str_("n"))]) is str


def test_encoding() -> None:
    """Texts, known numbers and arrays of either are encoded as numbers."""
    texts = TextTable(["a", "b"])
    assert texts.encode("b") == 2
    assert texts.encode(np.int32(1)) == 1
    assert texts.encode(("c", "a")).tolist() == [3, 1]
    assert texts.encode(np.array(["a", 2, "d"], object)).tolist() == [1, 2, 4]
    assert texts.encode(np.array([0, 4], np.int32)).tolist() == [0, 4]
    assert texts.encode(()).tolist() == []


@pytest.mark.parametrize("value", [9, -1, np.array([0, 9]), np.array([-1, 0])])
def test_unknown_numbers(value: Any) -> None:
    """A number without a text is refused."""
    with pytest.raises(UsageError, match=r"is not the number of a text. Give the text itself"):
        TextTable(["a"]).encode(value)


def test_half_characters() -> None:
    """Text that cannot be encoded as UTF-8 is refused."""
    texts = TextTable()
    with pytest.raises(UsageError, match="half of a surrogate pair"):
        texts.intern("\udc00")
    assert len(texts) == 1


@given(st.lists(st.text()))
def test_digests_depend_on_the_text_alone(words: list[str]) -> None:
    """Two tables with different numbers give the same text the same digest."""
    one, two = TextTable(), TextTable(["first", *reversed(words)])
    for word in words:
        number = one.intern(word)
        assert one.digests(np.array([number]))[0] == two.digests(np.array([two.find(word)]))[0]
    assert len(set(one.digests(np.arange(len(one))).tolist())) == len(one)


@given(st.lists(st.lists(st.integers(-99, 99), max_size=6), max_size=10))
def test_pool_gathers_what_was_put(rows: list[list[int]]) -> None:
    """Items of a pool are gathered in the order of the rows, also after compaction."""
    pool = Pool(np.dtype(np.int32), ())
    spans = np.zeros((len(rows), 2), np.int32)
    items = [np.array(row, np.int32) for row in rows]
    pool.put(spans, slice(0, len(rows)), items)
    expected = [item for row in rows for item in row]
    assert pool.gather(spans).tolist() == expected
    order = np.arange(len(rows))[::-1]
    pool.put(spans, order, items)
    assert pool.gather(spans).tolist() == [item for row in reversed(rows) for item in row]
    pool.fill(spans, pool.gather(spans))
    assert (pool.used, pool.garbage) == (len(expected), 0)


def test_pool_shares_nothing_between_rows() -> None:
    """One value for many rows is copied for each row."""
    pool = Pool(np.dtype(np.float32), (2,))
    spans = np.zeros((3, 2), np.int32)
    pool.put(spans, slice(0, 3), np.ones((2, 2), np.float32))
    pool.items[int(spans[1, 0])] = 9
    assert [pool.items[start].tolist() for start, _ in spans.tolist()] == [[1, 1], [9, 9], [1, 1]]


def test_ragged_view() -> None:
    """A pooled column reads and writes rows, all of them or a selection."""

    @component
    class Noted:
        note: Chars = "x"
        path: list[float] = field()

    columns = Columns(kind_of(Noted))
    columns.append(4)
    whole = columns.note
    whole[2] = "deux"
    assert list(whole) == ["x", "x", "deux", "x"]
    assert whole.spans.shape == (4, 2)
    assert whole.items is columns.pool_of("note").items
    some = RaggedView(columns, "note", np.array([3, 2]))
    some[0] = "three"
    assert (len(some), list(some), some.spans.shape) == (2, ["three", "deux"], (2, 2))
    assert columns.note[3] == "three"

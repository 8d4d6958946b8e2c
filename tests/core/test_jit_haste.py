"""Shortcuts of the compiler: kernels mean what they meant, and a numba that is furnished differently keeps its ways."""

from __future__ import annotations

import gc
import logging
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from rish_core import jit, jit_haste
from rish_core.jit import njit
from rish_core.jit_haste import Undisturbed, hasten

pytestmark = pytest.mark.skipif(not jit.available(), reason="needs numba")


@njit
def index_all_ways(a, table, flags, rows, at, where):
    """Reads and writes with every sort of index and array."""
    a[at] = a[-1] + a[where]
    a[where] += np.float32(2)
    table[at, 1] = table[-1, 0]
    flags[at] = not flags[where]
    rows[at].x = rows[-1].x + 1
    part = a[1:3]
    part[-1] = np.float32(9)
    return a[at] + table[at, 1] + part[0], flags[at], rows[at].x


def sample() -> tuple[np.ndarray, ...]:
    """Arrays of numbers, of rows of numbers, of truths and of records."""
    rows = np.zeros(4, [("x", np.int32), ("y", np.float32)]).view(np.recarray)
    rows.x = [1, 2, 3, 4]
    return np.arange(4, dtype=np.float32), np.arange(8.0).reshape(4, 2), np.array([True, False, True, False]), rows


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint64, np.uint8, np.int8])
def test_all_indexing_means_what_it_meant(kind: type) -> None:
    """Signed and unsigned, from the end as well; slices, two dimensions, truths and records."""
    compiled, plain = sample(), sample()
    where = kind(2) if np.dtype(kind).kind == "u" else kind(-2)
    assert index_all_ways(*compiled, kind(1), where) == index_all_ways.py_func(*plain, kind(1), where)
    for one, other in zip(compiled, plain, strict=True):
        assert one.tobytes() == other.tobytes()


def test_arrays_that_are_not_contiguous_are_indexed_as_ever() -> None:
    """Every second number, backwards, and what may only be read."""

    @njit
    def total(a):
        result = 0.0
        for i in range(len(a)):
            result += a[i] - 2 * a[-1]
        return result

    numbers = np.arange(10.0)
    locked = numbers.copy()
    locked.flags.writeable = False
    for array in (numbers, numbers[::2], numbers[::-1], locked):
        assert total(array) == total.py_func(array)


def test_an_error_says_where_it_is() -> None:
    """The place in the kernel is named, though it is put together only now."""

    @njit
    def wrong(x):
        return x.there_is_no_such_thing

    numba_errors = pytest.importorskip("numba.core.errors")
    with pytest.raises(numba_errors.TypingError, match=r"there_is_no_such_thing[\s\S]*test_jit_haste\.py"):
        wrong(np.ones(3))


@njit(part=True)
def halved(x):
    """A part of others."""
    return x / 2


@njit(forceinline=True)
def squared(x):
    """Another, that is pasted in and calls the first."""
    return halved(x) * x


@njit
def whole(x):
    """Made of both."""
    return squared(x) + halved(x)


def test_a_part_can_be_called_from_everywhere() -> None:
    """By kernels, by parts and from Python, in any order."""
    assert whole(4.0) == 10.0
    assert squared(4.0) == 8.0
    assert halved(3) == 1.5
    assert whole(np.float32(4)) == 10.0


def test_options_keep_apart_what_they_compile() -> None:
    """The same call under other options is compiled for these."""

    @njit(borrows=True)
    def lean(a):
        return max(a[0], a[1]) + min(a[0], a[1])

    @njit
    def counted(a):
        made = np.zeros(2)
        made[0] = max(a[0], a[1]) + min(a[0], a[1])
        return made

    numbers = np.array([1.0, 5.0])
    assert lean(numbers) == 6.0
    assert counted(numbers).tolist() == [6.0, 0.0]


def test_garbage_waits_until_all_is_done() -> None:
    """However often it is nested; and where nobody collects, nobody begins to."""
    undisturbed = Undisturbed()
    assert gc.isenabled()
    undisturbed.begin()
    undisturbed.begin()
    undisturbed.end()
    assert not gc.isenabled()
    undisturbed.end()
    assert gc.isenabled()
    gc.disable()
    try:
        undisturbed.begin()
        undisturbed.end()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_shortcut_that_finds_nothing_is_left_out(monkeypatch, caplog) -> None:
    """numba may have changed: the log says so, and the others are taken."""
    taken: list[str] = []

    def missing() -> None:
        raise AttributeError("no such room")

    monkeypatch.setattr(jit_haste, "SHORTCUTS", (missing, lambda: taken.append("other")))
    with caplog.at_level(logging.INFO, "rish.jit"):
        hasten.__wrapped__()
    assert taken == ["other"]
    assert "missing" in caplog.text
    assert "no such room" in caplog.text


def test_this_numba_allows_all_shortcuts() -> None:
    """Each is taken; a new version of numba that does not would compile a third longer without a word."""
    code = """
    import logging
    logging.basicConfig(level=logging.INFO)
    from rish_core import jit
    jit._load_numba()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert "shortcut" not in done.stderr

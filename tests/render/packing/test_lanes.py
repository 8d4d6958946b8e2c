"""Packing eight sprites at a time: the SIMD kernels and plain Python give the same bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rish_jit
from long_runs import long
from rish_jit import njit
from rish_render.packing import lanes
from rish_render.packing.kernels import set_terms
from rish_render.packing.lanes import copy_row, expect_row, pack8

F32 = np.float32
COMPILED = pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")


@njit
def run_pack(now, last, sizes, frame, rgba, terms, rows, words):
    """Pack sixteen sprites between two ticks; the first pose is in row 3."""
    for k in range(np.uint64(2)):
        o = np.uint64(8) * k
        pack8(
            now[0], now[1], now[2], last[0], last[1], last[2], o + np.uint64(3), sizes, frame, rgba, o, terms, rows,
            words, o,
        )  # fmt: skip


@njit
def run_rows(source, target):
    """Copy rows in reverse order."""
    count = np.uint64(len(source)) // np.uint64(2)
    for k in range(count):
        expect_row(target, k + np.uint64(1000))
        copy_row(source, k, target, count - k - np.uint64(1))


def poses(random):
    """Return columns of 19 poses, some of them NaN or infinite."""
    position, scale = random.uniform(-300, 300, 38).astype(F32), random.uniform(-2, 2, 38).astype(F32)
    rotation = random.uniform(-30, 30, 19).astype(F32)
    if random.integers(2):
        scale = np.abs(scale)
    for column in (position, rotation, scale):
        column[random.integers(len(column))] = random.choice([np.nan, np.inf, 0, -0.0, 1e9])
    return position, rotation, scale


@COMPILED
@settings(max_examples=long(60, 15), deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_both_forms_do_the_same(seed):
    """The flags of every sprite and the bytes of the drawn ones are the same in both forms."""
    random = np.random.default_rng(seed)
    now, last = poses(random), poses(random)
    sizes = random.uniform(-1, 60, 32).astype(F32)
    frame, rgba = random.integers(0, 2**16, 16).astype(np.uint16), random.integers(0, 2**32, 16).astype(np.uint32)
    terms = np.zeros(lanes.TERMS, F32)
    window = np.array([-20, 30, 250, 200, 16, 240, 50, 1], F32)
    turn, size = random.uniform(-4, 4), random.choice([1, -1, 2.5, -0.3, np.inf])
    base = np.array([5, -7, np.cos(turn), np.sin(turn), turn, size, 0, 0], F32)
    set_terms(terms, F32(random.choice([0, 0.25, 1])), window, base, np.uint32(0))
    made = []
    for form in (lambda kernel: kernel, lambda kernel: kernel.py_func):
        rows, words = np.zeros(32, np.uint64), np.zeros(2, np.uint64)
        with np.errstate(all="ignore"):
            form(run_pack)(now, last, sizes, frame, rgba, terms, rows, words)
        made.append((rows, words))
    (rows, words), (plain_rows, plain_words) = made
    assert words.tolist() == plain_words.tolist()
    truths = np.unpackbits(words.view(np.uint8).reshape(2, 8)[:, :5], axis=1, bitorder="little").astype(bool)
    pairs = truths[:, :16].reshape(16, 2).all(axis=1) & truths[:, 16:32].reshape(16, 2).all(axis=1)
    drawn = pairs & truths[:, 32:].reshape(16)
    assert rows.reshape(16, 2)[drawn].tolist() == plain_rows.reshape(16, 2)[drawn].tolist()


def test_good_means_that_every_bit_is_set():
    """The flags hold two bits per sprite for visibility, two for fitting, one for its angle; GOOD has all bits set."""
    random = np.random.default_rng(1)
    position, rotation, scale = (np.zeros(16, F32), random.uniform(-3, 3, 8).astype(F32), np.ones(16, F32))
    terms = np.zeros(lanes.TERMS, F32)
    window, base = np.array([0, 0, 100, 100, 16, 240, 50, 1], F32), np.array([0, 0, 1, 0, 0, 1, 0, 0], F32)
    set_terms.py_func(terms, F32(0), window, base, 0)
    rows, words = np.zeros(16, np.uint64), np.zeros(1, np.uint64)
    arguments = (np.full(16, 8, F32), np.zeros(8, np.uint16), np.zeros(8, np.uint32), 0, terms, rows, words, 0)
    columns = position, rotation, scale
    pack8(*columns, *columns, 0, *arguments)
    assert int(words[0]) == lanes.GOOD
    position[4] = 1000
    pack8(*columns, *columns, 0, *arguments)
    assert int(words[0]) == lanes.GOOD & ~(1 << 4) & ~(1 << 20)


@pytest.mark.parametrize("form", [pytest.param(run_rows, marks=COMPILED), run_rows.py_func])
def test_rows_are_copied_whole(form):
    """Complete rows of sixteen bytes are copied, and prefetching a row changes nothing."""
    source = np.arange(20, dtype=np.uint64)
    target = np.zeros(20, np.uint64)
    form(source, target)
    assert target.reshape(-1, 2).tolist() == source.reshape(-1, 2)[::-1].tolist()

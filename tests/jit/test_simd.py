"""Each vector function gives the same bits compiled and in its plain form."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from rish_jit import available, njit, simd
from rish_jit.simd import (
    LANES,
    bits,
    floor,
    gather,
    gather4,
    load,
    load_twice,
    lowest,
    maximum,
    minimum,
    onward,
    pick,
    put4,
    scatter,
    select,
    splat,
    spread,
    sqrt,
    store,
    store_first,
    store_whole,
)

pytestmark = pytest.mark.skipif(not available(), reason="kernels run as plain Python here")
ODD = (0.0, -0.0, np.nan, np.inf, -np.inf, 1e-45, -1e-45, 3.4e38, 1.0, -1.0, 1 / 3)


@njit
def everything(rows: Any, index: Any, out: Any, at: int) -> None:
    """Write the results of all functions on rows picked by `index`, one after the other."""
    a = gather(rows, 8, 0, index, at)
    x, y = a[0], a[1]
    store(out, 0, x + y)
    store(out, 8, x - y)
    store(out, 16, x * y)
    store(out, 24, x / y)
    store(out, 32, -x)
    store(out, 40, select((x > y) & (a[2] >= a[3]) | (a[4] < a[5]), a[6], a[7]))
    store(out, 48, select(x <= y, a[2], a[3]))
    store(out, 56, maximum(x, y))
    store(out, 64, minimum(x, y))
    store(out, 72, sqrt(x))
    store(out, 80, onward(a[4]))
    store(out, 88, pick(rows, 8, 3, index, at))
    store(out, 96, load(rows, 5))
    store(out, 104, splat(rows[7]))
    b = gather4(rows, 4, 8, index, at)
    for k in range(4):
        store(out, 112 + 8 * k, b[k])
    for k in range(8):
        store(out, 144 + 8 * k, a[k])
    out[208], out[209] = np.float32(bits(x > y)), np.float32(bits(x >= x))
    store(out, 210, floor(x))
    store_whole(index, 16, maximum(minimum(y, splat(np.float32(1e9))), splat(np.float32(-1e9))))
    c = spread(load(rows, 9))
    for k in range(4):
        store(out, 218 + 8 * k, c[k])
    store(out, 250, load_twice(rows, 3))
    store_first(out, 258, x)
    put4(out, 5, 262, x, y, a[2], a[3])
    scatter(rows, index, at, a[1], a[2], a[3], a[0])


def words(numbers: Any) -> Any:
    """Return the bits with a uniform NaN, because IEEE 754 does not define which NaN is returned."""
    return np.where(np.isnan(numbers), np.float32(np.nan), numbers).view(np.uint32)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_compiled_and_plain_forms_agree_to_the_bit(seed: int) -> None:
    """Compiled and plain forms agree for random numbers, signed zeros, infinities, NaN, denormals and huge numbers."""
    random = np.random.default_rng(seed)
    rows = (random.normal(size=300) * 10.0 ** random.integers(-20, 20, 300)).astype(np.float32)
    odd = random.random(300) < 0.3
    rows[odd] = random.choice(np.array(ODD, np.float32), odd.sum())
    index = random.integers(0, 34, 16).astype(np.int32)
    outs = [np.zeros(302, np.float32) for _ in range(2)]
    indices = [np.append(index, np.zeros(8, np.int32)) for _ in range(2)]
    copies = [rows.copy(), rows.copy()]
    everything(copies[0], indices[0], outs[0], seed % 8)
    with np.errstate(all="ignore"):
        everything.py_func(copies[1], indices[1], outs[1], seed % 8)
    assert (words(outs[0]) == words(outs[1])).all()
    assert (words(copies[0]) == words(copies[1])).all()


def test_where_two_lanes_write_the_same_row_the_later_one_stays() -> None:
    """If two lanes write the same row, the later lane wins."""

    @njit
    def write(rows: Any, index: Any, values: Any) -> None:
        x = load(values, 0)
        scatter(rows, index, 0, x, x, x, x)

    rows, values = np.zeros(64, np.float32), np.arange(8, dtype=np.float32)
    write(rows, np.array([3, 3, 1, 3, 1, 2, 2, 2], np.int32), values)
    assert [rows[8 * k] for k in (1, 2, 3)] == [4, 7, 3]


def test_row_0_is_never_written() -> None:
    """Row 0, which represents static bodies, is never written, not even beside a lane with NaN."""

    @njit
    def write(rows: Any, index: Any, values: Any) -> None:
        x = load(values, 0)
        scatter(rows, index, 0, x, x, x, x)

    for form in (write, write.py_func):
        rows, values = np.zeros(64, np.float32), np.full(8, np.nan, np.float32)
        form(rows, np.array([0, 1, 0, 2, 0, 3, 0, 0], np.int32), values)
        assert not rows[:8].any()
        assert np.isnan(rows[[8, 16, 24]]).all()


def test_addresses_need_no_alignment() -> None:
    """Loads and stores work at any alignment of a column."""
    memory = np.zeros(400, np.float32)
    results = []
    for shift in range(8):
        rows = memory[shift : shift + 320]
        rows[:] = np.arange(320)
        out = np.zeros(302 + 8, np.float32)[shift:]
        everything(rows, np.arange(24, dtype=np.int32)[::-1].copy(), out, 3)
        results.append((rows.copy(), out[:302].copy()))
    for rows, out in results[1:]:
        assert (words(rows) == words(results[0][0])).all()
        assert (words(out) == words(results[0][1])).all()


def test_no_instruction_is_fused_or_estimated() -> None:
    """The code contains no fused multiply-add or reciprocal estimates, because their bits differ between processors."""
    fresh = numba.njit(nogil=True, error_model="numpy")(everything.py_func)  # cached code cannot be inspected
    fresh(np.zeros(300, np.float32), np.zeros(24, np.int32), np.zeros(302, np.float32), 0)
    assert fresh.inspect_asm()
    for code in fresh.inspect_asm().values():
        for forbidden in ("vfmadd", "vfmsub", "vfnmadd", "rcpps", "rsqrt"):
            assert forbidden not in code
    for code in fresh.inspect_llvm().values():
        assert "fast " not in code
        assert "contract" not in code


@pytest.mark.parametrize("word", [0, 1, 2, 3, 0x80000000, 1 << 63, (1 << 64) - 1, 0x0F00])
def test_lowest_finds_the_lowest_bit(word: int) -> None:
    """`lowest` returns the index of the lowest set bit, or 64 if there is none."""

    @njit
    def find(x: Any) -> int:
        return lowest(x)

    expected = next((k for k in range(64) if word >> k & 1), 64)
    assert find(np.uint64(word)) == expected
    assert lowest(np.uint64(word)) == expected


def test_every_function_is_tested_here() -> None:
    """Every function of `simd` is tested in this file."""
    functions = {name for name, value in vars(simd).items() if isinstance(value, simd.Lane8)}
    assert functions <= set(globals())
    assert LANES == 8

"""Entries of kernels: they take exactly the types that they were compiled for, and give what numba's wrapper gives."""

from __future__ import annotations

import gc
import math
import resource
import sys
import threading
import traceback
from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any, NamedTuple

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import rish_jit
from long_runs import LONG
from rish_jit import LazyKernel, njit
from rish_jit.machine import host

from ..conftest import Workshop

pytestmark = pytest.mark.skipif(
    not (rish_jit.can_compile() and host.usable()), reason="needs numba, on a system that can load machine code"
)


class Pair(NamedTuple):
    """A result with names."""

    first: float
    second: int


class OwnError(Exception):
    """An error that a kernel raises."""


@njit
def raises(x):
    """Raise errors of two classes, with arguments."""
    if x > 3:
        raise ValueError("too large")
    if x < -3:
        raise OwnError("mine", 7)
    return x * 2


@njit
def allocates(n):
    """Return a new array."""
    out = np.zeros(n, np.float32)
    for i in range(n):
        out[i] = i * 0.5
    return out


@njit
def views(x, y):
    """Return a number, a view of an argument, and a sum."""
    return x + 1, y[::-1], (y * 2).sum()


@njit
def same(y):
    """Return the argument."""
    return y


@njit
def sorts(x):
    """Return orders and sorted values."""
    return np.argsort(x), np.sort(x), np.searchsorted(np.sort(x), 0.5), np.median(x)


@njit
def draws(n):
    """Draw random numbers from a seed."""
    np.random.seed(5)
    return np.random.random(n), np.random.randint(0, 100), np.random.normal()


@njit
def fills(a, b, c):
    """Write into an array with gaps, from one in Fortran order and a read-only one."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] += b[i, j] * c[i]
    return a.sum()


@njit
def maths(x):
    """Call the library of mathematical functions."""
    return np.sin(x), np.exp(x), np.power(x, 1.37), np.arctan2(x, 2.0), np.log1p(x), np.hypot(x, 3.0), np.tanh(x)


@njit
def named(x):
    """Return a named tuple."""
    return Pair(x, 3)


@njit
def perhaps(x):
    """Return a number or None."""
    if x > 0:
        return x
    return None


@njit
def lists(n):
    """Return a list."""
    numbers = [0]
    for i in range(n):
        numbers.append(i * i)
    return len(set(numbers)), numbers


@njit
def says(x):
    """Return text."""
    return "big" if x > 3 else "small"


@njit
def squares(z):
    """Return a complex number."""
    return z * z + 1j


@njit
def nothing():
    """Do nothing."""


@njit
def nested(a, b, c):
    """Take tuples of arrays, numbers and tuples."""
    a[0][0] = b[2][0] + c
    return b[0] + b[1] + b[3][1]


@njit
def multiplies(a, b):
    """Multiply matrices."""
    return a @ b


@njit
def divides(a, b):
    """Divide with rounding towards minus infinity."""
    return a // b


ROWS = np.random.default_rng(3)
CALLS: list[tuple[LazyKernel[..., Any], tuple[Any, ...]]] = [
    (raises, (2,)), (raises, (4,)), (raises, (-5,)), (allocates, (5,)), (allocates, (0,)),
    (views, (1.5, np.arange(4, dtype="f4"))), (same, (np.arange(3),)), (sorts, (ROWS.random(37),)), (draws, (4,)),
    (maths, (0.7,)), (maths, (np.float32(0.7),)), (named, (2.0,)), (perhaps, (1.0,)), (perhaps, (-1.0,)), (lists, (5,)),
    (says, (5,)), (squares, (1 + 2j,)), (squares, (np.complex64(1 - 2j),)), (nothing, ()), (divides, (1.0, 0.0)),
    (divides, (-7.5, 2.0)), (multiplies, (ROWS.random((3, 4)), ROWS.random((4, 2)))),
]  # fmt: skip


def outcome(call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return the result of a call as plain values with their types, or the error with its place in the source."""
    try:
        return shown(call(*arguments))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return type(error), error.args, place.lineno, place.name.rpartition(".")[2]


def shown(value: Any) -> Any:
    """Return a value as plain values with their types, bit for bit."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.flags.c_contiguous, value.tobytes()
    if isinstance(value, tuple):
        return type(value), *map(shown, value)
    if isinstance(value, list):
        return list, *map(shown, value)
    return type(value), value.hex() if isinstance(value, float) else value


@pytest.mark.parametrize(
    ("kernel", "arguments"),
    [each for each in CALLS if LONG or each[0] is not sorts],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_results_and_errors_are_those_of_numba(kernel: LazyKernel[..., Any], arguments: tuple[Any, ...]) -> None:
    """Numbers, arrays, views, tuples, lists, text and errors with the line of the source are as numba gives them.

    Sorting takes 6 s to compile, so it is left to long runs.
    """
    assert outcome(kernel, arguments) == outcome(kernel.dispatcher, arguments)
    assert isinstance(kernel.__call__, BuiltinFunctionType) == (kernel is not multiplies)  # BLAS is linked by numba


def test_arrays_of_every_order_are_read_and_written() -> None:
    """An array with gaps, one in Fortran order and a read-only one are used where they are."""
    a = np.zeros((4, 6), "f4")[:, ::2]
    b, c = np.asfortranarray(ROWS.random((4, 3), "f4")), np.arange(4, dtype="f4")
    c.flags.writeable = False
    total = fills(a, b, c)
    assert np.array_equal(a, b * c[:, None])
    assert total == a.sum(dtype=np.float32) or math.isclose(total, a.sum(), rel_tol=1e-6)


def test_tuples_may_hold_tuples() -> None:
    """A tuple of arrays, numbers and tuples is an argument."""
    z = [np.zeros(1, "f4"), np.zeros(1, "f4"), np.ones(1, "f4")]
    assert nested((z[0], z[1]), (1, 2.0, z[2], (True, np.int32(4))), 1.5) == 7.0
    assert z[0][0] == 2.5


@njit
def first_of(x, y):
    """Return the first element, and the second argument."""
    return x[0], y


class Record(np.ndarray[Any, Any]):
    """A class derived from arrays."""


def test_arrays_of_other_types_never_reach_the_code() -> None:
    """Another dtype, byte order, number of dimensions or alignment gives what plain Python gives, not wrong numbers."""
    plain = np.arange(1, 4, dtype="f4")
    assert first_of(plain, 1) == (1.0, 1)
    unaligned = np.frombuffer(bytearray(13), np.uint8)[1:].view("f4")
    unaligned[:] = [5, 6, 7]
    others = [
        plain.astype("f8"), plain.astype("i4"), plain[::2], plain.reshape(3, 1), unaligned,
        plain.view(Record), plain.astype("f2").astype("f8"), plain.astype("u1"), plain.astype("c8"), plain > 0,
    ]  # fmt: skip
    with pytest.raises(Exception, match=">f4"):
        first_of(plain.astype(">f4"), 2.5)
    for each in others:
        first, second = first_of(each, 2.5)
        assert np.array_equal(first, np.asarray(each)[0]), each.dtype
        assert second == 2.5


def test_an_empty_array_is_taken() -> None:
    """An array without elements has a length of 0 in the kernel."""

    @njit
    def length(x):
        return len(x)

    assert length(np.zeros(0, "f4")) == 0


def test_a_read_only_array_is_never_written() -> None:
    """A kernel that writes its argument raises an error for a read-only array, as numba does."""

    @njit
    def write(x):
        x[0] = 1.0

    write(np.zeros(1))
    locked = np.zeros(1)
    locked.flags.writeable = False
    with pytest.raises(Exception, match=r"(?i)readonly|read-only|Cannot modify"):
        write(locked)
    assert locked[0] == 0


@njit
def echo(x):
    """Return a number."""
    return x


NUMBERS = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    *[
        st.builds(np.dtype(name).type, st.integers(0, 100))
        for name in ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
    ],
    st.sampled_from([np.longlong(-5), np.ulonglong(5), np.float64(np.nan), np.float32(np.inf), 2**63, 2**64 - 1]),
)


@settings(deadline=None, max_examples=150)
@given(NUMBERS)
def test_a_number_of_any_type_keeps_its_value(number: Any) -> None:
    """A number of Python or numpy arrives with its type: in 64 bits, or as a single or double float."""
    result = echo(number)
    assert result == number or (number != number and result != result)
    assert isinstance(result, (bool, int, float))
    assert isinstance(result, bool) == isinstance(number, (bool, np.bool_))


def test_numbers_beyond_64_bits_are_errors() -> None:
    """A whole number that does not fit into 64 bits raises an error, as in numba."""
    for number in (2**64, -(2**63) - 1):
        with pytest.raises(Exception, match="too large"):
            echo(number)


def test_keywords_and_defaults_are_put_in_place() -> None:
    """Arguments by name, and left out ones with a default, are those of the function."""

    @njit
    def mix(a, b=2.0, c=3.0):
        return a * 100 + b * 10 + c

    assert [mix(1.0), mix(1.0, 5.0), mix(c=7.0, a=1.0), mix(1.0, b=0.0, c=0.0)] == [123, 153, 127, 100]
    with pytest.raises(TypeError):
        mix()
    with pytest.raises(TypeError):
        mix(1.0, d=2.0)
    with pytest.raises(TypeError):
        mix(1.0, 2.0, 3.0, 4.0)


# Memory


def test_arguments_and_results_are_released() -> None:
    """A call holds no reference to its arguments afterwards, also if it raises an error or returns a part of them."""
    array = np.zeros(1, "f4")
    before = sys.getrefcount(array)
    for _ in range(1000):
        same(array)
        first_of(array, 1)
        views(1.5, array)
        with pytest.raises(ValueError, match="too large"):
            raises(9)
    gc.collect()
    assert sys.getrefcount(array) == before


def test_a_view_keeps_its_array_alive() -> None:
    """A returned part of an argument is valid after the argument's own name is gone."""
    array = np.arange(100_000, dtype="f4")
    view = views(1.5, array)[1]
    del array
    gc.collect()
    np.zeros(100_000, "f4")
    assert view[0] == 99_999
    assert view[-1] == 0


def test_memory_of_returned_arrays_is_freed() -> None:
    """Arrays that a kernel creates are freed with the last reference."""
    for _ in range(5):
        allocates(250_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(300):
        allocates(250_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 10_000


@pytest.mark.slow
def test_many_calls_leak_nothing() -> None:
    """A million calls leave as many objects and as much memory as before."""
    array = np.zeros(3, "f4")
    call = first_of.__call__
    first_of(array, 1.0)
    gc.collect()
    objects, memory = len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1_000_000):
        call(array, 1.0)
    gc.collect()
    assert len(gc.get_objects()) - objects < 100
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 5_000


def test_other_threads_run_meanwhile() -> None:
    """A kernel runs without Python's lock: two threads wait for each other inside kernels."""

    @njit
    def meet(mine, other):
        for _ in range(2_000_000_000):
            mine[0] += 1  # may be the same memory, so the other flag is read each time
            if other[0] and mine[0] > 1:
                return True
        return False

    flags = np.zeros(1), np.zeros(1)
    meet(np.zeros(1), np.ones(1))
    results: list[bool] = []
    threads = [threading.Thread(target=lambda i=i: results.append(meet(flags[i], flags[1 - i]))) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True, True]


# Which code is called


def test_each_combination_of_types_has_its_code(workshop: Workshop) -> None:
    """Calls with other types compile other code, in any order, and the first keeps its results."""
    module = workshop.start("@njit\ndef half(x):\n    return x / 2\n\n\n@njit\ndef kind(x):\n    return x.itemsize\n")
    assert [module.half(3), module.half(3.0), module.half(np.float32(3)), module.half(True)] == [1.5, 1.5, 1.5, 0.5]
    for _ in range(2):
        for name in ("f4", "f8", "i2", "u1", "b1", "c16"):
            assert module.kind(np.zeros(2, name)) == np.dtype(name).itemsize
            assert module.kind(np.zeros((2, 2), name, order="F")) == np.dtype(name).itemsize
    assert len(module.kind.loaded_types) == 12
    assert len(module.half.loaded_types) == 4


def test_a_kernel_that_numba_runs_itself_still_takes_arrays(workshop: Workshop) -> None:
    """A kernel that was called with text before is called with arrays and numbers too."""
    module = workshop.start("@njit\ndef length(x):\n    return len(x)\n")
    assert [module.length("four"), module.length(np.zeros(3)), module.length((1, 2.0)), module.length("xy")] == [
        4,
        3,
        2,
        2,
    ]

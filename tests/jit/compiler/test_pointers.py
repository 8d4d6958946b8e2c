"""Arrays at addresses, and kernels that C code calls without Python."""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rish_jit
from rish_jit import Listed, array_at, function_pointer, njit
from rish_jit.errors import UsageError

from ..conftest import Workshop, needs_numba, run, write

ADD_ROWS = """
import ctypes
import numpy as np
import rish_jit
from rish_jit import array_at, function_pointer, njit

@njit(borrows=True)
def add(a, b):
    for i in range(len(a)):
        a[i] += b[i]

@njit(callback=True, borrows=True)
def add_rows(address, rows, columns):
    '''Add the first row to the others; return the sum of the last.'''
    grid = array_at(address, rows * columns, np.float32).reshape(rows, columns)
    for k in range(1, rows):
        add(grid[k], grid[0])
    total = 0.0
    for k in range(columns):
        total += grid[rows - 1, k]
    return total
"""
TYPES = "(i8, i4, i4)"
CALL = """
import json
import parts
pointer = parts.function_pointer(parts.add_rows, "(i8, i4, i4)")
function = parts.ctypes.CFUNCTYPE(parts.ctypes.c_double, *map(parts.ctypes.__dict__.get, ["c_int64", *2 * ["c_int32"]]))
grid = parts.np.arange(6, dtype=parts.np.float32)
print(json.dumps([function(pointer)(grid.ctypes.data, 2, 3), grid.tolist(), parts.rish_jit.compilations]))
"""


@njit(borrows=True)
def halve(address, length, kind):
    """Halve all numbers from an address on. kind: 0 float32, 1 float64, 2 int64."""
    if kind == 0:
        singles = array_at(address, length, np.float32)
        for i in range(len(singles)):
            singles[i] /= 2
    elif kind == 1:
        doubles = array_at(address, length, np.float64)
        for i in range(len(doubles)):
            doubles[i] /= 2
    else:
        whole = array_at(address, length, np.int64)
        for i in range(len(whole)):
            whole[i] //= 2


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs_numba)])
@pytest.mark.parametrize("kind", range(3))
def test_an_array_at_an_address_is_that_memory(compiled: bool, kind: int) -> None:
    """An array that begins at an address shares its memory, in kernels and in plain Python; one may be empty."""
    numbers = np.arange(8, dtype=[np.float32, np.float64, np.int64][kind])
    function = halve if compiled else halve.py_func
    function(numbers[2:].ctypes.data, 4, kind)
    function(0, 0, kind)
    expected = [0, 1, *(value / 2 if kind < 2 else value // 2 for value in range(2, 6)), 6, 7]
    assert numbers.tolist() == expected


@njit(borrows=True)
def number(address, rows):
    """Write into each element of a grid and of a cube where it is."""
    grid = array_at(address, (rows, 2), np.int64)
    cube = array_at(address, (rows, 2, 3), np.int64)
    for row in range(rows):
        for column in range(2):
            for layer in range(3):
                cube[row, column, layer] = 100 * row + 10 * column + layer
    return grid[rows - 1, 1]


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs_numba)])
def test_an_array_at_an_address_has_a_shape(compiled: bool) -> None:
    """An array at an address may have several dimensions, in C order, in kernels and in plain Python."""
    cube = np.zeros((4, 2, 3), np.int64)
    function = number if compiled else number.py_func
    assert function(cube.ctypes.data, 4) == cube.ravel()[7]
    assert np.array_equal(cube, np.sum(np.indices(cube.shape) * np.reshape([100, 10, 1], (3, 1, 1, 1)), axis=0))
    assert array_at(0, (0, 3), np.float32).shape == (0, 3)


@pytest.mark.slow
@needs_numba
def test_a_callback_is_called_by_its_address(workshop: Workshop) -> None:
    """C code calls a kernel by its address, which is the same at each request; a second process compiles nothing."""
    module = workshop.start(ADD_ROWS)
    pointer = function_pointer(module.add_rows, TYPES)
    assert pointer == function_pointer(module.add_rows, TYPES)
    assert workshop.compiled == ["parts.add_rows", "parts.add"]
    grid = np.arange(6, dtype=np.float32)
    assert module.add_rows.py_func(grid.ctypes.data, 2, 3) == 15
    first, second = (json.loads(run(CALL, workshop.folder, RISH_CACHE_DIR=str(workshop.cache.parent))) for _ in "12")
    assert first == second == [15, grid.tolist(), 0]


@needs_numba
@pytest.mark.slow
def test_a_callback_is_compiled_ahead(workshop: Workshop) -> None:
    """What a list of kernels records of a callback is enough for a worker process to compile it."""
    function_pointer(workshop.start(ADD_ROWS).add_rows, TYPES)
    listed = [Listed(entry.key.kernel, entry.key.types) for entry in workshop.used]
    assert listed[-1] == Listed("parts.add_rows", TYPES)
    for path in workshop.entries():
        path.unlink()
    workshop.start(ADD_ROWS)
    rish_jit.compile_ahead(listed, count=1)
    assert rish_jit.missing(listed) == []
    assert json.loads(run(CALL, workshop.folder, RISH_CACHE_DIR=str(workshop.cache.parent)))[-1] == 0


@njit(callback=True, borrows=True)
def count(address):
    """Add 1 to the number at an address, as the main function of a thread."""
    numbers = array_at(address, 1, np.int64)
    numbers[0] += 1
    return np.int64(0)


@needs_numba
@pytest.mark.skipif(sys.platform == "win32", reason="starts a thread of the C library")
def test_a_thread_without_python_calls_while_another_one_holds_the_lock() -> None:
    """A thread that C code has started runs a callback although Python's lock is never released meanwhile."""
    pointer, numbers, thread = function_pointer(count, "(i8,)"), np.zeros(1, np.int64), ctypes.c_ulong()
    assert pointer is not None
    library: Any = ctypes.PyDLL(None)  # keeps the lock during its calls
    place = ctypes.c_void_p(numbers.ctypes.data)
    assert library.pthread_create(ctypes.byref(thread), None, ctypes.c_void_p(pointer), place) == 0
    assert library.pthread_join(thread, None) == 0
    assert numbers[0] == 1


@needs_numba
def test_wrong_types_and_kernels_are_named() -> None:
    """A kernel that C code can't call, types that it can't pass, and text that names none are errors."""
    with pytest.raises(UsageError, match=r"halve.*can't be called by C code"):
        function_pointer(halve, TYPES)
    with pytest.raises(UsageError, match="no arguments for C code"):
        function_pointer(count, "(f4[::1],)")
    with pytest.raises(UsageError, match="no arguments for C code"):
        function_pointer(count, "int64")


def test_without_numba_there_is_no_address(tmp_path: Path) -> None:
    """Without compiled kernels there is no address, and the kernel runs as plain Python."""
    write(tmp_path / "parts.py", ADD_ROWS)
    code = """
    import parts
    grid = parts.np.arange(6, dtype=parts.np.float32)
    assert parts.add_rows(grid.ctypes.data, 2, 3) == 15
    print(parts.function_pointer(parts.add_rows, "(i8, i4, i4)"))
    """
    assert run(code, tmp_path, RISH_NO_JIT="1") == "None"

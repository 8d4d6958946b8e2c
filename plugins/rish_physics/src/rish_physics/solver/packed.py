"""Passes many arrays to a kernel as one argument: a table of their addresses.

Calling a kernel costs as much as solving some contacts: numba inspects every array argument, a twentieth of a
microsecond each. If dozens of arrays stay the same from call to call, their addresses and lengths are stored once
(`Packed`), and the kernel gets only that table; within it, `floats(table, k)` is the k-th array::

    @njit(borrows=True)
    def push(table):
        speeds, force = floats(table, 0), floats(table, 1)

Nothing is checked: the code that packs an array must use the right type, and pack it again when its memory has moved.
"""

from __future__ import annotations

import functools
import importlib
from ctypes import addressof, c_char
from typing import Any

import numpy as np

from rish_jit import Array, array_at, array_of, intrinsic


class Packed:
    """Flat arrays by number. table: uint64, address and length of each; arrays: references that keep them alive."""

    def __init__(self, size: int) -> None:
        self.table = np.zeros(2 * size, np.uint64)
        self.arrays: list[Any] = [None] * size

    def put(self, first: int, *arrays: Array) -> None:
        """Pack arrays, each flat and contiguous, starting at this number."""
        for k, array in enumerate(arrays, first):
            if self.arrays[k] is not array:
                self.arrays[k] = array
                self.table[2 * k] = address_of(array)
            self.table[2 * k + 1] = len(array)

    def shorten(self, first: int, lengths: Array) -> None:
        """Set the lengths of packed arrays, starting at this number; their memory must be large enough."""
        self.table[2 * first + 1 : 2 * (first + len(lengths)) : 2] = lengths


def address_of(array: Any) -> int:
    """Return the address of a contiguous array that can be written.

    ctypes takes a fifth of the time of numpy, but only knows the address of a buffer that is not empty.
    """
    return addressof(c_char.from_buffer(array)) if len(array) else array.__array_interface__["data"][0]


class View:
    """`view(table, k)` within a kernel is the k-th array of a `Packed`, of this type."""

    def __init__(self, kind: type[np.generic] | type[bool]) -> None:
        self.kind = np.dtype(kind)

    def __call__(self, table: Array, k: int) -> Array:
        """Return the k-th array, if kernels run as plain Python."""
        return array_at(table[2 * k], table[2 * k + 1], self.kind.type)

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """The numba type of this function; only used if numba is loaded."""
        return _compiled_form(self.kind)


def _compiled_form(kind: np.dtype[Any]) -> Any:
    ir: Any = importlib.import_module("llvmlite.ir")
    types: Any = importlib.import_module("numba.core.types")
    support: Any = importlib.import_module("numba.np.numpy_support")
    arrays: Any = importlib.import_module("numba.np.arrayobj")
    array_type = types.Array(support.from_dtype(kind), 1, "C")
    word = ir.IntType(64)

    def view(typingctx: Any, table: Any, k: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            first = arrays.make_array(signature.args[0])(context, builder, values[0]).data
            at = builder.mul(values[1], word(2))
            address = builder.load(builder.gep(first, [at], inbounds=True))
            size = builder.load(builder.gep(first, [builder.add(at, word(1))], inbounds=True))
            return array_of(context, builder, array_type, address, size)

        return array_type(table, types.int64), lower

    return intrinsic(view)


floats = View(np.float32)
ints = View(np.int32)
longs = View(np.int64)
words = View(np.uint64)
truths = View(bool)

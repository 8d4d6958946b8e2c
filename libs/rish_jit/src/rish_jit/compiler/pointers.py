"""Addresses in kernels: arrays that begin at an address, and kernels that C code calls by their address.

A C library that calls back, such as that of a sound card, does so in a thread of its own, which would wait for Python.
A kernel with the option `callback` can be called without Python and without its lock. All it gets are numbers, so it
finds its arrays by their addresses::

    @njit(callback=True, borrows=True)
    def fill(out, length):
        samples = array_at(out, length, np.float32)
        ...

    address = function_pointer(fill, "(i8, i4)")    # void fill(int64_t, int32_t)

Nothing is checked: the caller is responsible for addresses and lengths, and keeps the arrays alive.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import UsageError
from ..signatures import types_of
from .code import array_of, intrinsic
from .kernel import LazyKernel

_NUMBERS = re.compile(r"\(\s*([biuf][1248]\s*(,\s*[biuf][1248]\s*)*,?)?\s*\)")
"""Types of arguments for C code: numbers without arrays."""
_pointers: dict[tuple[LazyKernel[..., Any], str], tuple[int, object]] = {}
"""Address of a kernel for argument types, and the compiled code, which must stay in memory after a reload too."""


class _ArrayAt:
    """`array_at`, with a compiled and a plain form."""

    def __call__(self, address: int, shape: int | tuple[int, ...], dtype: type[np.generic]) -> npt.NDArray[Any]:
        """Return an array that begins at an address, in C order; its memory is not copied, nor kept.

        shape: the length of a flat array, or a tuple. In kernels `dtype` is a type such as `np.float32`, written out.
        """
        kind = np.dtype(dtype)
        sides = [max(int(side), 0) for side in (shape if isinstance(shape, tuple) else (shape,))]
        if 0 in sides:
            return np.zeros(sides, kind)
        memory: Any = (ctypes.c_char * (math.prod(sides) * kind.itemsize)).from_address(int(address))
        return np.frombuffer(memory, kind).reshape(sides)

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """The numba type of this function; only used if numba is loaded."""
        return _compiled_form()


array_at = _ArrayAt()


def function_pointer(kernel: Callable[..., Any], types: str) -> int | None:
    """Return the address at which C code calls a kernel with the option `callback`; None if kernels are not compiled.

    types: of the arguments, numbers without arrays, as in a list of kernels: `(i8, f4)`. The C function has these
    arguments and returns what the kernel returns, nothing or a number. It needs no lock of Python's, and is valid until
    the process ends. The kernel must not raise. The code comes from the cache like that of any kernel. Raises
    UsageError for other types, and for a kernel without the option.
    """
    if not isinstance(kernel, LazyKernel) or kernel.targetoptions["no_cfunc_wrapper"]:
        raise UsageError(f"{kernel!r} can't be called by C code", hint="Declare it with @njit(callback=True)")
    target: LazyKernel[..., Any] = kernel  # pyright: ignore[reportUnknownVariableType]
    if (target, types) not in _pointers:
        address, code = _callback(target, types)
        if address is None:
            return None
        _pointers[target, types] = address, code
    return _pointers[target, types][0]


def _callback(kernel: LazyKernel[..., Any], types: str) -> tuple[int | None, object]:
    """Return the address of the function for C, and what keeps it in memory."""
    if not _NUMBERS.fullmatch(types):
        raise UsageError(f"{types!r} are no arguments for C code", hint="Use numbers, such as (i8, f4)")
    if kernel.specializations is not None:
        loaded = kernel.specializations.load(types)
        return (None if loaded is None else loaded.callback), loaded
    dispatcher: Any = kernel.dispatcher
    if dispatcher is None:
        return None, None
    kinds = types_of(types)
    dispatcher.compile(kinds)
    compiled = dispatcher.overloads[kinds]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name), compiled


def _compiled_form() -> Any:
    types: Any = importlib.import_module("numba.core.types")

    def resolve(_context: Any, address: Any, shape: Any, dtype: Any) -> Any:
        sides = types.int64 if isinstance(shape, types.Integer) else types.UniTuple(types.int64, len(shape))
        array_type = types.Array(dtype.dtype, getattr(sides, "count", 1), "C")

        def lower(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            lengths = [values[1]]
            if array_type.ndim > 1 or sides != types.int64:
                lengths = [builder.extract_value(values[1], i) for i in range(array_type.ndim)]
            return array_of(context, builder, array_type, values[0], *lengths)

        return array_type(types.int64, sides, dtype), lower

    return intrinsic(resolve)

"""Functions of Python that machine code calls when a kernel raises an exception, in place of numba's.

An exception is stored in an image as the pickled tuple of its class, its arguments, and its place in the source.
numba's function for values that are computed when it is raised needs LLVM, whose objects stand for these values.
"""

from __future__ import annotations

import ctypes
import functools
import io
import pickle
from collections.abc import Iterator
from typing import Any


class _Computed:
    """Stands for a value that a kernel computes; the class of LLVM's values when an exception is unpickled."""

    def __setstate__(self, state: object) -> None:
        pass


class _Unpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        """Return a class that a pickle names."""
        if module_name.partition(".")[0] == "llvmlite":
            return _Computed
        return super().find_class(module_name, global_name)


@functools.cache
def functions() -> dict[str, int]:
    """Return the addresses of the functions, by the names of numba's."""
    address = ctypes.cast
    return {name: address(function, ctypes.c_void_p).value or 0 for name, function in _FUNCTIONS.items()}


_objects: dict[tuple[int, int], Any] = {}


@ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
def _unpickle(address: int, length: int, _hash: int) -> Any:
    """Return the object of pickled bytes in an image; the same for the same bytes."""
    if (address, length) not in _objects:
        _objects[address, length] = _load(ctypes.string_at(address, length))
    return _objects[address, length]


@ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.py_object)
def _with_values(pickled: bytes, values: tuple[Any, ...]) -> Any:
    """Return an exception whose computed arguments have these values."""
    kind, arguments, place = _load(pickled)
    computed: Iterator[Any] = iter(values)
    return kind, tuple(next(computed) if isinstance(each, _Computed) else each for each in arguments), place


def _load(data: bytes) -> Any:
    return _Unpickler(io.BytesIO(data)).load()


_FUNCTIONS = {"numba_unpickle": _unpickle, "numba_runtime_build_excinfo_struct": _with_values}

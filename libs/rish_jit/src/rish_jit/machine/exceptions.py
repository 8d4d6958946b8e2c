"""The function of Python that machine code calls when a kernel raises an exception, in place of numba's.

An exception is stored in an image as the pickled tuple of its class, its arguments, and its place in the source.
"""

from __future__ import annotations

import ctypes
import pickle
from typing import Any

_objects: dict[tuple[int, int], Any] = {}


@ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
def _unpickle(address: int, length: int, _hash: int) -> Any:
    """Return the object of pickled bytes in an image; the same for the same bytes."""
    if (address, length) not in _objects:
        _objects[address, length] = pickle.loads(ctypes.string_at(address, length))
    return _objects[address, length]


FUNCTIONS: dict[str, int] = {"numba_unpickle": ctypes.cast(_unpickle, ctypes.c_void_p).value or 0}
"""The addresses of functions by the names of numba's."""

"""Calls of a kernel while another process compiles it: small ones run as plain Python, so that the game does not wait.

Plain Python needs .1 to 3 µs for a value where machine code needs a nanosecond. So a call runs as plain Python if it
has few values, and if the calls before it were not slow; all others wait for the machine code.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from enum import Enum
from typing import Any

import numpy as np

from ..arrays import Array
from ..cache import Compilation
from .storage import Kernel

MOST_VALUES = 512
"""The items of all arrays of a call, and the sum of its whole numbers, which may be lengths of loops."""
_WHOLE: Any = (int, np.integer)
_NUMBER: Any = np.generic
_SLOW = 0.004
"""Seconds of processor time of a call, after which calls wait: a quarter of a frame."""
_ENOUGH = 0.5
"""Seconds of all calls together, after which they wait: what it takes to compile a kernel."""


class PlainFailedError(Exception):
    """The plain form raised. The arguments are as before, and machine code decides what happens."""


class Meanwhile:
    """The calls of a kernel with some types until it is compiled."""

    def __init__(self, kernel: Kernel, compilation: Compilation) -> None:
        self.compilation = compilation
        self._kernel = kernel
        self._seconds = 0.0
        self._waits = False

    def serves(self, values: tuple[Any, ...]) -> bool:
        """Whether a call is to run as plain Python."""
        return not (self._waits or self.compilation.done) and sum(map(_count, values)) <= MOST_VALUES

    def call(self, values: tuple[Any, ...]) -> Any:
        """Run a call as plain Python. Raises PlainFailedError."""
        before = [(array, array.copy()) for array in _arrays(values) if array.flags.writeable]
        begin = time.thread_time()
        try:
            result = run_plain(self._kernel, values)
        except Exception as error:
            self._waits = True
            for array, copy in before:
                array[...] = copy
            raise PlainFailedError from error
        seconds = time.thread_time() - begin
        self._seconds += seconds
        self._waits |= seconds > _SLOW or self._seconds > _ENOUGH
        return result


def run_plain(kernel: Kernel, values: tuple[Any, ...]) -> Any:
    """Run a kernel as plain Python with numbers of the types that machine code gets, and return what it returns.

    A number of Python would take the type of the float32 with which it is combined.
    """
    return _returned(kernel.plain(*map(_typed, values)))


def _typed(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_typed, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(value, float):
        return np.float64(value)
    is_whole = isinstance(value, int) and not isinstance(value, (bool, Enum)) and -(2**63) <= value < 2**63
    return np.int64(value) if is_whole else value


def _returned(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_returned, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return value.item() if isinstance(value, _NUMBER) else value


def _arrays(values: tuple[Any, ...]) -> Iterator[Array]:
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from _arrays(value)  # pyright: ignore[reportUnknownArgumentType]


def _count(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, tuple):
        return sum(map(_count, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return abs(int(value)) if isinstance(value, _WHOLE) and not isinstance(value, bool) else 0

"""The clocks that measure work, by name; a benchmark may add clocks of its own to `CLOCKS`."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any


def cpu_of_children() -> float:
    """Return the seconds of processor time of all child processes that ended; wall time if that is unknown."""
    try:
        resource: Any = importlib.import_module("resource")
    except ImportError:
        return time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


_told = [0.0]


def tell(figure: float) -> None:
    """Report a figure that is not a time, in meters or as a plain number; it is added to the clock `told`."""
    _told[0] += figure


def told() -> float:
    """Return the sum of the reported figures."""
    return _told[0]


CLOCKS: dict[str, Callable[[], float]] = {
    "cpu": time.process_time,
    "wall": time.perf_counter,
    "frame": time.perf_counter,
    "engine": time.process_time,
    "children": cpu_of_children,
    "told": told,
}
"""`frame` is the wall-clock time of a frame, `engine` its processor time without the work of the driver."""

"""What work is measured with, by name; a benchmark may add clocks of its own to `CLOCKS`."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any


def cpu_of_children() -> float:
    """Seconds of processor time of all child processes that ended; wall time where the system can't say."""
    try:
        resource: Any = importlib.import_module("resource")
    except ImportError:
        return time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


_told = [0.0]


def tell(figure: float) -> None:
    """Give a figure that is no time, in metres or as a plain number; the clock `told` goes on by so much."""
    _told[0] += figure


def told() -> float:
    """The sum of what was told."""
    return _told[0]


CLOCKS: dict[str, Callable[[], float]] = {
    "cpu": time.process_time,
    "wall": time.perf_counter,
    "children": cpu_of_children,
    "told": told,
}

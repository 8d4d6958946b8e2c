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


CLOCKS: dict[str, Callable[[], float]] = {
    "cpu": time.process_time,
    "wall": time.perf_counter,
    "children": cpu_of_children,
}

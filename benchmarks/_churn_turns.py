"""Frames with a change and still ones, measured in turns, for all engines of the benchmark `churn`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

Call = Callable[[], object]
TURNS = 15
"""How often each kind of frame is measured for a figure."""


def timed(frame: Call, work: Call | None = None) -> float:
    """Return the seconds of processor time of a frame, with the work before it."""
    start = time.process_time()
    if work is not None:
        work()
    frame()
    return time.process_time() - start


def changed_and_still(frame: Call, work: Call, undo: Call, turns: int = TURNS) -> tuple[float, float]:
    """Return the median seconds of frames with a change, and of still frames. undo: undoes it, unmeasured."""
    changed: list[float] = []
    still: list[float] = []
    for _ in range(turns):
        changed.append(timed(frame, work))
        undo()
        frame()
        frame()
        still.append(timed(frame))
    return statistics.median(changed), statistics.median(still)


def above_still(frame: Call, work: Call, undo: Call, turns: int = TURNS) -> float:
    """Return the median seconds of frames with a change, less that of still frames."""
    changed, still = changed_and_still(frame, work, undo, turns)
    return changed - still

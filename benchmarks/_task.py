"""Tasks: work that is ready to be measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ._clocks import tell


@dataclass
class Task:
    """Work that is ready to be measured.

    run: the work. before: prepares one run, unmeasured. after: cleans up after the last round. clock: "cpu" for the
    processor time of this process, "wall" and "frame" for wall-clock time, "engine" for the processor time of a frame
    whose drawing is left out (see `_engine_clock`), "children" for the processor time of the processes that
    `run` starts and awaits, "told" for figures that are not times: those that `run` reports with `_clocks.tell`. once:
    a round is one run, however short, and no run precedes the first round; work that continues from run to run is thus
    at the same point in all engines. parts: the number of parts in a run; the values are those of one part.
    """

    run: Callable[[], object]
    before: Callable[[], object] | None = None
    after: Callable[[], object] | None = None
    clock: str = "cpu"
    once: bool = False
    parts: int = 1


def figure(measure: Callable[[], float], close: Callable[[], object] | None = None) -> Task:
    """Return a task whose value is the result of `measure` instead of a time."""
    return Task(lambda: tell(measure()), after=close, clock="told", once=True)

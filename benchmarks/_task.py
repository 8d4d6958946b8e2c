"""Tasks: work that is ready to be measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Task:
    """Work that is ready to be measured.

    run: the work. before: gets ready for one run, unmeasured. after: cleans up when the last round is over.
    clock: "cpu" for the processor time of this process, "wall" for time as people feel it, "children" for the
    processor time of the processes that `run` starts and awaits, "told" for figures that are no times: what `run` gives
    to `_clocks.tell`. once: a round is one run however short it is, and
    none comes before the first round, so that work which goes on from run to run stays level between engines. parts:
    what a run is made of; the values are those of one part.
    """

    run: Callable[[], object]
    before: Callable[[], object] | None = None
    after: Callable[[], object] | None = None
    clock: str = "cpu"
    once: bool = False
    parts: int = 1

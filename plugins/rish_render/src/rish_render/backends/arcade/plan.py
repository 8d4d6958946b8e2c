"""The plan of a frame: what is worked out once and serves for as long as the frame keeps its structure.

Which passes come in which order, what they clear, where their batches are drawn, and which of these are drawn in one
call. A frame in which things move, or cameras, is drawn by the plan of the frame before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rish_frame import Batch, DrawStats, Frame, Pass
from rish_frame.frame import Key

from .scene import PassContext
from .targets import Surface

_JOINED = frozenset({"sprites", "sprites_wide", "shapes", "lines"})
"""Kinds whose neighbouring batches are drawn in one call where their state is equal."""


@dataclass
class PlannedPass:
    """One pass. clears: what is cleared before it. runs: places in its list of batches, those drawn at once together.

    scene: made when the pass is first drawn. took: what it took when it was drawn last.
    """

    pass_: Pass
    clears: list[Surface]
    runs: list[list[int]]
    scene: PassContext | None = None
    took: DrawStats = field(default_factory=DrawStats)

    @property
    def batches(self) -> int:
        """How many are drawn."""
        return sum(map(len, self.runs))


@dataclass
class DrawPlan:
    """The passes of a frame in order.

    key: what it was made for. order: the passes themselves. tables: which tables there were when it was drawn last.
    """

    frame: Frame
    key: Key
    passes: list[PlannedPass]
    order: list[Pass]
    tables: int = -1


def make_plan(frame: Frame, key: Key, surfaces: dict[str, Surface], apart: Collection[str]) -> DrawPlan:
    """The plan of a frame. apart: kinds of which each batch is drawn by itself."""
    passes: list[PlannedPass] = []
    for step in frame.steps():
        places = {id(batch): place for place, batch in enumerate(step.pass_.batches)}
        found = [[places[id(batch)] for batch in run] for run in runs(step.batches, apart)]
        passes.append(PlannedPass(step.pass_, [surfaces[name] for name in step.clears], found))
    return DrawPlan(frame, key, passes, [planned.pass_ for planned in passes])


def runs(batches: Sequence[Batch], apart: Collection[str]) -> Iterator[list[Batch]]:
    """Batches in order, neighbours together that can be drawn in one call; empty ones are left out."""
    together: list[Batch] = []
    state: Any = None
    for batch in batches:
        if not batch.count:
            continue
        free = batch.version is None and batch.kind in _JOINED and batch.kind not in apart
        its = batch.state if free else None
        if together and (its is None or its != state):
            yield together
            together = []
        together.append(batch)
        state = its
    if together:
        yield together

"""The plan of a frame: everything that is computed once and stays valid while the frame keeps its structure.

It holds the order of the passes, which targets they clear, the order of their batches, and which batches are drawn in
one call. If only cameras move or the contents of batches change, the plan of the previous frame is used.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from rish_frame import Batch, DrawStats, Frame, Pass
from rish_frame.frame import Key

from .draw.table import JOINED
from .scene import PassContext
from .targets import Surface


@dataclass
class PlannedPass:
    """A pass with its drawing plan.

    clears: the surfaces to clear before it. runs: indices into its list of batches; those of one run are drawn in one
    call. scene: created when the pass is first drawn. took: the statistics of the last time that it was drawn.
    """

    pass_: Pass
    clears: list[Surface]
    runs: list[list[int]]
    scene: PassContext | None = None
    took: DrawStats = field(default_factory=DrawStats)


@dataclass
class DrawPlan:
    """The planned passes of a frame in order.

    key: the structure of the frame and the size of the screen that the plan was made for. order: the passes themselves.
    tables: the value of `Pages.written` when the frame was last drawn.
    """

    frame: Frame
    key: Key
    passes: list[PlannedPass]
    order: list[Pass]
    tables: int = -1


def make_plan(frame: Frame, key: Key, surfaces: dict[str, Surface], apart: Collection[str]) -> DrawPlan:
    """Return the plan of a frame. apart: kinds whose batches are each drawn alone."""
    passes: list[PlannedPass] = []
    for step in frame.steps():
        places = {id(batch): place for place, batch in enumerate(step.pass_.batches)}
        indices = [[places[id(batch)] for batch in run] for run in runs(step.batches, apart)]
        passes.append(PlannedPass(step.pass_, [surfaces[name] for name in step.clears], indices))
    return DrawPlan(frame, key, passes, [planned.pass_ for planned in passes])


def runs(batches: Sequence[Batch], apart: Collection[str]) -> list[list[Batch]]:
    """Group the batches, in order, into runs of neighbors that one call can draw; empty batches are left out."""

    def state(batch: Batch) -> Any:
        free = not batch.static and batch.kind in JOINED and batch.kind not in apart
        return batch.state if free else id(batch)

    return [list(run) for _, run in groupby((batch for batch in batches if batch.count), state)]

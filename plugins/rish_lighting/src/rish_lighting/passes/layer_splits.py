"""Cuts: the layers at which a run of lit layers is split, because not every light reaches all of its layers.

A renderer may draw several layers as one batch. Before it runs, an empty batch is added at each cut, so that no batch
spans a cut; these batches are removed again afterwards. Games in which every light reaches every layer have no cuts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rish_assets import LogOnce
from rish_ecs import did_you_mean
from rish_ecs.declarations import distinct
from rish_frame import Batch, Frame, LightPoints, Pass
from rish_frame.frame import names_of

from ..components.light import Ambient, Light
from ..lamps.lamps import EVERY_LAYER, bits_of, layer_numbers

if TYPE_CHECKING:
    from rish_core import World

    from .sheets import Run

CUT = "light.cut"


def cuts_of(world: World, log: LogOnce) -> list[int]:
    """Return the numbers of the layers that are not lit by the same lights as the layer below, in rising order.

    log: reports the names of missing layers once.
    """
    numbers = layer_numbers(world)
    reached: set[int] = set()
    for kind in (Light, Ambient):
        table = world.table(kind)
        spans = table.column("layers")
        rows = np.flatnonzero(spans[:, 1] > 0).tolist() if len(table) else []
        for row in rows:
            names = table.read_row("layers", row)
            reached.add(bits_of(names, numbers))
            for name in dict.fromkeys(names):
                if name not in numbers:
                    who = f"entity {table.entities[row]}, its {kind.__name__}"
                    log(f"{who}: no layer is called {name!r}{did_you_mean(name, numbers)}", key=name)
    reached.update(int(bits) for bits in distinct(world[LightPoints].column("layers")).tolist())
    reached.discard(EVERY_LAYER)
    if not reached:
        return []
    bits_by_layer = [tuple(bits >> number & 1 for bits in sorted(reached)) for number in range(len(numbers))]
    return [number for number in range(1, len(bits_by_layer)) if bits_by_layer[number] != bits_by_layer[number - 1]]


def mark_cuts(frame: Frame, cuts: list[int]) -> None:
    """Add an empty batch at each cut."""
    recorder = frame.record("lighting.cuts")
    for number in cuts:
        recorder.add(Batch(CUT, {}, layer=number, z=float("-inf"), count=0, source="lighting"))


def unmark_cuts(frame: Frame) -> None:
    """Remove the batches of `mark_cuts` from all passes."""
    for pass_ in frame.passes.values():
        if any(batch.kind == CUT for batch in pass_.batches):
            pass_.batches = [batch for batch in pass_.batches if batch.kind != CUT]


def part(run: Run, cuts: list[int]) -> list[Run]:
    """Split a lit run into several, bottom up; all layers of a part are lit by the same lights.

    The passes of the first part keep their names; those of the others show the same batches through other layer masks.
    """
    ends = [*cuts, 256]
    layers = sorted({batch.layer for pass_ in run.passes for batch in pass_.batches if pass_.shows(batch.layer)})
    used = sorted({next(k for k, end in enumerate(ends) if layer < end) for layer in layers}) or [0]
    parts: list[Run] = []
    for number, k in enumerate(used):
        first, end = (0, *cuts)[k], ends[k]
        mask = (1 << end) - (1 << first)
        passes: list[Pass] = []
        for pass_ in run.passes:
            visible_mask = pass_.layer_mask & mask
            name = f"light.part.{number}.{pass_.name}" if number else pass_.name
            after = (*names_of(pass_.after), pass_.name) if number else pass_.after
            passes.append(replace(pass_, name=name, after=after, layer_mask=visible_mask))
        parts.append(replace(run, passes=passes, bits=1 << first, originals=run.passes))
    return parts

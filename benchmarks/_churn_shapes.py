"""One box that changes its color among many, without drawing."""

from __future__ import annotations

import statistics
import time

import numpy as np

from rish_core import App, Transform, parse_manifest
from rish_render import Shape

from ._churn_rish import DT, Undrawn
from ._task import Task, figure

_COUNT = 10_000
_TEXT = "rish: 1\ngame: {title: Boxes, size: [640, 360]}\nplugins: [render]\n"


def box_changes() -> Task:
    """A frame in which one of the boxes changes, less a still frame; medians, in turns."""
    app = App(parse_manifest(_TEXT), backend=Undrawn(), headless=True)
    app.headless = False
    place = np.random.default_rng(1).uniform(0, 360, (_COUNT, 2)).astype(np.float32)
    boxes = app.world.spawn_many(_COUNT, Transform(position=place), Shape(size=(6, 6)))
    for _ in range(60):
        app.frame(seconds=DT)

    def timed() -> float:
        start = time.process_time()
        app.frame(seconds=DT)
        return time.process_time() - start

    def measure() -> float:
        turns: list[tuple[float, float]] = []
        for turn in range(31):
            app.world.set(int(boxes[turn * 37]), Shape(color=(0.5, turn / 31, 1, 1)))
            changed = timed()
            timed()
            timed()
            turns.append((changed, timed()))
        changed, still = (statistics.median(times) for times in zip(*turns, strict=True))
        return changed - still

    return figure(measure, app.close)

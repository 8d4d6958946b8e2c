"""One box that changes its color among many, without drawing."""

from __future__ import annotations

import itertools
from functools import partial

import numpy as np

from rish_core import App, Transform, parse_manifest
from rish_render import Shape

from ._churn_rish import DT, Undrawn
from ._churn_turns import above_still
from ._task import Task, figure

_COUNT = 10_000
_TEXT = "rish: 1\ngame: {title: Boxes, size: [640, 360]}\nplugins: [render]\n"


def box_changes() -> Task:
    """A frame in which one of the boxes changes, less a still frame; medians, in turns."""
    app = App(parse_manifest(_TEXT), backend=Undrawn(), headless=True)
    app.headless = False
    place = np.random.default_rng(1).uniform(0, 360, (_COUNT, 2)).astype(np.float32)
    boxes = app.world.spawn_many(_COUNT, Transform(position=place), Shape(size=(6, 6)))
    frame = partial(app.frame, seconds=DT)
    for _ in range(60):
        frame()
    numbers = itertools.count()

    def change() -> None:
        turn = next(numbers)
        app.world.set(int(boxes[turn * 37 % _COUNT]), Shape(color=(0.5, turn % 32 / 32, 1, 1)))

    return figure(partial(above_still, frame, change, lambda: None, 31), app.close)

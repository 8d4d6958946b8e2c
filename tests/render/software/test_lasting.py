"""Targets that are not cleared in each frame, because the drawers of their passes clear what they draw again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_frame import ArraySpec, Batch, BatchKind, DrawTarget, Frame, Pass, Target
from rish_render.backends.software.backend import SoftwareBackend

KIND = BatchKind("test.part", "One number of each part.", {"value": ArraySpec(np.dtype(np.float32), ("n",), "any")})
LEFT, RIGHT = (0.0, 0.0, 0.5, 1.0), (0.5, 0.0, 0.5, 1.0)


class Drawer:
    """Adds to the numbers in a target, and notes whether it was cleared."""

    needs = frozenset[str]()

    def __init__(self, clears: bool) -> None:
        self.clears = clears
        self.cleared: list[bool] = []

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Add 1."""
        self.cleared.append(target.cleared)
        target.colors[0][...] += 1


def _frame(*viewports: Any, further: int = 0) -> Frame:
    frame = Frame((16, 8))
    frame.add_target(Target("map", (16, 8), formats=("r32f",)))
    for number, viewport in enumerate(viewports):
        frame.add_pass(Pass(f"part{number}", ("map",), viewport=viewport))
        for _ in range(1 + further):
            frame.add(Batch(KIND, {"value": np.ones(1, np.float32)}), to=f"part{number}")
    return frame


@pytest.mark.parametrize(
    ("frame", "clears", "stays"),
    [
        (lambda: _frame(LEFT, RIGHT), True, True),
        (lambda: _frame(None), True, True),
        (lambda: _frame(LEFT, None), True, False),
        (lambda: _frame(None, further=1), True, False),
        (lambda: _frame(LEFT, RIGHT), False, False),
    ],
    ids=["parts", "whole", "overlap", "two batches", "plain drawer"],
)
def test_a_target_stays_if_its_drawers_clear_it(frame: Callable[[], Frame], clears: bool, stays: bool) -> None:
    """A target keeps what was drawn if all its passes are single batches of such drawers, in parts of their own."""
    backend, drawer, drawn = SoftwareBackend(threads=1), Drawer(clears), frame()
    backend.open("test", (16, 8), visible=False)
    backend.add_drawer(KIND, drawer)
    for _ in range(3):
        backend.draw(drawn)
    calls = len(drawer.cleared) // 3
    assert drawer.cleared == [True] * calls + [not stays] * 2 * calls
    assert backend.pixels("map").max() == calls * (3 if stays else 1)
    backend.draw(frame())
    assert drawer.cleared[-1]
    backend.close()

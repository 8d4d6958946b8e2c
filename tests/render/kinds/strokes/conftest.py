"""Helpers for the tests of strokes: a screen to draw triangles on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_frame import Batch, Frame
from rish_render.backends.software.backend import SoftwareBackend


@pytest.fixture
def draw() -> Any:
    """`draw(strip, opacity, size)` returns the coverage of the pixels, float (h, w) from 0 to 1, y up."""

    def draw(strip: Any, opacity: int = 255, size: tuple[int, int] = (80, 80)) -> Any:
        positions = np.zeros((len(strip.points), 3), np.float32)
        positions[:, :2] = strip.points
        colors = np.full((len(positions), 4), 255, np.uint8)
        colors[:, 3] = np.floor(opacity * strip.cover + 0.5)
        frame, backend = Frame(size), SoftwareBackend()
        frame.set_clear((0, 0, 0, 1))
        if len(strip.indices):
            batch = Batch("mesh", {"positions": positions, "colors": colors, "indices": strip.indices})
            batch.check()
            frame.add(batch)
        backend.open("strokes", size, False)
        backend.draw(frame)
        return backend.pixels()[::-1, :, 0].astype(float) / 255

    return draw

"""The scene of the benchmark `lights`: boxes that cast shadows, and lights that wander among them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

SIZE = (1280, 720)
RADIUS = 160.0
BOXES = 250


def boxes() -> tuple[Array, Array, Array]:
    """Return places (n, 2), sides (n, 2) and angles (n,) of the boxes."""
    rng = np.random.default_rng(7)
    return rng.uniform((0, 0), SIZE, (BOXES, 2)), rng.uniform(8, 40, (BOXES, 2)), rng.uniform(0, 2 * np.pi, BOXES)


def edges() -> Array:
    """Return float32 (1000, 4): the sides of the boxes, counter-clockwise."""
    places, sides, angles = boxes()
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])[None] * sides[:, None]
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x = corners[..., 0] * cos - corners[..., 1] * sin + places[:, :1]
    y = corners[..., 0] * sin + corners[..., 1] * cos + places[:, 1:]
    ring = np.stack([x, y], axis=-1)
    return np.concatenate([ring, np.roll(ring, -1, axis=1)], axis=2).reshape(-1, 4).astype(np.float32)


class Walk:
    """Lights that wander. places: float32 (n, 2), updated by each `step`; colors: float32 (n, 3), linear."""

    def __init__(self, count: int) -> None:
        rng = np.random.default_rng(11)
        self.places = rng.uniform((0, 0), SIZE, (count, 2)).astype(np.float32)
        self.way = rng.uniform(-2, 2, (count, 2)).astype(np.float32)
        self.colors = rng.uniform(0.1, 0.6, (count, 3)).astype(np.float32)

    def step(self) -> None:
        """Move the lights by one step, and reverse those at the border."""
        self.places += self.way
        outside = (self.places < 0) | (self.places > np.array(SIZE, np.float32))
        self.way[outside] *= -1
        np.clip(self.places, 0, SIZE, out=self.places)

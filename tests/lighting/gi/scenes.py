"""Scenes for global illumination: grids of texels, some of them solid, some of those glowing."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array

Scene = tuple[Array, Array, Array]
NAMES = ("lamp", "rooms", "colors", "pillars", "slits")


def blank(side: int) -> Scene:
    """Return an empty scene: solid uint8 (side, side), emission and albedo float32 (side, side, 3)."""
    return (
        np.zeros((side, side), np.uint8),
        np.zeros((side, side, 3), np.float32),
        np.zeros((side, side, 3), np.float32),
    )


def put(scene: Scene, x0: float, y0: float, x1: float, y1: float, glow: Any = 0.0, albedo: Any = 0.0) -> None:
    """Add a solid box; places are fractions of the side, at least two texels wide."""
    side = len(scene[0])
    (i0, i1), (j0, j1) = ((round(a * side), max(round(b * side), round(a * side) + 2)) for a, b in ((x0, x1), (y0, y1)))
    box = np.s_[j0:j1, i0:i1]
    scene[0][box], scene[1][box], scene[2][box] = 1, glow, albedo


def disc(scene: Scene, x: float, y: float, radius: float, glow: Any = 0.0, albedo: Any = 0.0) -> None:
    """Add a solid disc."""
    side = len(scene[0])
    j, i = np.mgrid[0:side, 0:side] + 0.5
    inside = np.hypot(i - x * side, j - y * side) < radius * side
    scene[0][inside], scene[1][inside], scene[2][inside] = 1, glow, albedo


def scene(name: str, side: int) -> Scene:
    """Return one of the five scenes."""
    made = blank(side)
    white, stone = 0.8, (0.7, 0.6, 0.5)
    if name == "lamp":
        disc(made, 0.3, 0.5, 0.05, (4, 3, 2))
        put(made, 0.5, 0.3, 0.52, 0.7, albedo=stone)
        put(made, 0.0, 0.0, 1.0, 0.02, albedo=white)
    elif name == "rooms":
        for k in (0, 0.49, 0.98):
            put(made, k, 0, k + 0.02, 1, albedo=stone)
            put(made, 0, k, 1, k + 0.02, albedo=stone)
        for box in ((0.49, 0.2, 0.51, 0.3), (0.49, 0.7, 0.51, 0.8), (0.2, 0.49, 0.3, 0.51)):
            side_box = [round(edge * side) for edge in box]
            hole = np.s_[side_box[1] : side_box[3] + 1, side_box[0] : side_box[2] + 1]
            made[0][hole], made[2][hole] = 0, 0
        disc(made, 0.25, 0.25, 0.03, (6, 5, 3))
        disc(made, 0.75, 0.8, 0.02, (1, 2, 8))
    elif name == "colors":
        put(made, 0.05, 0.1, 0.08, 0.9, albedo=(0.9, 0.1, 0.1))
        put(made, 0.92, 0.1, 0.95, 0.9, albedo=(0.1, 0.9, 0.1))
        put(made, 0.05, 0.9, 0.95, 0.93, albedo=white)
        put(made, 0.4, 0.12, 0.6, 0.15, (5, 5, 5))
        put(made, 0.3, 0.5, 0.45, 0.65, albedo=white)
    elif name == "pillars":
        for k in range(5):
            for m in range(5):
                disc(made, 0.1 + 0.2 * k, 0.1 + 0.2 * m, 0.04, albedo=stone)
        disc(made, 0.2, 0.2, 0.025, (8, 4, 1))
        disc(made, 0.6, 0.8, 0.025, (1, 4, 8))
        disc(made, 0.8, 0.4, 0.025, (3, 6, 3))
    else:
        for k in range(9):
            put(made, 0.4, k / 9, 0.42, k / 9 + 0.08, albedo=0.5)
        put(made, 0.1, 0.3, 0.13, 0.7, (5, 4, 3))
        put(made, 0.8, 0.0, 0.83, 0.45, albedo=white)
    return made

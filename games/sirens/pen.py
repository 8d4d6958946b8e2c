"""Collects boxes, discs, rings and lines, and adds them to the frame as two batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_core import Layers, World
from rish_frame import Batch, Frame
from rish_jit import Array

Color = tuple[int, int, int, int]
BOX, DISC = 0, 1
CYAN, AMBER, RED, GREEN = (76, 201, 240, 255), (255, 180, 84, 255), (255, 93, 115, 255), (126, 224, 162, 255)
GOLD, WHITE, GRAY, DIM = (255, 209, 102, 255), (241, 244, 255, 255), (92, 104, 140, 255), (34, 45, 74, 255)
PANEL, INK, FAINT, LABEL = (16, 23, 42, 255), (219, 228, 255, 255), (70, 82, 116, 255), (127, 141, 181, 255)
CLEAR = (0, 0, 0, 0)


def paint(color: Color) -> tuple[float, float, float, float]:
    """Return a color as a component has it: numbers from 0 to 1."""
    red, green, blue, alpha = (value / 255 for value in color)
    return red, green, blue, alpha


def faded(color: Color, share: float) -> Color:
    """Return a color with a share of its opacity."""
    return *color[:3], int(color[3] * min(max(share, 0.0), 1.0))


class Pen:
    """Draws on one layer: first the forms, then the lines."""

    def __init__(self, world: World, layer: str, z: float = 2) -> None:
        self._frame, self._layer, self._z = world[Frame], world[Layers].index(layer), z
        self._forms: list[tuple[float, float, float, float, float, float, int]] = []
        self._paint: list[tuple[Color, Color]] = []
        self._lines: list[Array] = []
        self._widths: list[Array] = []
        self._inks: list[Array] = []

    def box(self, x: float, y: float, width: float, height: float, color: Color, corner: float = 0) -> None:
        """Add a box by its lower left corner."""
        if width > 0 and height > 0:
            self._forms.append((x + width / 2, y + height / 2, width / 2, height / 2, corner, 0, BOX))
            self._paint.append((color, CLEAR))

    def disc(self, x: float, y: float, radius: float, color: Color, edge: Color = CLEAR, line: float = 0) -> None:
        """Add a disc, or with a clear color a ring."""
        self._forms.append((x, y, radius, radius, 0, line, DISC))
        self._paint.append((color, edge))

    def lines(self, points: Any, color: Any, width: Any = 1.0) -> None:
        """Add lines. points: (n, 4), x0 y0 x1 y1; color, width: one, or one for each."""
        ends = np.asarray(points, np.float32).reshape(-1, 4)
        self._lines.append(ends)
        self._widths.append(np.broadcast_to(np.asarray(width, np.float32), len(ends)))
        self._inks.append(np.broadcast_to(np.asarray(color, np.uint8), (len(ends), 4)))

    def path(self, points: Any, color: Color, width: float = 1.5) -> None:
        """Add a line through points (n, 2)."""
        places = np.asarray(points, np.float32).reshape(-1, 2)
        if len(places) > 1:
            self.lines(np.hstack([places[:-1], places[1:]]), color, width)

    def done(self) -> None:
        """Add everything to the frame."""
        if self._forms:
            self._frame.add(Batch("shapes", _arrays(self._forms, self._paint), layer=self._layer, z=self._z))
        if self._lines:
            arrays = {
                "points": np.concatenate(self._lines),
                "width": np.concatenate(self._widths),
                "rgba": np.ascontiguousarray(np.concatenate(self._inks)),
            }
            self._frame.add(Batch("lines", arrays, layer=self._layer, z=self._z + 0.5))


def _arrays(forms: Sequence[Any], paint: Sequence[tuple[Color, Color]]) -> dict[str, Array]:
    """Return the arrays of a batch of shapes."""
    x, y, half_width, half_height, corner, line, kind = np.array(forms, np.float64).T
    zero = np.zeros(len(x))
    inks = np.array(paint, np.uint8)
    return {
        "matrix": np.column_stack([2 * half_width, zero, zero, 2 * half_height, x, y]).astype(np.float32),
        "half": np.column_stack([half_width, half_height]).astype(np.float32),
        "corner": corner.astype(np.float32),
        "line": line.astype(np.float32),
        "kind": kind.astype(np.uint8),
        "rgba": np.ascontiguousarray(inks[:, 0]),
        "rgba2": np.ascontiguousarray(inks[:, 0]),
        "edge": np.ascontiguousarray(inks[:, 1]),
    }

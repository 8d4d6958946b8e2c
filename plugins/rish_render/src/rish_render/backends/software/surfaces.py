"""Surfaces: the arrays that the software backend draws onto.

An `rgba8` attachment has one uint32 per pixel, row 0 on top, and a few spare columns on the right: spans are rounded up
to complete vectors, which may write there. The spare columns are not part of the image and stay transparent. The float
formats are float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np

from rish_frame import Drawer, Target
from rish_frame.frame import FORMATS, Rect, Step
from rish_jit import Array

SPARE = 8
_ROUNDING = 1e-9
"""Parts of a target overlap by so little if their edges were rounded."""
FARTHEST = 1.0
DEPTH = -1
"""The number of the depth among the attachments that a pass reads."""


def attachment_number(name: str) -> int:
    """Return the number of an attachment from its name in an input: "" is the first, "depth" the depth."""
    return DEPTH if name == "depth" else int(name or 0)


class Surface:
    """A target's attachments and depth.

    colors: one array for each attachment, uint32 (h, w + SPARE) for rgba8, float32 (h, w, channels) otherwise. depth:
    float32 (h, w) or None.
    """

    def __init__(self, target: Target, size: tuple[int, int], *, opaque: bool = False) -> None:
        self.target = target
        self.size = size
        self.opaque = opaque
        width, height = size
        self.colors: list[Array] = [
            np.zeros((height, width + SPARE), np.uint32)
            if form == "rgba8"
            else np.zeros((height, width, FORMATS[form]), np.float32)
            for form in target.formats
        ]
        self.depth: Array | None = np.full((height, width), FARTHEST, np.float32) if target.depth else None

    @property
    def form(self) -> tuple[Any, ...]:
        """A key that changes if the target needs a new surface."""
        return self.size, self.target.formats, self.target.depth

    @property
    def forms(self) -> tuple[Any, ...]:
        """The formats of the attachments and the channels that sprites write to them."""
        return self.target.formats, self.target.channels, len(self.colors)

    def clear(self, first: int = 0, last: int | None = None) -> None:
        """Fill the rows `first` up to `last` of the colors and the depth with the target's clear values."""
        for number, color in enumerate(self.colors):
            self.picture(number)[first:last] = self._clear_value(number, color)
        if self.depth is not None:
            self.depth[first:last] = FARTHEST

    def _clear_value(self, number: int, color: Array) -> Any:
        wanted = np.array(self.target.clear_color(number), np.float64)
        if self.opaque and number == 0:
            wanted[3] = 1.0
        if color.ndim == 3:
            values = wanted[: color.shape[2]].astype(np.float32)
            if (values == values[0]).all():
                return values[0]  # numpy fills with one number, or with a whole row, four times as fast as with pixels
            return np.tile(values, (color.shape[1], 1))
        return np.floor(np.clip(wanted, 0, 1) * 255 + 0.5).astype(np.uint8).view(np.uint32)[0]

    def picture(self, number: int = 0) -> Array:
        """Return a view of an attachment without the spare columns: uint32 (h, w) or float32 (h, w, channels)."""
        color = self.colors[number]
        return color[:, : self.size[0]] if color.ndim == 2 else color

    def channels(self, number: int = 0) -> Array:
        """Return a view of an attachment in the form that drawers get: uint8 (h, w, 4) or float32 (h, w, channels).

        The depth (`DEPTH`) is float32 (h, w).
        """
        if number == DEPTH:
            assert self.depth is not None
            return self.depth
        color = self.colors[number]
        if color.ndim == 3:
            return color
        height = color.shape[0]
        return color.view(np.uint8).reshape(height, -1, 4)[:, : self.size[0]]

    def read(self, number: int = 0) -> Array:
        """Return a copy of an attachment; see `channels`."""
        return self.channels(number).copy()

    def copy(self) -> Surface:
        """Return another surface with the same contents."""
        copied = copy(self)
        copied.colors = [color.copy() for color in self.colors]
        copied.depth = None if self.depth is None else self.depth.copy()
        return copied


def lasting_targets(steps: Sequence[Step], drawers: Mapping[str, Drawer]) -> frozenset[str]:
    """Return the targets that need not be cleared in each frame, because the drawers of their passes do it.

    Each of their passes has no other target, at most one batch, of such a drawer (see `Drawer`), and a part of its own.
    """
    drawn: dict[str, list[Step]] = {}
    for step in steps:
        for name in step.pass_.targets:
            drawn.setdefault(name, []).append(step)
    return frozenset(name for name, on in drawn.items() if name in on[0].clears and _clear_themselves(on, drawers))


def _clear_themselves(steps: Sequence[Step], drawers: Mapping[str, Drawer]) -> bool:
    """Whether the drawers of passes with the same target clear what they draw, in parts that do not overlap."""
    for step in steps:
        if len(step.pass_.targets) > 1 or len(step.batches) > 1:
            return False
        if not all(batch.count == 0 or getattr(drawers.get(batch.kind), "clears", False) for batch in step.batches):
            return False
    parts = [step.pass_.viewport or (0, 0, 1, 1) for step in steps]
    return all(_apart(one, other) for k, one in enumerate(parts) for other in parts[:k])


def _apart(one: Rect, other: Rect) -> bool:
    """Whether two viewports, x, y, width and height, have no pixel in common."""
    ends = [(one[k] + one[k + 2] - other[k], other[k] + other[k + 2] - one[k]) for k in (0, 1)]
    return min(map(min, ends)) < _ROUNDING

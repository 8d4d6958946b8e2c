"""The context of a pass: the target, the camera and the inputs with which its batches are drawn."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rish_frame import Batch, Frame, Pass
from rish_frame.frame import pixel_rect
from rish_jit import Array

from ..shared import Unable
from .bitmaps import Bitmaps
from .pages import Pages
from .surfaces import Surface
from .workers import Workers

EVERY_ROW = (0, sys.maxsize)


class KernelCall(NamedTuple):
    """One call of a kernel: `kernel(attachment, first row, row after the last, *arguments)`.

    A kernel gives each pixel the same color, whichever rows it is called for. effort: an estimate of the time for all
    rows of the target, in nanoseconds. rows: the first row that it may change, and the row after the last.
    """

    kernel: Callable[..., None]
    attachment: int
    arguments: tuple[Any, ...]
    effort: float = 0.0
    rows: tuple[int, int] = EVERY_ROW


@dataclass
class PassContext:
    """The target, view and state with which the batches of one pass are drawn.

    inputs: by name, a surface and the number of its attachment. bitmaps: for sprites that need not be exact, by the
    name of the frame table's channel; None to draw all exactly. cleared: see `DrawTarget`.
    """

    frame: Frame
    pass_: Pass
    surface: Surface
    pages: Pages
    inputs: dict[str, tuple[Surface, int]] = field(default_factory=dict[str, "tuple[Surface, int]"])
    bitmaps: dict[str, Bitmaps] | None = None
    workers: Workers = field(default_factory=lambda: Workers(1))
    cleared: bool = True

    def clip(self, batch: Batch) -> Array:
        """Return the batch's clip rectangle as int64 (4): x0 y0 x1 y1 in pixels, row 0 on top."""
        width, height = self.surface.size
        x, y, w, h = self.pass_.clip((width, height), batch)
        return np.array([x, height - y - h, x + w, height - y], np.int64)

    @cached_property
    def viewport(self) -> tuple[int, int, int, int]:
        """The pass's viewport: x, y, width, height in pixels, row 0 on top."""
        x, y, w, h = pixel_rect(self.pass_.viewport, self.surface.size)
        return x, self.surface.size[1] - y - h, w, h

    @cached_property
    def camera(self) -> Array:
        """float64 (4, 4): projection @ view."""
        return self.pass_.projection.astype(np.float64) @ self.pass_.view.astype(np.float64)

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """A key of everything that the kernel calls of this pass depend on, except the batches."""
        surface = self.surface
        places = (self.viewport, self.pass_.scissor, surface.size, self.pass_.depth_test, id(surface.depth))
        versions = None if self.bitmaps is None else tuple(b.version for b in self.bitmaps.values())
        return self.camera.tobytes(), places, surface.forms, self.frame.frames_version, self.pages.layout, versions

    @cached_property
    def plane(self) -> Array:
        """float64 (2, 3): the map from the pass's plane to pixels. Raises Unable if the camera has perspective."""
        camera = self.camera
        if camera[3, 0] or camera[3, 1] or not camera[3, 3]:
            raise Unable("two-dimensional kinds need a camera without perspective")
        x, y, w, h = self.viewport
        plane = camera[:2][:, [0, 1, 3]] / camera[3, 3]
        plane[0] *= w / 2
        plane[1] *= -h / 2
        plane[:, 2] += [x + w / 2, y + h / 2]
        return plane


def into_pixels(matrix: Array, plane: Array) -> Array:
    """Return matrices `a b c d tx ty` followed by the plane's map to pixels, as float64 (n, 6)."""
    out = np.empty((len(matrix), 6), np.float64)
    for even in (0, 2, 4):
        out[:, even] = plane[0, 0] * matrix[:, even] + plane[0, 1] * matrix[:, even + 1]
        out[:, even + 1] = plane[1, 0] * matrix[:, even] + plane[1, 1] * matrix[:, even + 1]
    out[:, 4:] += plane[:, 2]
    return out

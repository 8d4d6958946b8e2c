"""A scene: where the batches of one pass are drawn, through which camera, with which pictures at hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core.frame.batches import Batch
from rish_core.frame.passes import Frame, Pass, pixel_rect

from .pages import Pages
from .targets import Canvas, Picture

Array = npt.NDArray[Any]


class Unable(Exception):
    """Why a batch can't be drawn, as a clause for the statistics."""


@dataclass
class Scene:
    """Where the batches of one pass are drawn.

    inputs: by name, what the pass may read. before: the canvas as it was before the pass, or None.
    """

    frame: Frame
    pass_: Pass
    canvas: Canvas
    pages: Pages
    inputs: dict[str, Picture]
    before: Any = None

    def clip(self, batch: Batch) -> tuple[int, int, int, int]:
        """x, y, width, height in pixels from the bottom left."""
        return self.pass_.clip(self.canvas.size, batch)

    @cached_property
    def viewport(self) -> tuple[int, int, int, int]:
        """x, y, width, height in pixels from the bottom left."""
        return pixel_rect(self.pass_.viewport, self.canvas.size)

    @cached_property
    def camera(self) -> Array:
        """float64 (4, 4): projection @ view."""
        return self.pass_.projection.astype(np.float64) @ self.pass_.view.astype(np.float64)

    @cached_property
    def plane(self) -> Array:
        """float64 (2, 3): from the pass's plane to pixels, y up. Raises Unable where the camera has perspective."""
        camera = self.camera
        if camera[3, 0] or camera[3, 1] or not camera[3, 3]:
            raise Unable("flat things need a camera without perspective here")
        x, y, w, h = self.viewport
        plane = camera[:2][:, [0, 1, 3]] / camera[3, 3]
        plane *= [[w / 2], [h / 2]]
        plane[:, 2] += [x + w / 2, y + h / 2]
        return plane

    @cached_property
    def space(self) -> Array:
        """float64 (4, 4): the camera, with the viewport's place on the target in it."""
        width, height = self.canvas.size
        x, y, w, h = self.viewport
        place = np.eye(4)
        place[0, 0], place[0, 3] = w / width, (2 * x + w) / width - 1
        place[1, 1], place[1, 3] = h / height, (2 * y + h) / height - 1
        return place @ self.camera

    @cached_property
    def _numbers(self) -> tuple[float, float, float, float, float, float]:
        """The plane as numbers of Python's: a c tx, b d ty."""
        a, c, tx, b, d, ty = self.plane.ravel().tolist()
        return a, c, tx, b, d, ty

    def to_pixels(self, origin: tuple[float, float]) -> dict[str, Any]:
        """The uniforms of place.glsl for things whose positions are relative to `origin`."""
        a, c, tx, b, d, ty = self._numbers
        x, y = origin
        width, height = self.canvas.size
        shift = (a * x + c * y + tx, b * x + d * y + ty)
        return {"plane": (a, b, c, d), "shift": shift, "resolution": (float(width), float(height))}

    def input(self, name: str) -> Picture:
        """A target that the pass may read. Raises Unable for any other, and for one of floats."""
        if name not in self.inputs:
            raise Unable(f"'{name}' is no input of the pass")
        picture = self.inputs[name]
        if picture.form != "rgba8":
            raise Unable(f"'{name}' has a float format, which is read by drawers only")
        return picture

"""The context of a pass: the target, the camera and the inputs with which its batches are drawn.

It lasts as long as the plan of its frame. If the camera moves, the matrices are computed again; the prepared draw calls
(see `DrawCall`) are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from rish_frame import Batch, Frame, Pass
from rish_frame.frame import Rect, pixel_rect
from rish_jit import Array

from ..shared import Unable
from .device import Clip
from .pages import Pages
from .programs import Program
from .targets import Canvas, Picture

_STATE = attrgetter("kind", "blend", "filter", "texture", "clip")
_OF_THE_CAMERA = ("camera", "plane", "numbers", "space")


@dataclass(frozen=True, eq=False)
class DrawCall:
    """The program and the state that draw rows of one batch state in a pass.

    textures: the textures that are read, each with its unit. values: the uniforms that stay the same; the camera's
    uniforms are set in addition.
    """

    program: Program
    framebuffer: Any
    clip: Clip
    blend: str
    textures: Sequence[tuple[int, Any]]
    values: dict[str, Any]


class PassContext:
    """The target, view and state with which the batches of one pass are drawn.

    inputs: the readable targets by name. before: a copy of the canvas from before the pass, or None.
    """

    def __init__(
        self, frame: Frame, pass_: Pass, canvas: Canvas, pages: Pages, inputs: dict[str, Picture], before: Any = None
    ) -> None:
        self.frame, self.pass_, self.canvas, self.pages = frame, pass_, canvas, pages
        self.inputs, self.before = inputs, before
        self._seen: tuple[bytes, bytes] | None = None
        self._clips: dict[Rect | None, Clip] = {}
        self._orders: dict[Any, DrawCall] = {}

    def aim(self) -> None:
        """Take the pass's current camera: drop the cached matrices if its view or projection changed."""
        seen = self.pass_.view.tobytes(), self.pass_.projection.tobytes()
        if seen != self._seen:
            self._seen = seen
            for name in _OF_THE_CAMERA:
                self.__dict__.pop(name, None)

    def order(self, batch: Batch, prepare: Callable[[], DrawCall]) -> DrawCall:
        """Return the draw call for batches of this state, cached; with a material, prepare it each time."""
        if batch.material is not None:
            return prepare()
        state = _STATE(batch)
        call = self._orders.get(state)
        if call is None:
            call = self._orders[state] = prepare()
        return call

    def clip(self, batch: Batch) -> Clip:
        """The batch's clip rectangle: x, y, width, height in pixels from the bottom left."""
        clip = self._clips.get(batch.clip)
        if clip is None:
            clip = self._clips[batch.clip] = self.pass_.clip(self.canvas.size, batch)
        return clip

    @cached_property
    def viewport(self) -> Clip:
        """The pass's viewport: x, y, width, height in pixels from the bottom left."""
        return pixel_rect(self.pass_.viewport, self.canvas.size)

    @cached_property
    def camera(self) -> Array:
        """float64 (4, 4): projection @ view."""
        return self.pass_.projection.astype(np.float64) @ self.pass_.view.astype(np.float64)

    @cached_property
    def numbers(self) -> tuple[float, float, float, float, float, float]:
        """The map a c tx, b d ty from the pass's plane to pixels, y up. Raises Unable if the camera has perspective.

        Computed without numpy, which takes ten times as long for so few numbers.
        """
        view = self.pass_.view.tolist()
        right, up, _, ahead = self.pass_.projection.tolist()
        columns = [[row[k] for row in view] for k in (0, 1, 3)]
        (a, c, tx), (b, d, ty), (skew_x, skew_y, depth) = (
            [row[0] * p + row[1] * q + row[2] * r + row[3] * s for p, q, r, s in columns] for row in (right, up, ahead)
        )
        if skew_x or skew_y or not depth:
            raise Unable("two-dimensional kinds need a camera without perspective")
        x, y, w, h = self.viewport
        across, rise = w / 2 / depth, h / 2 / depth
        return a * across, c * across, tx * across + (x + w / 2), b * rise, d * rise, ty * rise + (y + h / 2)

    @cached_property
    def plane(self) -> Array:
        """float64 (2, 3): `numbers` as an array. Raises Unable if the camera has perspective."""
        return np.array(self.numbers).reshape(2, 3)

    @cached_property
    def space(self) -> Array:
        """float64 (4, 4): the camera, followed by the map from the viewport to the complete target."""
        width, height = self.canvas.size
        x, y, w, h = self.viewport
        place = np.eye(4)
        place[0, 0], place[0, 3] = w / width, (2 * x + w) / width - 1
        place[1, 1], place[1, 3] = h / height, (2 * y + h) / height - 1
        return place @ self.camera

    def input(self, name: str) -> Picture:
        """Return a target that the pass may read. Raises Unable for any other name, and for a float format."""
        if name not in self.inputs:
            raise Unable(f"'{name}' is not an input of the pass")
        picture = self.inputs[name]
        if picture.form != "rgba8":
            raise Unable(f"'{name}' has a float format, which only drawers can read")
        return picture

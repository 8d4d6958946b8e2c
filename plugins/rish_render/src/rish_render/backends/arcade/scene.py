"""A scene: where the batches of one pass are drawn, through which camera, with which pictures.

A scene lasts as long as the plan of its frame: if the camera moves it is aimed again, and it keeps what was prepared
for drawing, see `DrawCall`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_frame import Batch, Frame, Pass
from rish_frame.frame import Rect, pixel_rect

from .device import Clip
from .pages import Pages
from .programs import Program
from .targets import Canvas, Picture

Array = npt.NDArray[Any]

_STATE = attrgetter("kind", "blend", "filter", "texture", "clip")
_OF_THE_CAMERA = ("camera", "plane", "numbers", "space")


class Unable(Exception):
    """Why a batch can't be drawn, as a clause for the statistics."""


@dataclass(frozen=True, eq=False)
class DrawCall:
    """How rows of one state are drawn in a scene.

    textures: what is read, by unit. values: the uniforms that stay the same; the camera's come on top of them.
    """

    program: Program
    framebuffer: Any
    clip: Clip
    blend: str
    textures: Sequence[tuple[int, Any]]
    values: dict[str, Any]


class PassContext:
    """The target, view and state with which the batches of one pass are drawn.

    inputs: by name, what the pass may read. before: the canvas as it was before the pass, or None.
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
        """Look where the pass's camera looks now."""
        seen = self.pass_.view.tobytes(), self.pass_.projection.tobytes()
        if seen != self._seen:
            self._seen = seen
            for name in _OF_THE_CAMERA:
                self.__dict__.pop(name, None)

    def order(self, batch: Batch, prepare: Callable[[], DrawCall]) -> DrawCall:
        """What was prepared for batches of this state; again each time where there is a material."""
        if batch.material is not None:
            return prepare()
        state = _STATE(batch)
        known = self._orders.get(state)
        if known is None:
            known = self._orders[state] = prepare()
        return known

    def clip(self, batch: Batch) -> Clip:
        """x, y, width, height in pixels from the bottom left."""
        known = self._clips.get(batch.clip)
        if known is None:
            known = self._clips[batch.clip] = self.pass_.clip(self.canvas.size, batch)
        return known

    @cached_property
    def viewport(self) -> Clip:
        """x, y, width, height in pixels from the bottom left."""
        return pixel_rect(self.pass_.viewport, self.canvas.size)

    @cached_property
    def camera(self) -> Array:
        """float64 (4, 4): projection @ view."""
        return self.pass_.projection.astype(np.float64) @ self.pass_.view.astype(np.float64)

    @cached_property
    def numbers(self) -> tuple[float, float, float, float, float, float]:
        """a c tx, b d ty: from the pass's plane to pixels, y up. Raises Unable where the camera has perspective.

        Worked out without numpy, which takes ten times as long for so few.
        """
        view = self.pass_.view.tolist()
        right, up, _, ahead = self.pass_.projection.tolist()
        columns = [[row[k] for row in view] for k in (0, 1, 3)]
        (a, c, tx), (b, d, ty), (skew_x, skew_y, depth) = (
            [row[0] * p + row[1] * q + row[2] * r + row[3] * s for p, q, r, s in columns] for row in (right, up, ahead)
        )
        if skew_x or skew_y or not depth:
            raise Unable("flat things need a camera without perspective here")
        x, y, w, h = self.viewport
        across, rise = w / 2 / depth, h / 2 / depth
        return a * across, c * across, tx * across + (x + w / 2), b * rise, d * rise, ty * rise + (y + h / 2)

    @cached_property
    def plane(self) -> Array:
        """float64 (2, 3): the same map. Raises Unable where the camera has perspective."""
        return np.array(self.numbers).reshape(2, 3)

    @cached_property
    def space(self) -> Array:
        """float64 (4, 4): the camera, with the viewport's place on the target in it."""
        width, height = self.canvas.size
        x, y, w, h = self.viewport
        place = np.eye(4)
        place[0, 0], place[0, 3] = w / width, (2 * x + w) / width - 1
        place[1, 1], place[1, 3] = h / height, (2 * y + h) / height - 1
        return place @ self.camera

    def input(self, name: str) -> Picture:
        """A target that the pass may read. Raises Unable for any other, and for one of floats."""
        if name not in self.inputs:
            raise Unable(f"'{name}' is no input of the pass")
        picture = self.inputs[name]
        if picture.form != "rgba8":
            raise Unable(f"'{name}' has a float format, which is read by drawers only")
        return picture

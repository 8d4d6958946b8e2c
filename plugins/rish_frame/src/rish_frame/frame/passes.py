"""Targets, and the passes that draw onto them.

A *target* is a surface to draw onto, declared by name; `screen` always exists. A *pass* draws batches onto targets
through a camera, and may read other targets as inputs.

Colors in targets are premultiplied; they are encoded sRGB in `rgba8` and linear in the float formats. A target is
cleared once a frame, before the first pass that draws onto it. It keeps its image if no pass draws onto it, or if
its first pass has `clear=False`. The screen is opaque.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from operator import attrgetter

from rish_ecs import UnknownName, UsageError

from .batches import Batch, Filter, Rect
from .camera_math import Matrix, identity

FORMATS: dict[str, int] = {"rgba8": 4, "rgba16f": 4, "r32f": 1}
"""The color formats of targets, and the number of channels of each. `pixels()` of a float format is float32."""

DEPTH = "depth"
"""The name of a target's depth among its attachments: `name:depth` is an input of a pass."""

ALL_LAYERS = -1
"""A layer mask in which every bit is set."""

_PLACE = attrgetter("layer", "z")

Color4 = tuple[float, float, float, float]
PixelRect = tuple[int, int, int, int]


@dataclass(frozen=True)
class Target:
    """A surface to draw onto.

    size: width and height in pixels, or a fraction of the screen's. formats: one color attachment each, see
    FORMATS. depth: with a depth buffer, cleared to the far plane whenever the colors are. filter: how inputs
    sample it. clear: a premultiplied color for each attachment, 0..1; missing ones are transparent black. channels:
    the content of each attachment; the first is always the image, others name a table of `Frame.channels` (such as
    `normal`). An attachment without a name, or with a name that has no table, is not drawn onto.

    Onto an attachment with a channel, a sprite or a tile is drawn with the row of its frame in that table. If the row
    is missing, and for any other kind of batch, it is drawn in black with its own opacity, so that it covers what is
    below. With the blend modes add, multiply and screen it is not drawn onto the attachment at all.
    """

    name: str
    size: tuple[int, int] | float = 1.0
    formats: tuple[str, ...] = ("rgba8",)
    depth: bool = False
    filter: Filter = "linear"
    clear: tuple[Color4, ...] = ((0.0, 0.0, 0.0, 0.0),)
    channels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        where = f"target '{self.name}'"
        if not self.name or ":" in self.name:
            raise UsageError(f"a target needs a name without ':', not {self.name!r}")
        for name in self.formats:
            if name not in FORMATS:
                raise UnknownName(f"no color format is called '{name}'", where=where, given=name, choices=FORMATS)
        size = self.size if isinstance(self.size, tuple) else (self.size,)
        if not self.formats or not all(0 < side < math.inf for side in size):
            raise UsageError("a target needs a size above 0 and at least one format", where=where)

    def pixel_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        """Return width and height in pixels on a screen of this size, at least 1."""
        if isinstance(self.size, tuple):
            return self.size
        return max(1, math.floor(screen[0] * self.size + 0.5)), max(1, math.floor(screen[1] * self.size + 0.5))

    def clear_color(self, attachment: int = 0) -> Color4:
        """Return the clear color of one attachment."""
        return self.clear[attachment] if attachment < len(self.clear) else (0.0, 0.0, 0.0, 0.0)


def pixel_rect(rect: Rect | None, size: tuple[int, int]) -> PixelRect:
    """Convert a rectangle of fractions to x, y, width, height in pixels from the bottom left.

    Edges are rounded half up. None gives the complete target.
    """
    if rect is None:
        return 0, 0, size[0], size[1]
    x0, x1 = math.floor(rect[0] * size[0] + 0.5), math.floor((rect[0] + rect[2]) * size[0] + 0.5)
    y0, y1 = math.floor(rect[1] * size[1] + 0.5), math.floor((rect[1] + rect[3]) * size[1] + 0.5)
    return x0, y0, max(x1 - x0, 0), max(y1 - y0, 0)


@dataclass(eq=False)
class Pass:
    """One pass: it draws batches onto targets through a camera.

    targets: the targets that it draws onto; they must all have one size, and their attachments follow one another.
    inputs: targets that its batches and drawers may read, `name`, `name:1` for the second attachment, or `name:depth`
    for the depth, which only drawers can read; an input that is also a target of this pass is read as a copy taken
    before the pass draws. view, projection: the camera, see camera_math. viewport: the part of the target that the
    camera fills; nothing is drawn outside it. scissor: a further rectangle outside which nothing is drawn. Both are
    fractions, x y w h from the bottom left. layer_mask: bit n shows layer n. depth_test: `mesh` batches test and write
    depth. rank, before, after: the order, see graph. clear: see the module. behind: whether the ground of the frame is
    drawn over it, see `Frame.take_ground`.
    """

    name: str
    targets: tuple[str, ...] = ("screen",)
    inputs: tuple[str, ...] = ()
    view: Matrix = field(default_factory=identity)
    projection: Matrix = field(default_factory=identity)
    viewport: Rect | None = None
    scissor: Rect | None = None
    layer_mask: int = ALL_LAYERS
    depth_test: bool = False
    before: str | tuple[str, ...] = ()
    after: str | tuple[str, ...] = ()
    clear: bool = True
    rank: str = "unlit"
    behind: bool = False
    batches: list[Batch] = field(default_factory=list[Batch])

    @property
    def camera(self) -> Matrix:
        """projection @ view, float32 (4, 4)."""
        return self.projection @ self.view

    def shows(self, layer: int) -> bool:
        """Return True if the layer mask includes this layer."""
        return bool(self.layer_mask >> layer & 1)

    def ordered(self) -> list[Batch]:
        """Return the batches that the mask shows, sorted by layer, then z, then the order of adding."""
        batches = self.batches
        if self.layer_mask != ALL_LAYERS:
            batches = [batch for batch in batches if self.shows(batch.layer)]
        return sorted(batches, key=_PLACE) if len(batches) > 1 else list(batches)

    def clip(self, size: tuple[int, int], batch: Batch | None = None) -> PixelRect:
        """Return the rectangle in which drawing has an effect: the intersection of viewport, scissor and batch clip.

        x, y, width, height in whole pixels, from the bottom left; width or height is 0 if it is empty.
        """
        x0, y0, x1, y1 = 0, 0, size[0], size[1]
        for rect in (self.viewport, self.scissor, batch.clip if batch is not None else None):
            if rect is not None:
                x, y, w, h = pixel_rect(rect, size)
                x0, y0, x1, y1 = max(x0, x), max(y0, y), min(x1, x + w), min(y1, y + h)
        return x0, y0, max(x1 - x0, 0), max(y1 - y0, 0)

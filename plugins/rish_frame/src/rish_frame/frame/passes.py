"""Targets, and the passes that draw onto them.

A *target* is a surface to draw onto, declared by name; `screen` always exists. A *pass* draws batches onto targets
through a camera, and may read other targets as inputs.

Targets are premultiplied, encoded sRGB in `rgba8` and linear in the float formats. A target is cleared once a
frame, before the first pass that draws onto it; one that no pass draws onto, or whose first pass says
`clear=False`, keeps its picture. The screen is opaque.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from operator import attrgetter

from rish_ecs import UnknownName, UsageError

from .batches import Batch, Filter, Rect
from .camera_math import Matrix, identity

FORMATS: dict[str, int] = {"rgba8": 4, "rgba16f": 4, "r32f": 1}
"""Colour formats of targets and their channels. `pixels()` of a float format is float32."""

ALL_LAYERS = -1
"""A layer mask in which every bit is set."""

_PLACE = attrgetter("layer", "z")

Colour4 = tuple[float, float, float, float]
PixelRect = tuple[int, int, int, int]


@dataclass(frozen=True)
class Target:
    """A surface to draw onto.

    size: width and height in pixels, or a fraction of the screen's. formats: one colour attachment each, see
    FORMATS. depth: with a depth buffer, cleared to the far plane whenever the colours are. filter: how inputs
    sample it. clear: a colour for each attachment, 0..1, stored as it is (premultiplied); missing ones are
    transparent black. layers: slices of an array target. channels: what is written into each attachment;
    the first is always the picture, others name a table of `Frame.channels` (as `normal`), and an attachment
    without a name, or with one that is no table, stays untouched.

    Onto an attachment with a channel a sprite or a tile is drawn as its frame is in that table. What has nothing there,
    a frame whose row is missing or any other kind of batch, is drawn in black, as opaque as it is itself, so that what
    lies below does not show through it; but it leaves the attachment alone where it blends by add, multiply or screen.
    """

    name: str
    size: tuple[int, int] | float = 1.0
    formats: tuple[str, ...] = ("rgba8",)
    depth: bool = False
    filter: Filter = "linear"
    clear: tuple[Colour4, ...] = ((0.0, 0.0, 0.0, 0.0),)
    layers: int = 1
    channels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        where = f"target '{self.name}'"
        if not self.name or ":" in self.name:
            raise UsageError(f"a target needs a name without ':', not {self.name!r}")
        for name in self.formats:
            if name not in FORMATS:
                raise UnknownName(f"no colour format is called '{name}'", where=where, given=name, choices=FORMATS)
        size = self.size if isinstance(self.size, tuple) else (self.size,)
        if not self.formats or self.layers < 1 or not all(0 < side < math.inf for side in size):
            raise UsageError("a target needs a size above 0, at least one format and one layer", where=where)

    def pixel_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        """Width and height in pixels on a screen of this size, at least 1."""
        if isinstance(self.size, tuple):
            return self.size
        return max(1, math.floor(screen[0] * self.size + 0.5)), max(1, math.floor(screen[1] * self.size + 0.5))

    def clear_color(self, attachment: int = 0) -> Colour4:
        """The clear colour of one attachment."""
        return self.clear[attachment] if attachment < len(self.clear) else (0.0, 0.0, 0.0, 0.0)


def pixel_rect(rect: Rect | None, size: tuple[int, int]) -> PixelRect:
    """x, y, width, height in whole pixels, from the bottom left; None is all of it. Edges round half up."""
    if rect is None:
        return 0, 0, size[0], size[1]
    x0, x1 = (math.floor(edge * size[0] + 0.5) for edge in (rect[0], rect[0] + rect[2]))
    y0, y1 = (math.floor(edge * size[1] + 0.5) for edge in (rect[1], rect[1] + rect[3]))
    return x0, y0, max(x1 - x0, 0), max(y1 - y0, 0)


@dataclass(eq=False)
class Pass:
    """One round of drawing.

    targets: what it draws onto; several must be of one size, and their attachments follow one another.
    inputs: targets that its batches and drawers may read, `name` or `name:1` for the second attachment; one
    that is also a target of this pass is read as a copy taken before the pass draws. view, projection: the
    camera, see camera_math. viewport: the part of the target that the camera fills, and outside of which
    nothing is drawn. scissor: draws only inside. Both are fractions, x y w h from the bottom left.
    layer_mask: bit n shows layer n. depth_test: `mesh` batches test and write depth. rank, before, after: the
    order, see graph. clear: see the module.
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
    batches: list[Batch] = field(default_factory=list[Batch])

    @property
    def camera(self) -> Matrix:
        """projection @ view, float32 (4, 4)."""
        return self.projection @ self.view

    def shows(self, layer: int) -> bool:
        """Whether the layer mask lets this layer through."""
        return bool(self.layer_mask >> layer & 1)

    def ordered(self) -> list[Batch]:
        """The batches that the mask shows, by layer, then z, then the order in which they were added."""
        shown = self.batches
        if self.layer_mask != ALL_LAYERS:
            shown = [batch for batch in shown if self.shows(batch.layer)]
        return sorted(shown, key=_PLACE) if len(shown) > 1 else list(shown)

    def clip(self, size: tuple[int, int], batch: Batch | None = None) -> PixelRect:
        """The rectangle in which drawing has an effect: the intersection of viewport, scissor and the batch's clip.

        x, y, width, height in whole pixels, from the bottom left; width or height is 0 where nothing is left.
        """
        x0, y0, x1, y1 = 0, 0, size[0], size[1]
        for rect in (self.viewport, self.scissor, batch.clip if batch is not None else None):
            if rect is not None:
                x, y, w, h = pixel_rect(rect, size)
                x0, y0, x1, y1 = max(x0, x), max(y0, y), min(x1, x + w), min(y1, y + h)
        return x0, y0, max(x1 - x0, 0), max(y1 - y0, 0)

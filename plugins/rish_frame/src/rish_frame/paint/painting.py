"""Paintings: what a plugin draws flat, without entities and without knowing the renderer.

A painting is a list of parts. A part is a set of boxes, images, lines and texts that share a clip rectangle. A plugin
keeps its paintings in the resource `Paintings`; the renderer converts each part to batches, and again only when the
version of the part has changed. Positions are in the space of the painting's layer: logical pixels from the bottom left
corner of the screen on a layer in screen space, world units elsewhere; y up. Colors are straight sRGB bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from rish_ecs import resource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .typesetting import Typeset

Rgba = tuple[int, int, int, int]
"""Red, green, blue and opacity, 0 to 255."""
Rectangle = tuple[float, float, float, float]
"""x and y of the bottom left corner, width, height."""
NO_COLOR: Rgba = (0, 0, 0, 0)


class BoxItem(NamedTuple):
    """A box or an ellipse, as in the kind `shapes`: a fill from top to bottom, and an outline inside the border.

    fill_end: the color at the bottom; opacity 0: the same as at the top. corner: radius of the corners, at most half
    of the smaller side. line: width of the outline. round: an ellipse instead of a box.
    """

    x: float
    y: float
    w: float
    h: float
    fill: Rgba = NO_COLOR
    fill_end: Rgba = NO_COLOR
    edge: Rgba = NO_COLOR
    line: float = 0.0
    corner: float = 0.0
    round: bool = False


class ImageItem(NamedTuple):
    """An image asset, or `camera:NAME`, stretched to a rectangle.

    region: x y w h within the image, texels from its top left; w 0: all of it. slices: left, right, top, bottom margins
    of a nine-patch, texels; zeros: a plain image. tint: multiplies the colors. scale: size of a texel of the margins.
    smooth: sampled linearly.
    """

    image: str
    x: float
    y: float
    w: float
    h: float
    region: tuple[int, int, int, int] = (0, 0, 0, 0)
    slices: tuple[int, int, int, int] = (0, 0, 0, 0)
    tint: Rgba = (255, 255, 255, 255)
    scale: float = 1.0
    smooth: bool = True


class LineItem(NamedTuple):
    """A straight line with round caps."""

    x0: float
    y0: float
    x1: float
    y1: float
    width: float
    color: Rgba


class TextItem(NamedTuple):
    """A text that was set; x, y: the top left corner of its block.

    color: of letters without a color in the markup. opacity: multiplies all colors. shadow: drawn below, moved by
    (dx, dy); opacity 0: none. outline: around the letters, as wide as the text's style says.
    """

    text: Typeset
    x: float
    y: float
    color: Rgba
    opacity: float = 1.0
    shadow: Rgba = NO_COLOR
    dx: float = 0.0
    dy: float = 0.0
    outline: Rgba = NO_COLOR


@dataclass(eq=False)
class Part:
    """Things that share a clip rectangle, in drawing order: backs, boxes, images, lines, texts.

    backs: images below the boxes, such as nine-patch panels. clip: nothing outside is drawn; None: no limit. version:
    increase it after every change of the lists; a change of the clip is noticed without it.
    """

    clip: Rectangle | None = None
    backs: list[ImageItem] = field(default_factory=list[ImageItem])
    boxes: list[BoxItem] = field(default_factory=list[BoxItem])
    images: list[ImageItem] = field(default_factory=list[ImageItem])
    lines: list[LineItem] = field(default_factory=list[LineItem])
    texts: list[TextItem] = field(default_factory=list[TextItem])
    version: int = 0

    @property
    def empty(self) -> bool:
        """Whether it has nothing to draw."""
        return not (self.backs or self.boxes or self.images or self.lines or self.texts)


@dataclass(eq=False)
class Painting:
    """Parts that are drawn one over the other, on one layer, at one z.

    layer: name of the layer; the first one if empty. entity: the painting is moved by the interpolated position of this
    entity; 0: it is not moved. offset: added to all positions. scale: multiplies all lengths, around the offset.
    opacity: multiplies all colors. visible: whether it is drawn. parts: replace the list, or a part, or increase a
    part's version, to change what is drawn.
    """

    layer: str = ""
    z: float = 0.0
    parts: list[Part] = field(default_factory=list[Part])
    entity: int = 0
    offset: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0
    opacity: float = 1.0
    visible: bool = True


@resource(derived=True)
class Paintings:
    """The paintings by name, drawn in the order in which they were added (within equal layer and z)."""

    items: dict[str, Painting] = field(default_factory=dict[str, Painting])

    def __post_init__(self) -> None:
        """Start without a version that was looked at."""
        self._looks: list[Any] = []
        self._version = 0

    @property
    def version(self) -> int:
        """A number that rises when a visible painting has changed since it was last requested."""
        if not self.items and not self._looks:
            return self._version
        looks: list[Any] = []  # it holds the parts, so that their ids are not reused
        for each in self:
            looks += (each, each.layer, each.z, each.entity, each.offset, each.scale, each.opacity)
            for part in each.parts:
                looks += (part, part.version, part.clip)
        if looks != self._looks:
            self._looks, self._version = looks, self._version + 1
        return self._version

    def rebuild(self, world: Any) -> None:
        """Remove all paintings after a restore; the plugins that own them paint again."""
        self.items.clear()

    def __iter__(self) -> Iterator[Painting]:
        """Iterate over the visible paintings."""
        return iter([item for item in self.items.values() if item.visible])

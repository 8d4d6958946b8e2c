"""`Painter`: adds the boxes, images and texts of widgets to a part. It takes units of the root, y down; parts have y
up."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from rish_frame import BoxItem, ImageItem, LineItem, Part, TextItem

if TYPE_CHECKING:
    from rish_frame import Typeset

    from ..themes import Style
    from ..tree.context import Context
    from ..tree.node import Node, Root

Rgba = tuple[int, int, int, int]
Rect = tuple[float, float, float, float]
"""x and y of the top left corner, width, height."""
_SHADOW_BOXES = 4
"""The number of boxes that a soft shadow consists of."""


class Painter:
    """Paints into one part. root: its height converts y. snap: pixels of a unit, so that edges lie on whole pixels."""

    def __init__(self, root: Root, part: Part, ui: Context, density: float) -> None:
        self.root, self.part, self.ui = root, part, ui
        self._snap = density

    def snap(self, value: float) -> float:
        """Return a coordinate rounded to a whole pixel."""
        return math.floor(value * self._snap + 0.5) / self._snap

    def placed(self, x: float, y: float, w: float, h: float) -> Rect:
        """Return a rectangle in the painting: y up, edges on whole pixels."""
        snap, floor, up = self._snap, math.floor, self.root.height - y
        left, right = floor(x * snap + 0.5) / snap, floor((x + w) * snap + 0.5) / snap
        top, bottom = floor(up * snap + 0.5) / snap, floor((up - h) * snap + 0.5) / snap
        return left, bottom, right - left, top - bottom

    def background(self, node: Node, part: str = "", states: int = 0) -> Style:
        """Paint the background of a widget; return its style."""
        style = self.ui.style(node, part, states)
        self.plate((node.x, node.y, node.w, node.h), style)
        return style

    def plate(self, rect: Rect, style: Style) -> None:
        """Paint a rectangle in a style: shadow, fill, outline, nine-patch."""
        if style.shadow[3]:
            self._shadow(rect, style)
        if style.fill[3] or style.fill_end[3] or (style.edge[3] and style.edge_width):
            self.box(rect, style.fill, style.fill_end, style.edge, style.edge_width, style.corner, style.opacity)
        if style.image:
            left, right, top, bottom = (int(side) for side in style.slices)
            tint = faded(style.tint, style.opacity)
            self.nine_patch(style.image, rect, (left, right, top, bottom), style.image_scale, tint, smooth=True)

    def _shadow(self, rect: Rect, style: Style) -> None:
        """Paint boxes of decreasing size over each other, so that the shadow fades at its border."""
        x, y, w, h = rect
        dx, dy = style.shadow_offset
        spread, color = style.shadow_spread, faded(style.shadow, style.opacity)
        layers = _SHADOW_BOXES if spread > 0 else 1
        alpha = round(255 * (1 - (1 - color[3] / 255) ** (1 / layers)))
        for step in range(layers):
            out = spread * (1 - 2 * step / layers) if layers > 1 else 0.0
            outer = (x + dx - out, y + dy - out, w + 2 * out, h + 2 * out)
            self.box(outer, (*color[:3], alpha), corner=max(style.corner + out, 0.0))

    def box(
        self, rect: Rect, fill: Rgba, fill_end: Rgba | None = None, edge: Rgba = (0, 0, 0, 0), line: float = 0.0,
        corner: float = 0.0, opacity: float = 1.0, *, round_: bool = False,
    ) -> None:  # fmt: skip
        """Paint a box, or with `round_` an ellipse."""
        x, y, w, h = self.placed(*rect)
        if w <= 0 or h <= 0:
            return
        end = fill if fill_end is None else fill_end
        if opacity < 1:
            fill, end, edge = faded(fill, opacity), faded(end, opacity), faded(edge, opacity)
        corner = min(corner, w / 2, h / 2) if corner else 0.0
        self.part.boxes.append(BoxItem(x, y, w, h, fill, end, edge, line, corner, round_))

    def tail(self, node: Node, style: Style) -> None:
        """Paint the tail of a speech bubble, which points from its edge to where the screen is in the world."""
        wide, high = style.least
        across, down = self.root.pivot
        if wide <= 0 or high <= 0 or 0 < down < 1:
            return
        rim = self.ui.calm(node).corner + wide / 2
        x = min(max(node.x + node.w * across, node.x + rim), max(node.x + node.w - rim, node.x + rim))
        line, sign = style.edge_width, 1 if down else -1
        begin = node.y + node.h - line if down else node.y + line
        steps = math.ceil(high * 2)
        for fill, inset in ((style.edge, 0.0), (style.fill, line)) if line else ((style.fill, 0.0),):
            for k in range(steps):
                half = wide / 2 * (1 - (k + 0.5) / steps) - inset * 1.2
                y = begin + sign * k * high / steps - (0 if down else high / steps)
                if half > 0:
                    self.box((x - half, y, half * 2, high / steps), fill, opacity=style.opacity)

    def circle(self, x: float, y: float, radius: float, style: Style) -> None:
        """Paint a circle around a point in the colors of a style."""
        rect = (x - radius, y - radius, 2 * radius, 2 * radius)
        self.box(rect, style.fill, style.fill_end, style.edge, style.edge_width, 0, style.opacity, round_=True)

    def line(self, points: list[tuple[float, float]], width: float, color: Rgba) -> None:
        """Paint lines from point to point."""
        top = self.root.height
        for (x0, y0), (x1, y1) in pairwise(points):
            self.part.lines.append(LineItem(x0, top - y0, x1, top - y1, width, color))

    def image(
        self, image: str, rect: Rect, region: tuple[int, int, int, int] = (0, 0, 0, 0),
        tint: Rgba = (255, 255, 255, 255), *, smooth: bool = True,
    ) -> None:  # fmt: skip
        """Paint an image on a rectangle."""
        x, y, w, h = self.placed(*rect)
        if w > 0 and h > 0:
            self.part.images.append(ImageItem(image, x, y, w, h, region, tint=tint, smooth=smooth))

    def below(self, image: str, rect: Rect) -> None:
        """Paint an image under all boxes of the part."""
        self.part.backs.append(ImageItem(image, *self.placed(*rect)))

    def nine_patch(
        self, image: str, rect: Rect, slices: tuple[int, int, int, int], scale: float = 1.0,
        tint: Rgba = (255, 255, 255, 255), *, smooth: bool = False,
    ) -> None:  # fmt: skip
        """Paint a nine-patch on a rectangle: over the boxes of the part, or under those that follow it."""
        item = ImageItem(image, *self.placed(*rect), slices=slices, tint=tint, scale=scale, smooth=smooth)
        (self.part.images if self.part.boxes else self.part.backs).append(item)

    def text(self, text: Typeset, x: float, y: float, style: Style, color: Rgba | None = None) -> None:
        """Paint a text with its top left corner at a place, and its icons."""
        top = self.root.height
        rgba = style.color if color is None else color
        x, up = self.snap(x), self.snap(top - y)
        self.part.texts.append(TextItem(text, x, up, rgba, style.opacity, outline=style.outline))
        for icon in text.icons:
            tint = faded((255, 255, 255, 255), style.opacity)
            self.part.images.append(ImageItem(icon.image, x + icon.x, up - icon.y - icon.h, icon.w, icon.h, tint=tint))

    def text_in(
        self, text: Typeset, rect: Rect, style: Style, across: float = 0.5, down: float = 0.5, color: Rgba | None = None
    ) -> None:
        """Paint a text within a rectangle. across, down: 0 at the left and top, 1 at the right and bottom."""
        x, y, w, h = rect
        aligned = text.look.wrap and text.look.align != "left"  # then its lines are placed within that width
        wide = text.look.wrap if aligned else text.width
        self.text(text, x + (w - wide) * across, y + (h - text.height) * down, style, color)


def faded(color: Rgba, opacity: float) -> Rgba:
    """Return a color with its opacity multiplied."""
    return color if opacity >= 1 else (*color[:3], round(color[3] * max(opacity, 0.0)))


def inner(node: Node, style: Style) -> Rect:
    """Return the rectangle of a widget within its padding."""
    left, top, right, bottom = style.padding
    if node.root.mirrored:
        left, right = right, left
    return node.x + left, node.y + top, max(node.w - left - right, 0.0), max(node.h - top - bottom, 0.0)

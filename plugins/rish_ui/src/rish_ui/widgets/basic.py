"""Widgets without input: containers, Label, Image, Panel, Grid, ProgressBar, Minimap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform, tagged, world_matrices
from rish_frame import Frame

from ..components.widgets import Grid, Image, ImageFit, Label, Minimap, Panel, ProgressBar, TextAlign
from ..painting.painter import faded, inner
from .kind import Kind
from .scrolling import cut

if TYPE_CHECKING:
    from ..painting.painter import Painter
    from ..themes import Style
    from ..tree.context import Context
    from ..tree.node import Node

_SLACK = 0.5
"""Units by which a line may be wider than its space without being broken, for the rounding of lengths."""


class Base(Kind):
    """The base of a screen: it fills its space."""

    name = "Screen"


class Container(Kind):
    """An entity with only a `Layout`: it places its children and is invisible."""

    name = "Grid"


class LabelKind(Kind):
    """Text in lines."""

    component = Label
    name = "Label"

    def read(self, view: Any) -> Any:
        return view.text, view.align, view.wrap, int(view.lines)

    def texts(self, node: Node) -> dict[str, str]:
        return {"": node.values[0]}

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        text = node.texts["unbroken"] = self._set(node, ui)
        width = text.width + _SLACK
        return (min(text.narrowest + _SLACK, width) if node.values[2] else width), width

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        text = node.texts["unbroken"]
        if width and node.values[2] and text.width > width + _SLACK / 10:
            text = self._set(node, ui, max(width, 1.0))
        node.texts[""] = text
        return text.height, text.baseline

    def _set(self, node: Node, ui: Context, wrap: float = 0.0) -> Any:
        """Set the text; it is broken only if it is wider than its space."""
        _, align, _, lines = node.values
        side = side_of(align, ui.locales.right_to_left)
        return ui.typeset(ui.shown(node, ""), ui.look(ui.calm(node), wrap=wrap, align=side, lines=lines))

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        text = node.texts.get("")
        if text is not None:
            across = {"left": 0.0, "center": 0.5, "right": 1.0}[text.look.align]
            rect = inner(node, style)
            painter.text_in(text, rect, style, across, 0.0 if rect[3] > text.height * 1.5 else 0.5)


def side_of(align: TextAlign, rtl: bool) -> str:
    """Return left, center or right for an alignment and a direction of reading."""
    if align is TextAlign.CENTER:
        return "center"
    return "right" if (align is TextAlign.END) != rtl else "left"


class ImageKind(Kind):
    """A picture."""

    component = Image
    name = "Image"

    def read(self, view: Any) -> Any:
        region = tuple(int(side) for side in view.region)
        tint = tuple(round(255 * float(part)) for part in view.tint)
        return view.image, region, view.fit, tint, view.smooth

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        return 0.0, float(self._size(node, ui)[0])

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        w, h = self._size(node, ui)
        return (float(h) * min(width / w, 1.0) if w else 0.0), -1.0

    def _size(self, node: Node, ui: Context) -> tuple[int, int]:
        """Return the size of the picture in texels; (0, 0) for the picture of a camera and a missing one."""
        image, region = node.values[:2]
        pictures = ui.world[Frame].pictures
        if not image or pictures is None or image.startswith("camera:"):
            return 0, 0
        _, w, h = pictures.frame_of(ui.world, image, region)
        return w, h

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        image, region, fit, tint, smooth = node.values
        if not image:
            return
        rect = inner(node, style)
        w, h = self._size(node, ui)
        if w and h and fit is not ImageFit.STRETCH:
            rect, region = fitted(rect, (w, h), region, fit)
        painter.image(image, rect, region, faded(tint, style.opacity), smooth=smooth)


def fitted(
    rect: tuple[float, float, float, float], size: tuple[float, float], region: tuple[int, int, int, int], fit: ImageFit
) -> tuple[tuple[float, float, float, float], tuple[int, int, int, int]]:
    """Return the rectangle and the region of an image that fits into a rectangle, or covers it."""
    x, y, w, h = rect
    width, height = size
    if fit is ImageFit.COVER:
        scale = max(w / width, h / height) or 1.0
        cut_w, cut_h = round(min(w / scale, width)), round(min(h / scale, height))
        left, top = region[0] + int(width - cut_w) // 2, region[1] + int(height - cut_h) // 2
        return rect, (left, top, max(cut_w, 1), max(cut_h, 1))
    scale = 1.0 if fit is ImageFit.NONE else min(w / width, h / height)
    shown_w, shown_h = width * scale, height * scale
    return (x + (w - shown_w) / 2, y + (h - shown_h) / 2, shown_w, shown_h), region


class PanelKind(Kind):
    """A background for its children."""

    component = Panel
    name = "Panel"
    solid = True

    def read(self, view: Any) -> Any:
        return view.image, tuple(int(side) for side in view.slices), float(view.scale)

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        image, slices, scale = node.values
        if not image:
            painter.background(node)
            if node.root.world:
                painter.tail(node, ui.style(node, "tail"))
            return
        painter.nine_patch(image, (node.x, node.y, node.w, node.h), slices, scale)


class GridKind(Kind):
    """Equal columns."""

    component = Grid
    name = "Grid"

    def read(self, view: Any) -> Any:
        return int(view.columns)

    def columns(self, node: Node) -> int:
        return node.values or 1


class ProgressKind(Kind):
    """A bar that is filled from the side where reading begins."""

    component = ProgressBar
    name = "ProgressBar"

    def read(self, view: Any) -> Any:
        color = tuple(round(255 * float(part)) for part in view.color)
        return float(view.value), float(view.low), float(view.high), color, view.show, view.bind, view.bind_high

    def texts(self, node: Node) -> dict[str, str]:
        return {"": node.values[4]}

    def bindings(self, node: Node) -> dict[str, str]:
        return {"value": node.values[5], "high": node.values[6]}

    def numbers(self, node: Node, ui: Context) -> dict[str, float]:
        value, low, high = node.values[:3]
        return {
            "value": number(ui.value(node, "value", value)),
            "low": low,
            "high": number(ui.value(node, "high", high)),
        }

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        if not ui.shown(node, ""):
            return 0.0, 0.0
        width = ui.typeset(ui.shown(node, ""), ui.look(ui.calm(node))).width
        return width, width

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        if not ui.shown(node, ""):
            return 0.0, -1.0
        text = ui.typeset(ui.shown(node, ""), ui.look(ui.calm(node)))
        return text.height, text.baseline

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        numbers = self.numbers(node, ui)
        low, high = numbers["low"], numbers["high"]
        fraction = min(max((numbers["value"] - low) / (high - low), 0.0), 1.0) if high > low else 0.0
        self._fill(node, painter, ui, style, fraction)
        if ui.shown(node, ""):
            text = ui.typeset(ui.shown(node, ""), ui.look(style))
            painter.text_in(text, (node.x, node.y, node.w, node.h), style)

    def _fill(self, node: Node, painter: Painter, ui: Context, style: Style, fraction: float) -> None:
        """Paint the filled part. A narrow one is lower as well, so that its corners are within those of the bar."""
        line = style.edge_width
        room, h = node.w - 2 * line, node.h - 2 * line
        w = painter.snap(room * fraction)
        if w <= 0 or h <= 0:
            return
        fill = ui.style(node, "fill")
        x = node.x + line + (room - w if ui.locales.right_to_left else 0.0)
        own_color = node.values[3]
        color, end = (own_color, own_color) if own_color[3] else (fill.fill, fill.fill_end)
        corner = min(max(fill.corner, style.corner - line), h / 2)
        lower = max(corner - w / 2, 0.0)
        rect = (x, node.y + line + lower, w, h - 2 * lower)
        painter.box(rect, color, end, fill.edge, fill.edge_width, corner)


def number(value: Any) -> float:
    """Return a value as a number; 0 for anything else."""
    return value if type(value) is float else float(value) if isinstance(value, int | float) else 0.0


class MinimapKind(Kind):
    """The picture of a camera, with marks of entities."""

    component = Minimap
    name = "Minimap"
    own_part = True  # its picture is under its marks

    def read(self, view: Any) -> Any:
        return view.camera, view.marked, tuple(round(255 * float(part)) for part in view.color)

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        return 0.0, 120.0

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        return width * 0.75, -1.0

    def moves(self, node: Node, ui: Context) -> Any:
        """Return the places of the marks, so that it is painted again when they move."""
        camera, mark, _ = node.values
        return self._marks(ui, camera, mark)

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        camera, mark, color = node.values
        if not camera:
            painter.background(node)
            return
        style = ui.style(node)
        x, y, w, h = inner(node, style)
        painter.part.clip = painter.placed(*cut(node.clip, (node.x, node.y, node.w, node.h)))
        area = _area(ui, camera)
        if area is not None:
            size = float(np.hypot(*area[0])), float(np.hypot(*area[1]))
            x, y, w, h = fitted((x, y, w, h), size, (0, 0, 0, 0), ImageFit.CONTAIN)[0]
        painter.below(f"camera:{camera}", (x, y, w, h))
        clear = (0, 0, 0, 0)
        painter.box((x, y, w, h), clear, clear, style.edge, style.edge_width, 0.0, style.opacity)
        dot = ui.style(node, "mark")
        size = max(dot.least[0], 3.0)
        for u, v in self._marks(ui, camera, mark):
            rect = (x + u * w - size / 2, y + v * h - size / 2, size, size)
            painter.box(rect, color, None, dot.edge, dot.edge_width, round_=True)

    def _marks(self, ui: Context, camera: str, mark: str) -> list[tuple[float, float]]:
        """Return the places of marked entities in the picture, fractions from its top left."""
        area = _area(ui, camera) if mark and camera else None
        if area is None:
            return []
        world = ui.world
        rows = world.table(Transform).rows_of(tagged(world, mark))
        offsets = world_matrices(world)[rows[rows >= 0], 4:6] - area[2]
        u, v = (offsets @ np.linalg.inv(area[:2])).T
        v = 1 - v
        inside = (u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)
        return [(round(float(a), 4), round(float(b), 4)) for a, b in np.stack([u[inside], v[inside]], axis=1)]


def _area(ui: Context, camera: str) -> Any:
    """Return what the camera with a target shows, float64 (3, 2): the vectors of its width and height, and the bottom
    left corner. None without one, or if it has no extent."""
    area = ui.frame.area_of(ui.world, camera) if ui.frame.area_of is not None else None
    if area is None:
        return None
    corner, right, _, up = area.world
    sides = np.stack([right - corner, up - corner, corner])
    return sides if np.linalg.det(sides[:2]) else None

"""Labels: the texts of paintings as characters in the cells of the screen, for backends with the capability `cells`.

A text is moved to the nearest cells. A box above a text hides it, or tints it if the box is translucent.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import LayerStack, Transform
from rish_jit import Array

from ..poses.matrices import WorldMatrices
from .cells.text import CellText
from .painting import Painting, Paintings, Part, Rectangle, Rgba, TextItem

if TYPE_CHECKING:
    from ..frame.frame import Frame


HIDING = 0.9
"""The opacity from which on a box hides the texts below it."""
_FAINT = 0.02
_EDGE = 1e-3
"""The part of a cell by which the middle of a letter may be outside of a clip rectangle."""


class Label(NamedTuple):
    """A letter with its marks, in one cell of the screen or in two. column, row: from the top left; color: straight."""

    column: int
    row: int
    text: str
    cells: int
    color: Rgba


class _Space(NamedTuple):
    """The place of a painting: x' = a·x + c·y + tx, y' = b·x + d·y + ty in cells from the top left of the screen.

    bounds: the first and last visible column and row, which may be fractions.
    """

    matrix: Array
    bounds: Rectangle

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point of the painting to cells."""
        a, b, c, d, tx, ty = self.matrix.tolist()
        return a * x + c * y + tx, b * x + d * y + ty

    def box(self, x: float, y: float, w: float, h: float) -> Rectangle:
        """Convert a rectangle x, y, w, h to its least and greatest column and row."""
        (x0, y0), (x1, y1) = self.point(x, y), self.point(x + w, y + h)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


class _Grid:
    """The letters in the cells of the screen. colors: float (rows, columns, 4), 0 to 1, straight; opacity 0 hides."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.letters: dict[tuple[int, int], tuple[str, int]] = {}
        self.colors = np.zeros((rows, columns, 4))

    def put(self, row: int, column: int, text: str, cells: int, color: Rgba, opacity: float) -> None:
        """Put a letter into cells that are on the screen; letters that it covers are removed."""
        for covered_column in range(column - 1, column + cells):
            letter = self.letters.get((row, covered_column))
            if letter is not None and covered_column + letter[1] > column:
                del self.letters[row, covered_column]
        self.letters[row, column] = text, cells
        red, green, blue, alpha = color
        self.colors[row, column] = red / 255, green / 255, blue / 255, alpha / 255 * opacity

    def cover(self, rectangle: Rectangle, bounds: Rectangle, fill: Rgba | None, opacity: float) -> None:
        """Lay a color over the letters whose cells have their middle in a rectangle. fill: None for an unknown
        color."""
        if not self.letters or opacity < _FAINT:
            return
        x0, y0, x1, y1 = _common(rectangle, bounds)
        columns = slice(max(math.ceil(x0 - 0.5), 0), max(math.floor(x1 + 0.5), 0))
        rows = slice(max(math.ceil(y0 - 0.5), 0), max(math.floor(y1 + 0.5), 0))
        colors = self.colors[rows, columns]
        if opacity >= HIDING:
            colors[..., 3] = 0.0
        elif fill is None:
            colors[..., 3] *= 1 - opacity
        else:
            colors[..., :3] += (np.array(fill[:3]) / 255 - colors[..., :3]) * opacity

    def labels(self) -> list[Label]:
        """Return the visible letters, row by row."""
        labels: list[Label] = []
        colors = np.floor(self.colors * 255 + 0.5).astype(int).tolist()
        for (row, column), (text, cells) in sorted(self.letters.items()):
            red, green, blue, alpha = colors[row][column]
            if alpha >= 255 * _FAINT:
                labels.append(Label(column, row, text, cells, (red, green, blue, alpha)))
        return labels


def labels_of(world: Any, frame: Frame) -> list[Label]:
    """Return the texts of all visible paintings as letters in the cells of the frame's screen.

    Texts of a layer in the world are placed by the camera of the pass `main`, with upright letters of a cell.
    """
    if frame.cell is None or not world[Paintings].items:
        return []
    layers = {layer.name: (number, layer.space == "screen") for number, layer in world[LayerStack].drawn(world)}
    first = next(iter(layers.values()), (0, False))
    declared_layers = world[LayerStack].declared
    visible: list[tuple[int, float, bool, Painting]] = []
    for painting in world[Paintings]:
        place = layers.get(painting.layer, None if painting.layer in declared_layers else first)
        if place is not None and painting.opacity > 0:
            visible.append((place[0], painting.z, place[1], painting))
    wide, high = frame.cell
    grid = _Grid(max(int(frame.size[0] / wide + _EDGE), 1), max(math.ceil(frame.size[1] / high - _EDGE), 1))
    for _, _, flat, painting in sorted(visible, key=lambda item: item[:2]):
        space = _space_of(world, frame, painting, flat)
        if space is not None:
            for part in painting.parts:
                _add(world, frame, grid, space, painting.opacity, part)
    return grid.labels()


def _add(world: Any, frame: Frame, grid: _Grid, space: _Space, opacity: float, part: Part) -> None:
    """Add a part of a painting to the grid."""
    bounds = space.bounds if part.clip is None else _common(space.box(*part.clip), space.bounds)
    for image in part.backs:
        grid.cover(space.box(image.x, image.y, image.w, image.h), bounds, None, image.tint[3] / 255 * opacity)
    for box in part.boxes:
        end = box.fill_end if any(box.fill_end) else box.fill
        red, green, blue, alpha = ((low + high) // 2 for low, high in zip(box.fill, end, strict=True))
        rectangle = space.box(box.x, box.y, box.w, box.h)
        grid.cover(rectangle, bounds, (red, green, blue, alpha), alpha / 255 * opacity)
    for text in part.texts:
        _write(world, frame, grid, space, bounds, text, opacity)


def _write(
    world: Any, frame: Frame, grid: _Grid, space: _Space, bounds: Rectangle, item: TextItem, opacity: float
) -> None:
    """Put the letters of a text into the grid."""
    text = item.text
    if not isinstance(text, CellText):  # it was set before the backend with cells was opened
        typesetter = frame.typesetter
        assert typesetter is not None
        text = typesetter.typeset(world, text.source, text.look)
        assert isinstance(text, CellText)
    left, top = space.point(item.x, item.y)
    column, row = math.floor(left + 0.5), math.floor(top + 0.5)
    x0, y0, x1, y1 = (edge + change for edge, change in zip(bounds, (-_EDGE, -_EDGE, _EDGE, _EDGE), strict=True))
    for letter in text.letters:
        x, y = column + letter.column, row + letter.line
        inside = x0 <= x + 0.5 and x + letter.cells - 0.5 <= x1 and y0 <= y + 0.5 <= y1
        if inside and 0 <= x <= grid.columns - letter.cells and 0 <= y < grid.rows:
            grid.put(y, x, letter.text, letter.cells, letter.color or item.color, item.opacity * opacity)


def _space_of(world: Any, frame: Frame, painting: Painting, flat: bool) -> _Space | None:
    """Return the place of a painting; None if the entity that it follows does not exist."""
    (x, y), scale = painting.offset, painting.scale
    if painting.entity:
        row = world.table(Transform).row_of(painting.entity)
        if row < 0:
            return None
        tx, ty = world[WorldMatrices].rows(np.array([row], np.int32))[0, 4:].tolist()
        x, y = x + tx, y + ty
    canvas, bounds = _canvas(frame, flat)
    wide, high = frame.cell or (1.0, 1.0)
    to_cells = np.array([[1 / wide, 0, 0], [0, -1 / high, frame.size[1] / high], [0, 0, 1]])
    matrix = to_cells @ canvas @ np.array([[scale, 0, x], [0, scale, y], [0, 0, 1]])
    left, bottom, right, top = bounds
    visible = (left / wide, (frame.size[1] - top) / high, right / wide, (frame.size[1] - bottom) / high)
    return _Space(matrix[:2].T.ravel(), visible)


def _canvas(frame: Frame, flat: bool) -> tuple[Array, Rectangle]:
    """Return the matrix from a layer to pixels of the screen, and the visible rectangle of pixels: x0, y0, x1, y1."""
    fit = np.eye(3)
    rectangle = 0, 0, *frame.size
    if frame.fit is not None:
        rectangle, (width, height) = frame.fit.place, frame.fit.logical
        x, y, w, h = rectangle
        fit = np.array([[w / width, 0, x], [0, h / height, y], [0, 0, 1]])
    if flat:
        return fit, (rectangle[0], rectangle[1], rectangle[0] + rectangle[2], rectangle[1] + rectangle[3])
    main = frame.passes["main"]
    x, y, w, h = main.viewport or (0.0, 0.0, 1.0, 1.0)
    width, height = frame.canvas_size
    port = np.array([[w * width / 2, 0, (x + w / 2) * width], [0, h * height / 2, (y + h / 2) * height], [0, 0, 1]])
    to_screen = fit if frame.canvas != "screen" else np.eye(3)
    camera = main.camera.astype(np.float64)[np.ix_((0, 1, 3), (0, 1, 3))]
    low, high = (to_screen @ port @ (side, side, 1.0) for side in (-1.0, 1.0))
    return to_screen @ port @ camera, (low[0], low[1], high[0], high[1])


def _common(a: Rectangle, b: Rectangle) -> Rectangle:
    """Return the common part of two rectangles of least and greatest x and y."""
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])

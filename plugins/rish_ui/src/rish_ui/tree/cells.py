"""Heights in a display of character cells: rounded to lines, so that neighbors never share a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

if TYPE_CHECKING:
    from .context import Context

_SLACK = 1e-3


def line_of(ui: Context) -> float:
    """Return the height of a line of cells in units of the interface; 0 if letters may be anywhere."""
    cell = ui.setter.cell if ui.setter is not None else None
    return cell[1] / ui.unit if cell is not None else 0.0


def whole_lines(height: float, line: float) -> float:
    """Return the height of the lines that a height needs; itself if line is 0."""
    return math.ceil(height / line - _SLACK) * line if line else height


def round_lengths(values: Array, line: float) -> None:
    """Round the heights of nodes, their gaps, paddings and margins to lines; sizes keep one line at least."""
    for name in ("padding", "margin"):
        values[name][:, 1::2] = np.round(values[name][:, 1::2] / line) * line
    for name in ("gap", "least", "most", "size"):
        column = values[name][int(name == "size") :, 1]  # the base has the size of the picture
        lowest = (column > 0) & (name in ("most", "size"))
        column[:] = np.maximum(np.round(column / line), lowest) * line

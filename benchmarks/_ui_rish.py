"""Rish's side of the benchmark `ui`."""

from __future__ import annotations

import itertools

import numpy as np

from rish_ui.layout import LayoutNodes, solve_heights, solve_widths

from ._task import Task
from ._ui_scene import COUNT, GAP, HEIGHT, IN_ROW, LINE, PADDING, WIDTH, grow_of, parent_of, text_of


def _made(count: int) -> LayoutNodes:
    nodes = LayoutNodes(count)
    values, rows = nodes.values, range(count)
    leaves = np.array([i > 0 and (i - 1) % IN_ROW > 0 for i in rows])
    values["parent"] = [parent_of(i) for i in rows]
    values["direction"] = [1 if i == 0 else 0 for i in rows]
    values["gap"], values["padding"] = GAP, PADDING
    values["grow"] = [grow_of(i) for i in rows]
    values["content_least"], values["content_width"] = np.array([text_of(i) for i in rows]).T * leaves
    return nodes


def _laid_out(nodes: LayoutNodes) -> None:
    """Lay out, with texts measured for all nodes at once."""
    widths, values = solve_widths(nodes, WIDTH, HEIGHT), nodes.values
    wanted = values["content_width"]
    values["content_height"] = LINE * np.ceil(wanted / np.maximum(widths, 1) - 1e-4)
    solve_heights(nodes)


def _relaying(count: int) -> Task:
    nodes, numbers = _made(count), itertools.count()
    _laid_out(nodes)

    def run() -> None:
        nodes.values["content_width"][count // 2] = 40 + next(numbers) % 20
        _laid_out(nodes)

    return Task(run)


def relayout() -> Task:
    """A layout of 1,000 widgets after the text of one has changed."""
    return _relaying(COUNT)


def relayout_many() -> Task:
    """A layout of 10,000 widgets after the text of one has changed."""
    return _relaying(10 * COUNT)


def build() -> Task:
    """Build the nodes of 1,000 widgets, and lay them out for the first time."""
    return Task(lambda: _laid_out(_made(COUNT)))

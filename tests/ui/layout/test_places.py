"""Stacks, anchors, mirroring, scrolling, grids and whole pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_ui.layout.nodes import CIRCULAR_X, CIRCULAR_Y, SCROLL_X, SCROLL_Y
from rish_ui.layout.solve import solve_heights, solve_widths
from ui_trees import made, rects, solved

A = {"size": (10, 10)}
B = {"size": (20, 10)}


def anchored(low: Any, high: Any, **values: Any) -> dict[str, Any]:
    """Return a tree with one anchored child."""
    return {"children": [{"place": "anchored", "anchor_low": low, "anchor_high": high, **values}]}


def grid(columns: Any, *children: Any, **values: Any) -> dict[str, Any]:
    """Return a grid."""
    return {"direction": "grid", "columns": columns, "children": list(children), **values}


def stack(*children: Any, **values: Any) -> dict[str, Any]:
    """Return a stack."""
    return {"direction": "stack", "children": list(children), **values}


PLACES: dict[str, tuple[dict[str, Any], list[tuple[float, ...]]]] = {
    "a point anchor holds the pivot": (anchored(0.5, 0.5, size=(20, 10)), [(40, 45, 20, 10)]),
    "a corner with an offset": (anchored(1, 1, size=(20, 10), pivot=1, offset=(-5, -6)), [(75, 84, 20, 10)]),
    "margins keep away from an edge": (anchored(1, 1, size=(20, 10), pivot=1, margin=(1, 2, 3, 4)), [(77, 86, 20, 10)]),
    "anchors apart stretch": (anchored((0.25, 0), (0.75, 1), margin=(1, 2, 3, 4)), [(26, 2, 46, 94)]),
    "a size within anchors apart is placed by the pivot": (
        anchored((0, 0), (1, 1), size=(20, 10), pivot=(0, 0.5)),
        [(0, 45, 20, 10)],
    ),
    "without a size as large as the content": (anchored(0, 0, pivot=0, text=(10, 40)), [(0, 0, 40, 10)]),
    "content no wider than the root": (anchored(0, 0, pivot=0, text=(10, 200)), [(0, 0, 100, 20)]),
    "anchored children take no space": (
        {"children": [A, {"place": "anchored", "size": (5, 5)}, A]},
        [(0, 0, 10, 10), (47.5, 47.5, 5, 5), (0, 10, 10, 10)],
    ),
    "anchors do not count padding": (
        {"padding": (10, 10, 10, 10), "children": [{"place": "anchored", "anchor_low": 0, "anchor_high": 1}]},
        [(0, 0, 100, 100)],
    ),
    "stacks lay children over each other and fill": (
        stack({}, A, padding=(1, 2, 3, 4)),
        [(1, 2, 96, 94), (1, 2, 10, 10)],
    ),
    "stacks align in both axes": (
        stack({"text": (10, 20)}, {**A, "align_self": "end"}, align="center"),
        [(40, 45, 20, 10), (90, 90, 10, 10)],
    ),
    "justify places the children of a stack horizontally": (
        stack({"text": (10, 20)}, align="start", justify="end"),
        [(80, 0, 20, 10)],
    ),
    "stacks are as large as their largest child": (
        {"align": "start", "children": [stack(A, {"size": (5, 30)})]},
        [(0, 0, 10, 30), (0, 0, 10, 10), (0, 0, 5, 30)],
    ),
    "grids fill row after row": (
        grid([2], A, A, A),
        [(0, 0, 10, 10), (50, 0, 10, 10), (0, 10, 10, 10)],
    ),
    "columns have shares, after the gaps": (
        grid([1, 3], {}, {"size": (0, 10)}, gap=(20, 0)),
        [(0, 0, 20, 10), (40, 0, 60, 10)],
    ),
    "columns without a share are as wide as their content": (
        grid([0, 1], {"text": (10, 30)}, {}, {"text": (10, 20)}, {}),
        [(0, 0, 30, 10), (30, 0, 70, 10), (0, 10, 30, 10), (30, 10, 70, 10)],
    ),
    "a column is at least as wide as its longest word": (
        grid([1, 1], {"text": (70, 70)}, {}),
        [(0, 0, 70, 10), (70, 0, 30, 10)],
    ),
    "items span columns": (
        grid([3], {"size": (0, 10), "span": (2, 1)}, {}, {}, gap=(5, 1)),
        [(0, 0, 65, 10), (70, 0, 30, 10), (0, 11, 30, 0)],
    ),
    "items span rows, and others flow around them": (
        grid([2], {"span": (1, 2)}, {"size": (0, 10)}, {"size": (0, 20)}, {"size": (0, 5)}),
        [(0, 0, 50, 30), (50, 0, 50, 10), (50, 10, 50, 20), (0, 30, 50, 5)],
    ),
    "an item that does not fit beside begins a row": (
        grid([2], {"size": (0, 10)}, {"size": (0, 10), "span": (2, 1)}, {"size": (0, 10)}),
        [(0, 0, 50, 10), (0, 10, 100, 10), (0, 20, 50, 10)],
    ),
    "a span is no wider than the grid": (grid([2], {"size": (0, 10), "span": (9, 1)}), [(0, 0, 100, 10)]),
    "items of a row have its height": (
        grid([2], {"text": (10, 10)}, {"size": (10, 30)}),
        [(0, 0, 50, 30), (50, 0, 10, 30)],
    ),
    "the alignment of a grid is vertical, and cells are filled from side to side": (
        grid([2], A, {"text": (10, 30)}, {"size": (0, 30)}, {"text": (10, 10)}, align="center"),
        [(0, 0, 10, 10), (50, 0, 50, 10), (0, 10, 50, 30), (50, 20, 50, 10)],
    ),
    "a share of an item is that of its cell": (
        grid([2], {"share": (0.5, 0.5)}, {"size": (0, 40)}),
        [(0, 0, 25, 20), (50, 0, 50, 40)],
    ),
    "rows of a grid are distributed": (
        grid([1], A, A, align_lines="between"),
        [(0, 0, 10, 10), (0, 90, 10, 10)],
    ),
    "a grid likes the width that gives each share its content": (
        # 30 for a share of 1 needs 60 for 2; the second item needs only 20.
        {"direction": "row", "children": [grid([1, 2], {"size": (30, 10)}, B)]},
        [(0, 0, 90, 100), (0, 0, 30, 10), (30, 0, 20, 10)],
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_place(name: str) -> None:
    """A small tree is laid out as its name says."""
    tree, expected = PLACES[name]
    assert rects(tree) == [pytest.approx(rect, abs=0.002) for rect in expected]


def test_mirrored() -> None:
    """In a mirrored layout left and right are exchanged, in all that a node has."""
    tree = {
        "direction": "row", "padding": (4, 0, 0, 0), "children": [
            {**A, "margin": (3, 0, 0, 0)},
            B,
            {"place": "anchored", "size": (10, 10), "anchor_low": 0, "anchor_high": 0, "pivot": 0, "offset": (2, 1)},
        ]}  # fmt: skip
    assert rects(tree) == [(7, 0, 10, 10), (17, 0, 20, 10), (2, 1, 10, 10)]
    assert rects(tree, mirrored=True) == [(83, 0, 10, 10), (63, 0, 20, 10), (88, 1, 10, 10)]


def test_scroll_columns() -> None:
    """Children of a container that scrolls keep their heights, and its content is as high as they are together."""
    nodes = made({"scroll": SCROLL_Y, "padding": (0, 1, 0, 2), "gap": (0, 5), "children": [{"size": (0, 80)}] * 2})
    assert solved(nodes)[:, 3].tolist() == [100, 80, 80]
    assert nodes.contents[0].tolist() == [100, 168]


def test_scroll_needs_nothing() -> None:
    """A container that scrolls gives way in its axis, and others keep the height of their content."""
    tree = {"children": [{"scroll": SCROLL_Y, "children": [{"size": (0, 300)}]}, {"text": (10, 10)}]}
    assert [rect[3] for rect in rects(tree)] == [90, 300, 10]


LONG = {"scroll": SCROLL_Y, "children": [{"size": (0, 300)}]}
NESTED = {
    "a row": {"direction": "row", "children": [LONG, A]},
    "a row that does not stretch": {"direction": "row", "align": "start", "children": [LONG, A]},
    "a column in a column": {"children": [LONG]},
    "a stack": {"direction": "stack", "align": "end", "children": [LONG, A]},
    "a grid": grid([2], LONG, A),
}


@pytest.mark.parametrize("name", NESTED)
def test_scroll_gives_way(name: str) -> None:
    """What scrolls in a container makes it no higher than the room that there is, beside children of fixed size."""
    found = rects({"children": [NESTED[name], {"least": (0, 30)}]})
    assert [rect[3] for rect in found[:2]] == [70, 70]
    assert found[-1] == (0, 70, 100, 30)


def test_scroll_has_room() -> None:
    """A parent without a limit is as high as the whole content of what scrolls in it."""
    nodes = made({"children": [NESTED["a row"], {"least": (0, 30)}]})
    assert solved(nodes, 100, np.inf)[:, 3].tolist() == [330, 300, 300, 300, 10, 30]


def test_scroll_least() -> None:
    """What scrolls gets no lower than its `least`, and neither does its parent."""
    found = rects({"children": [{"direction": "row", "children": [{**LONG, "least": (0, 90)}]}, {"text": (10, 30)}]})
    assert [rect[3] for rect in found] == [90, 90, 300, 10]


def test_scroll_floats() -> None:
    """An anchored node with something that scrolls is no higher than its parent, with its margins."""
    dialog = {"place": "anchored", "margin": (0, 5, 0, 5), "children": [LONG, {"text": (10, 10)}]}
    assert [(rect[1], rect[3]) for rect in rects({"children": [dialog]})][:2] == [(5, 90), (5, 80)]


def test_scroll_leaf() -> None:
    """A node without children that scrolls gives way as well."""
    nodes = made({"children": [{"direction": "row", "children": [{"scroll": SCROLL_Y}]}, {"least": (0, 30)}]})
    solve_widths(nodes, 100, 100, compiled=False)
    nodes.values["content_height"][2] = 300
    assert solve_heights(nodes)[1:, 3].tolist() == [70, 70, 30]


def test_grid_rows_scroll() -> None:
    """Rows of a grid with something that scrolls share the room that the others leave."""
    found = rects(grid([1], LONG, A, LONG))
    assert [rect[3] for rect in found if rect[3] != 300] == [45, 10, 45]


def test_scroll_rows() -> None:
    """A row that scrolls gives its children the widths that they like, and children of a column the widest."""
    nodes = made({"direction": "row", "scroll": SCROLL_X, "children": [{"text": (10, 80)}, {"text": (10, 60)}]})
    assert solved(nodes)[1:, 2].tolist() == [80, 60]
    assert nodes.contents[0].tolist() == [140, 100]
    nodes = made({"scroll": SCROLL_X, "children": [{"text": (10, 150)}, {"text": (10, 60)}]})
    assert solved(nodes)[1:, 2].tolist() == [150, 150]


def test_contents_that_fit() -> None:
    """What fits into a container that scrolls grows, and the content is as large as the container."""
    nodes = made({"scroll": SCROLL_Y, "children": [{"size": (0, 20)}, {"grow": 1}]})
    assert solved(nodes)[1:, 3].tolist() == [20, 80]
    assert nodes.contents[0].tolist() == [100, 100]


def test_circular() -> None:
    """A share of a parent that is as large as its content is reported."""
    share = {"share": (0.5, 0.5), "text": (10, 40)}
    nodes = made({"direction": "row", "align": "start", "children": [{"children": [share]}, share]})
    solved(nodes)
    assert nodes.flags.tolist() == [0, 0, CIRCULAR_X | CIRCULAR_Y, 0]


def test_content_sized_root() -> None:
    """In an infinite space a root is as large as its content."""
    nodes = made({"direction": "row", "padding": (1, 2, 3, 4), "children": [{"text": (10, 40)}, B]})
    assert solved(nodes, np.inf, np.inf)[0].tolist() == [0, 0, 64, 16]


def test_several_roots() -> None:
    """Each node without a parent is a root with its own size."""
    nodes = made({"children": [A]}, {"size": (30, 0), "children": [{}]})
    assert solved(nodes).tolist() == [[0, 0, 100, 100], [0, 0, 10, 10], [0, 0, 30, 100], [0, 0, 30, 0]]


def test_heights_again() -> None:
    """Heights may be computed again with other heights of contents, without new widths."""
    nodes = made(grid([2], {"text": (10, 10)}, {"text": (10, 10)}))
    before = solved(nodes).copy()
    assert solve_heights(nodes).tolist() == before.tolist()
    nodes.values["content_height"][1] = 25
    assert solve_heights(nodes)[1:].tolist() == [[0, 0, 50, 25], [50, 0, 50, 25]]

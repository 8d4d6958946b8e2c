"""The rules of CSS flexbox, each in a small tree with lengths worked out from the specification."""

from __future__ import annotations

from typing import Any

import pytest

from ui_trees import rects

Rects = list[tuple[float, float, float, float]]
A = {"size": (10, 10)}


def row(*children: Any, **values: Any) -> dict[str, Any]:
    """Return a row."""
    return {"direction": "row", "children": list(children), **values}


def column(*children: Any, **values: Any) -> dict[str, Any]:
    """Return a column."""
    return {"direction": "column", "children": list(children), **values}


RULES: dict[str, tuple[dict[str, Any], Rects]] = {
    "rows place items one after another and stretch them": (
        row({"size": (10, 0)}, {"size": (20, 0)}),
        [(0, 0, 10, 100), (10, 0, 20, 100)],
    ),
    "columns place items below each other and stretch them": (
        column({"size": (0, 10)}, {"size": (0, 20)}),
        [(0, 0, 100, 10), (0, 10, 100, 20)],
    ),
    "reversed rows begin at the right": (row(A, A, direction="row_reverse"), [(90, 0, 10, 10), (80, 0, 10, 10)]),
    "reversed columns begin at the bottom": (
        column(A, A, direction="column_reverse"),
        [(0, 90, 10, 10), (0, 80, 10, 10)],
    ),
    "free space is shared in the ratio of grow": (
        row({"grow": 1, "size": (10, 10)}, {"grow": 3, "size": (10, 10)}),
        [(0, 0, 30, 10), (30, 0, 70, 10)],
    ),
    "growing factors below 1 together leave space": (
        row({"grow": 0.25}, {"grow": 0.25}),
        [(0, 0, 25, 100), (25, 0, 25, 100)],
    ),
    "what most takes away goes to the others": (
        row({"grow": 1, "most": (20, 0)}, {"grow": 1}),
        [(0, 0, 20, 100), (20, 0, 80, 100)],
    ),
    "what least needs is taken from the others": (
        row({"grow": 1, "least": (70, 0)}, {"grow": 1}, {"grow": 1}),
        [(0, 0, 70, 100), (70, 0, 15, 100), (85, 0, 15, 100)],
    ),
    "the larger of two violations is resolved first": (
        # Ideal lengths 50 and 50; the sum of violations is +30-10 > 0, so only the item with `least` is frozen.
        row({"grow": 1, "least": (80, 0)}, {"grow": 1, "most": (40, 0)}),
        [(0, 0, 80, 100), (80, 0, 20, 100)],
    ),
    "missing space is given in the ratio of shrink times the base": (
        # 60 are missing; weights 120·1 and 40·3.
        row({"size": (120, 10)}, {"size": (40, 10), "shrink": 3}),
        [(0, 0, 90, 10), (90, 0, 10, 10)],
    ),
    "shrinking factors below 1 together leave overflow": (
        row({"size": (100, 10), "shrink": 0.25}, {"size": (100, 10), "shrink": 0.25}),
        [(0, 0, 75, 10), (75, 0, 75, 10)],
    ),
    "padding does not shrink": (
        # Weights are the lengths without padding: 40 and 80; 20 are missing.
        row({"size": (80, 10), "padding": (20, 0, 20, 0)}, {"size": (80, 10), "shrink": 0}),
        [(0, 0, 40, 10), (40, 0, 80, 10)],
    ),
    "an item is never smaller than its padding": (
        row({"size": (5, 5), "padding": (10, 4, 10, 4)}),
        [(0, 0, 20, 8)],
    ),
    "items do not shrink below their longest word": (
        row({"text": (60, 100)}, {"size": (60, 10)}),
        [(0, 0, 62.5, 100), (62.5, 0, 37.5, 10)],
    ),
    "an automatic least is no more than size": (
        row({"size": (30, 10), "text": (80, 80)}, {"size": (90, 10), "shrink": 0}),
        [(0, 0, 30, 10), (30, 0, 90, 10)],
    ),
    "least replaces the automatic one": (
        row({"text": (80, 80), "least": (10, 0)}, {"size": (60, 10), "shrink": 0}),
        [(0, 0, 40, 100), (40, 0, 60, 10)],
    ),
    "basis comes before size": (
        row({"basis": 40, "size": (10, 10)}, {"basis": 0, "grow": 1}),
        [(0, 0, 40, 10), (40, 0, 60, 100)],
    ),
    "a basis of 0 with equal grow makes equal widths": (
        row({"basis": 0, "grow": 1, "text": (10, 60)}, {"basis": 0, "grow": 1, "text": (10, 20)}),
        [(0, 0, 50, 100), (50, 0, 50, 100)],
    ),
    "gaps lie between items only": (row(A, A, A, gap=(5, 9)), [(0, 0, 10, 10), (15, 0, 10, 10), (30, 0, 10, 10)]),
    "gaps are not shared": (
        row({"grow": 1}, {"grow": 1}, gap=(10, 0)),
        [(0, 0, 45, 100), (55, 0, 45, 100)],
    ),
    "padding moves children inwards": (
        row({"grow": 1}, padding=(5, 10, 15, 20)),
        [(5, 10, 80, 70)],
    ),
    "margins are outside and do not collapse": (
        column({"size": (0, 10), "margin": (1, 2, 3, 4)}, {"size": (0, 10), "margin": (0, 5, 0, 0)}),
        [(1, 2, 96, 10), (0, 21, 100, 10)],
    ),
    "negative margins pull the next item closer": (
        row({"size": (20, 10), "margin": (0, 0, -5, 0)}, A),
        [(0, 0, 20, 10), (15, 0, 10, 10)],
    ),
    "justify center": (row(A, A, justify="center"), [(40, 0, 10, 10), (50, 0, 10, 10)]),
    "justify end": (row(A, A, justify="end"), [(80, 0, 10, 10), (90, 0, 10, 10)]),
    "justify between": (row(A, A, A, justify="between"), [(0, 0, 10, 10), (45, 0, 10, 10), (90, 0, 10, 10)]),
    "justify between, one item": (row(A, justify="between"), [(0, 0, 10, 10)]),
    "justify around": (row(A, A, justify="around"), [(20, 0, 10, 10), (70, 0, 10, 10)]),
    "justify evenly": (row(A, A, justify="evenly", padding=(5, 0, 5, 0)), [(28.333, 0, 10, 10), (61.667, 0, 10, 10)]),
    "centered items overflow on both sides": (
        row({"size": (140, 10), "shrink": 0}, justify="center"),
        [(-20, 0, 140, 10)],
    ),
    "distributed items that overflow begin at the start": (
        row({"size": (140, 10), "shrink": 0}, justify="evenly"),
        [(0, 0, 140, 10)],
    ),
    "distributed items that overflow begin at the start, reversed": (
        row({"size": (140, 10), "shrink": 0}, justify="between", direction="row_reverse"),
        [(0, 0, 140, 10)],
    ),
    "align start, center and end": (
        row({**A, "align_self": "start"}, {**A, "align_self": "center"}, {**A, "align_self": "end"}),
        [(0, 0, 10, 10), (10, 45, 10, 10), (20, 90, 10, 10)],
    ),
    "align of the container holds for all that do not say otherwise": (
        column(A, {**A, "align_self": "end"}, align="center"),
        [(45, 0, 10, 10), (90, 10, 10, 10)],
    ),
    "an item that is not stretched is as wide as its content, but no wider than the space": (
        column({"text": (20, 60)}, {"text": (20, 160)}, {"text": (120, 160)}, align="start"),
        [(0, 0, 60, 10), (0, 10, 100, 16), (0, 26, 120, 13.333)],
    ),
    "stretched items keep within most": (
        column({"size": (0, 10), "most": (40, 0)}),
        [(0, 0, 40, 10)],
    ),
    "baselines of a row are on one height": (
        row(
            {"size": (10, 20), "text": (10, 10), "baseline": 8},
            {"size": (10, 40), "text": (10, 10), "baseline": 30},
            {"size": (10, 10)},
            align="baseline",
        ),
        [(0, 22, 10, 20), (10, 0, 10, 40), (20, 20, 10, 10)],
    ),
    "the baseline of a box is that of its first child": (
        row(
            column({"size": (10, 10)}, {"size": (10, 30)}, padding=(0, 5, 0, 0)),
            {"size": (10, 40), "text": (10, 10), "baseline": 30},
            align="baseline",
        ),
        [(0, 15, 10, 45), (0, 20, 10, 10), (0, 30, 10, 30), (10, 0, 10, 40)],
    ),
    "items that do not fit begin a line": (
        row({"size": (60, 10)}, {"size": (40, 20)}, {"size": (50, 10)}, wrap=1, gap=(0, 5)),
        [(0, 0, 60, 10), (60, 0, 40, 20), (0, 25, 50, 10)],
    ),
    "gaps count for the breaks of lines": (
        row({"size": (50, 10)}, {"size": (50, 10)}, wrap=1, gap=(1, 0)),
        [(0, 0, 50, 10), (0, 10, 50, 10)],
    ),
    "a long item is alone in its line, and shrinks": (
        row(A, {"size": (150, 10)}, A, wrap=1),
        [(0, 0, 10, 10), (0, 10, 100, 10), (0, 20, 10, 10)],
    ),
    "items grow within their line": (
        row({"size": (60, 10), "grow": 1}, {"size": (60, 10)}, wrap=1),
        [(0, 0, 100, 10), (0, 10, 60, 10)],
    ),
    "items are stretched over their line": (
        row({"size": (60, 30)}, {"size": (40, 0)}, {"size": (50, 10)}, wrap=1),
        [(0, 0, 60, 30), (60, 0, 40, 30), (0, 30, 50, 10)],
    ),
    "lines are distributed": (
        row({"size": (100, 10)}, {"size": (100, 10)}, wrap=1, align_lines="between"),
        [(0, 0, 100, 10), (0, 90, 100, 10)],
    ),
    "columns that wrap begin a column": (
        column({"size": (10, 60)}, {"size": (20, 50)}, {"size": (10, 10)}, wrap=1, gap=(5, 0)),
        [(0, 0, 10, 60), (15, 0, 20, 50), (15, 50, 10, 10)],
    ),
    "shares are fractions of the inside of the parent": (
        row({"share": (0.5, 0.5)}, padding=(10, 0, 10, 20)),
        [(10, 0, 40, 40)],
    ),
    "shares of a parent that is as wide as its content count only for the layout": (
        row(row({"share": (0.5, 0), "text": (10, 40)})),
        [(0, 0, 40, 100), (0, 0, 20, 100)],
    ),
    "shares of a parent that is as high as its content are auto": (
        row(column({"share": (0, 0.5), "text": (10, 40)}), align="start"),
        [(0, 0, 40, 10), (0, 0, 40, 10)],
    ),
    "shares of an item of a definite column are definite": (
        column(column({"share": (0, 0.5), "text": (10, 40)})),
        [(0, 0, 100, 10), (0, 0, 100, 5)],
    ),
    "shares of a stretched height are definite": (
        row(column({"share": (0, 0.5)}, size=(20, 0))),
        [(0, 0, 20, 100), (0, 0, 20, 50)],
    ),
    "shares of a height that grew are definite": (
        column(column({"share": (0, 0.5)}, grow=1), {"size": (0, 20)}),
        [(0, 0, 100, 80), (0, 0, 100, 40), (0, 80, 100, 20)],
    ),
    "a parent is as large as its content": (
        column(row(A, {"size": (20, 30)}, padding=(1, 2, 3, 4), gap=(5, 0)), align="start"),
        [(0, 0, 39, 36), (1, 2, 10, 10), (16, 2, 20, 30)],
    ),
    "texts are as high as their width makes them": (
        row(column({"text": (10, 100)}, size=(50, 0)), align="start"),
        [(0, 0, 50, 20), (0, 0, 50, 20)],
    ),
    "the aspect gives the height of a width": (
        column({"size": (40, 0), "aspect": 2}),
        [(0, 0, 40, 20)],
    ),
    "the aspect gives the width of a height": (
        row({"size": (0, 40), "aspect": 2}),
        [(0, 0, 80, 40)],
    ),
    "the aspect gives the width of a stretched height": (
        row({"aspect": 0.5}, {"grow": 1}),
        [(0, 0, 50, 100), (50, 0, 50, 100)],
    ),
    "the aspect gives the height of a stretched width": (
        column({"aspect": 4}),
        [(0, 0, 100, 25)],
    ),
    "the aspect holds within most of the other length": (
        column({"size": (80, 0), "aspect": 1, "most": (0, 30)}, align="start"),
        [(0, 0, 30, 30)],
    ),
    "least is stronger than most": (row({"size": (10, 10), "least": (50, 0), "most": (20, 0)}), [(0, 0, 50, 10)]),
    "children of a column shrink to what they need": (
        column({"size": (0, 80)}, {"size": (0, 80), "text": (10, 10)}),
        [(0, 0, 100, 50), (0, 50, 100, 50)],
    ),
    "hidden nodes take no space": (
        row(A, column(A, size=(20, 0), hidden=1), A, gap=(5, 0)),
        [(0, 0, 10, 10), (0, 0, 0, 0), (0, 0, 0, 0), (15, 0, 10, 10)],
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_rule(name: str) -> None:
    """A small tree is laid out as the rule of CSS says that names it."""
    tree, expected = RULES[name]
    assert rects(tree) == [pytest.approx(rect, abs=0.002) for rect in expected]

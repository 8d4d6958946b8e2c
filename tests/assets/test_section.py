"""Mappings of a package's own files: mistakes have the place and the path of the value."""

from __future__ import annotations

from rish_assets import Section
from rish_core.manifest import Report, read_yaml

TEXT = """\
title: pond
colors: {sky: 7, bank: green}
size: 3
"""


class Colors(Section):
    """A section that a package derives."""


def test_mistakes_are_at_their_values() -> None:
    """Unknown keys, wrong values and values that are no mapping are reported, sorted by place."""
    report = Report()
    section = Colors(read_yaml(TEXT, "pond.yaml").data, (), report)
    section.only(("title", "color", "size"))
    colors = section.below("colors")
    assert isinstance(colors, Colors)
    colors.wrong("sky", "must be a color")
    colors.wrong("ground", "is missing")
    assert section.below("size").node == {}
    assert section.below("nothing").path == ("nothing",)
    section.wrong("", "is too small")
    found = [(each.place.line, each.place.column, each.path, each.what) for each in report.problems]
    assert found == [
        (1, 1, "", "is too small"),
        (2, 1, "colors", "nothing is called 'colors' here (did you mean 'color'?). Choices: title, color, size"),
        (2, 9, "colors.ground", "is missing"),
        (2, 15, "colors.sky", "must be a color"),
        (3, 7, "size", "must be a mapping, not the number 3"),
    ]

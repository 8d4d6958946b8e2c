"""Editing one value in a manifest's text."""

from __future__ import annotations

import pytest

from rish_authoring.text.manifest_text import set_value
from rish_core import UsageError

TEXT = """\
# top
a: 1 # one
b:
  - {x: [1, 2], y: "q"}  # two
  - z: 'it''s'   # three
    w: plain text   # four
c: &k 5
d: *k
e: |
  lines
f:
"""


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("a",), 2.5, "a: 2.5 # one"),
        (("b", 0, "x"), (3, 4), '  - {x: [3, 4], y: "q"}  # two'),
        (("b", 0, "x", 1), -7, '  - {x: [1, -7], y: "q"}  # two'),
        (("b", 0, "y"), "true", '  - {x: [1, 2], y: "true"}  # two'),
        (("b", 1, "z"), "no: yes", '  - z: "no: yes"   # three'),
        (("b", 1, "w"), None, "    w: null   # four"),
        (("c",), True, "c: &k true"),
    ],
)
def test_one_value_changes_and_nothing_else(path, value, line):
    """One value changes; comments, quotes and layout of all other lines stay."""
    made = set_value(TEXT, path, value)
    changed = [new for old, new in zip(TEXT.splitlines(), made.splitlines(), strict=True) if old != new]
    assert changed == [line]


@pytest.mark.parametrize("path", [("d",), ("q",), ("b", 5), ("a", "x"), ("b", 0, "x", "y")])
def test_what_is_no_value_is_refused(path):
    """Aliases and missing keys are rejected."""
    with pytest.raises(UsageError):
        set_value(TEXT, path, 1)


def test_a_text_with_mistakes_is_not_edited():
    """A text with mistakes is not edited."""
    with pytest.raises(UsageError, match="rish check"):
        set_value("a: [", ("a",), 1)

"""User interfaces: the layout of a thousand widgets, of which one changed, by Rish and by Taffy.

The peer is `stretchable`, Taffy for Python. It measures its texts with a function in Python, as its interface demands.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case(
        "relayout_1k", "ms", {"rish": "_ui_rish:relayout", "stretchable": "_ui_stretchable:relayout"},
        limits={"stretchable": 0.1}, limit=1.0,
    ),
    Case("build_1k", "ms", {"rish": "_ui_rish:build", "stretchable": "_ui_stretchable:build"}),
    Case("relayout_10k", "ms", {"rish": "_ui_rish:relayout_many"}, full=True),
]  # fmt: skip

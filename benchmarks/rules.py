"""Rules: a tick with ten thousand events, which rules of a manifest count, and which a system of Python counts.

`loop` is a system that reads the fields of each event in a loop, as a game in Python without columns does; `numpy` is
one that reads them as columns.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case(name, "ms", {peer: f"_rules_rish:{name}_{peer}" for peer in ("rish", "loop", "numpy")}, limit=limit)
    for name, limit in (("add_10k", 20), ("condition_10k", 30), ("field_10k", 30))
]

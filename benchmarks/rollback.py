"""Rollback: what a session over a network does when an input of another player arrives late.

`save` and `load` are those of a state in memory, `ticks` are eight ticks alone, and `rollback` is a load with eight
times a save and a tick. A frame at 60 Hz has 16.7 ms; a quarter of it is the limit for a game of usual size.
"""

from __future__ import annotations

from .harness import Case

_LIMITS = {"breakout": 4.0, "bodies_200": 4.0, "bodies_1000": 12.0}
"""The longest rollback in ms."""

CASES = [
    Case(
        f"{part}_{world}", "ms", {"rish": f"_rollback_rish:{part}_{world}"},
        limit=_LIMITS.get(world) if part == "rollback" else None,
    )
    for world in ("breakout", "orchard", "bodies_200", "bodies_1000")
    for part in ("save", "load", "ticks", "rollback")
]  # fmt: skip

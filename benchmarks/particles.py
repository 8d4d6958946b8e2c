"""Particles: a tick of a million compared with numpy's copy of their columns, and of ten thousand with Python games.

A particle is 40 bytes: position, velocity, age, life, angle, spin, size and color. Rish runs them in an App, with
curves over life, gravity, drag and one vortex, and with colors and sizes that are looked up when they are drawn
(`pack_100k`). `copy` copies the same ten columns once. `arcade` is arcade's emitters, and `objects` is plain Python
objects with the same attributes in a loop, which do the same work; arcade only moves, rotates and ages its particles.
"""

from __future__ import annotations

from .harness import Case

_BARE = "_particles_bare"
CASES = [
    Case("update_1m", "ms", {"rish": "_particles_rish:million", "copy": f"{_BARE}:copy"}, limits={"copy": 2.5}),
    Case("churn_1m", "ms", {"rish": "_particles_rish:churn", "copy": f"{_BARE}:copy"}, full=True),
    Case(
        "update_10k",
        "ms",
        {"rish": "_particles_rish:few", "arcade": f"{_BARE}:arcade", "objects": f"{_BARE}:objects"},
        limits={"arcade": 1 / 500, "objects": 1 / 200},
    ),
    Case("spawn_100k", "ms", {"rish": "_particles_rish:spawn"}, limit=2),
    Case("pack_100k", "ms", {"rish": "_particles_rish:pack"}),
]

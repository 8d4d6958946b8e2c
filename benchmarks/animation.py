"""Animation: a tick with ten thousand tweens, animators, and entities on paths, in Apps with their schedules.

There is no peer: the Python engines animate single objects from Python code, or not at all.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case("tweens_10k", "ms", {"rish": "_animation_rish:tweens"}, limit=0.5),
    Case("animators_10k", "ms", {"rish": "_animation_rish:animators"}),
    Case("paths_10k", "ms", {"rish": "_animation_rish:paths"}),
]

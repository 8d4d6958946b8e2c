"""Software: a tick and a frame of games that the backend `software` draws on processors, with two threads.

`beacon` is the scene `harbour` at 1280×720, in play by its own pilot, and `beacon_title` its first scene; `lantern` and
`sirens` are their first scenes, after a second. These are wall-clock times, as the threads work side by side.
`breakout` is in play, and `tiny` is a game with 20 moving circles and a text, both in processor time.
"""

from __future__ import annotations

from .harness import Case

_LIMITS = {"beacon": 120.0, "beacon_title": 120.0, "lantern": 30.0, "sirens": 25.0, "breakout": 4.0, "tiny": 0.9}

CASES = [Case(name, "ms", {"rish": f"_software_rish:{name}"}, limit=limit) for name, limit in _LIMITS.items()]

"""Scripts, recording and rewind: the cost of Python in a script, the cost of a recording, the speed of a seek.

A thousand scripts run as in the product: an App with its schedule, its Transforms, its watchdog. The lower bound of
`on_update_all` is the same kernel over plain arrays. `plain` is a thousand objects with attributes, called in a loop:
the usual method of Python games, without columns, checks, saves or rewinds.
"""

from __future__ import annotations

from pathlib import Path

from .harness import Case

GAMES = sorted(path.parent.name for path in (Path(__file__).parents[1] / "games").glob("*/game.yaml"))
KEPT = ("beacon", "1000", "10k")

CASES = [
    Case(
        "update_1000",
        "ms",
        {"rish": "_scripts_rish:update", "plain": "_scripts_bare:update"},
        limits={"plain": 8},
        limit=4,
    ),
    Case(
        "update_all_100k",
        "µs",
        {"rish": "_scripts_rish:update_all", "numba": "_scripts_bare:update_all"},
        limits={"numba": 2},
    ),
    Case("events_1000", "ms", {"rish": "_scripts_rish:events"}),
    Case("timers_1000", "ms", {"rish": "_scripts_rish:timers"}),
    Case("spawn_despawn_100", "ms", {"rish": "_scripts_rish:come_and_go"}),
    Case("idle_10k", "µs", {"rish": "_scripts_rish:idle"}),
    Case("record_breakout", "µs", {"rish": "_history_rish:record"}, limit=60),
    Case("rewind_breakout", "kB", {"rish": "_history_rish:memory"}, limit=500),
    *(
        Case(name, "ms", {"rish": f"_history_rish:{name}"}, limit=0.8)
        for name in ("keep_beacon", "keep_1000", "keep_10k")
    ),
    *(Case(f"seek_{game}", "ms", {"rish": f"_history_rish:seek_{game}"}, limit=50) for game in GAMES),
]

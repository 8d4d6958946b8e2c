"""Many worlds of one game at once, in processes of this machine or on Ray: sweeps and tournaments.

from rish_ray import Trial, product, sweep

trial = Trial("games/breakout", until="Match.lives == 0", columns=("Match.score",))
report = sweep(trial, product(range(100), {"scene": ["play"]}), "results.csv")
"""

# Names are exported through __getattr__, so that a process which only gives out work starts quickly; the imports below
# are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .jobs import Job, Outcome, Trial, product
    from .player import Player
    from .pools import Died, LocalPool, Pool, RayPool, WorkFailed, open_pool
    from .ratings import elo
    from .running import Report, sweep
    from .tournament import matches, standings

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "jobs": "Job Outcome Trial product",
        "player": "Player",
        "pools": "Died LocalPool Pool RayPool WorkFailed open_pool",
        "ratings": "elo",
        "running": "Report sweep",
        "tournament": "matches standings",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

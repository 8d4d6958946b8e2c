"""The conformance kit: the promises of a plugin, as clauses that are checked for any installed plugin.

`pytest --rish-conformance wind` checks every clause as a test of its own, `rish conformance wind` prints what is
broken, and `run("wind")` returns it. A plugin needs no tests and no game for that: the kit makes a game from the
plugin's declarations, see `sample`. Every public name is available here.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .clause import Clause, Outcome, Violation
    from .clauses import CLAUSES
    from .running import Run, plugins_named, run

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "clause": "Clause Outcome Violation",
        "clauses": "CLAUSES",
        "running": "Run plugins_named run",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

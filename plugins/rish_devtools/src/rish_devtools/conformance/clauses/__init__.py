"""The clauses, by subject: the package, what importing it does, its declarations, games with it, its tools.

A module adds its clauses when it is imported; the docstring of a check says how the clause is checked.
"""

from __future__ import annotations

from ..clause import EXITS, HANGS, REGISTERED, Clause
from . import contracts, declarations, game_phases, importing, motion, packaging, process, sources, states, strictness

__all__ = [
    "CLAUSES",
    "contracts",
    "declarations",
    "game_phases",
    "importing",
    "motion",
    "packaging",
    "process",
    "sources",
    "states",
    "strictness",
]

_WATCHED = (Clause(EXITS, "It never ends the process"), Clause(HANGS, "It never runs on without an end"))
CLAUSES: tuple[Clause, ...] = tuple(sorted([*REGISTERED.values(), *_WATCHED], key=lambda each: each.id))
"""All clauses, in the order of their numbers."""

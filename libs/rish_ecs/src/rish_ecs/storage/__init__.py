"""The storage of a World: entities, tables, events, texts, trees, changes of structure and versions."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .entities import ALIVE, INDEX_MASK, as_handles, describe
    from .events import EventBatch, EventQueue, EventReaders, EventRow
    from .moves import LAST_POSE, POSE, PoseMoves, joined_rows
    from .structure import Operation, Structure
    from .trees import Hierarchy, Links, compute_hierarchy, generations_of, hangs, links_of, parents_of

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "entities": "ALIVE INDEX_MASK as_handles describe",
        "events": "EventBatch EventQueue EventReaders EventRow",
        "moves": "LAST_POSE POSE PoseMoves joined_rows",
        "structure": "Operation Structure",
        "trees": "Hierarchy Links compute_hierarchy generations_of hangs links_of parents_of",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

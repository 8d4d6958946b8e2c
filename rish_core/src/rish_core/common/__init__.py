"""Data that plugins share: transforms, their hierarchy and moves, names, tags, groups and edges."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import names
    from .hierarchy import Hierarchy, HierarchyCache, hangs, hierarchy_of
    from .matrices import hang_matrices, product
    from .moves import LAST_POSE, POSE, PoseMoves, joined_rows

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "hierarchy": "Hierarchy HierarchyCache hangs hierarchy_of",
        "matrices": "hang_matrices product",
        "moves": "LAST_POSE POSE PoseMoves joined_rows",
    },
    modules=("names",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""Data that plugins share: transforms, their hierarchy, names, tags, groups and edges."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import names
    from .hierarchy import Hierarchy, HierarchyCache, hangs, hierarchy_of

__getattr__, __dir__ = lazy_names(
    __name__, {"hierarchy": "Hierarchy HierarchyCache hangs hierarchy_of"}, modules=("names",)
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""States in memory: copies of the state of a World that the same World saves and loads within a fraction of a
millisecond, for rollback and rewind.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .state import SavedState

__getattr__, __dir__ = lazy_names(__name__, {"state": "SavedState"})
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

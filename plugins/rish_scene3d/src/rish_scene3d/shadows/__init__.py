"""Shadow maps: their cameras, and which must be drawn again."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .cascades import Cascade, axes_of, enclosing_sphere, make_cascade, split_distances

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "cascades": "Cascade axes_of enclosing_sphere make_cascade split_distances",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""Paintings: flat pictures made of boxes, images, lines and texts, and the interface of the code that sets texts."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import cells, writing
    from .labels import Label, labels_of

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "labels": "Label labels_of",
    },
    modules=("cells", "writing"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""Shadow maps: the distance to the nearest blocking edge in each direction, as flat arrays for both backends."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .diamond import bins_for
    from .kernels import cast_points

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "diamond": "bins_for",
        "kernels": "cast_points",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

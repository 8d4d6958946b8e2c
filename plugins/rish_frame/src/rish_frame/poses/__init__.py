"""Poses between two ticks: the matrices of drawn entities, the columns they are computed from, and a fast sine."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .interpolation import BASE, KERNEL_ROWS, Poses, plain_bases
    from .matrices import WorldMatrices
    from .sines import PER_TAU, TAU, quick_sincos, quick_sincos_of

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "interpolation": "BASE KERNEL_ROWS Poses plain_bases",
        "sines": "PER_TAU TAU quick_sincos quick_sincos_of",
        "matrices": "WorldMatrices",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

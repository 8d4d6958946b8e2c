"""Vectors of eight float32 inside kernels: see `vectors`, and `quads` for the rows of matrices."""

from __future__ import annotations

from .quads import load_twice, put4, spread, store_first
from .vectors import (
    LANES,
    Lane8,
    Mask,
    Vector,
    bits,
    floor,
    gather,
    gather4,
    load,
    lowest,
    maximum,
    minimum,
    onward,
    pick,
    scatter,
    select,
    splat,
    sqrt,
    store,
    store_whole,
)

__all__ = [
    "LANES",
    "Lane8",
    "Mask",
    "Vector",
    "bits",
    "floor",
    "gather",
    "gather4",
    "load",
    "load_twice",
    "lowest",
    "maximum",
    "minimum",
    "onward",
    "pick",
    "put4",
    "scatter",
    "select",
    "splat",
    "spread",
    "sqrt",
    "store",
    "store_first",
    "store_whole",
]

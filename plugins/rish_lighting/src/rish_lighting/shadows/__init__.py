"""Shadow maps: the distance to the nearest blocking edge in each direction, as flat arrays for both backends."""

from __future__ import annotations

from .diamond import bins_for
from .kernels import cast_points

__all__ = ["bins_for", "cast_points"]

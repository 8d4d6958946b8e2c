"""The effects of distance, direction, speed, air and walls on a sound: functions on arrays with one row for each
source.

Lengths are in world units unless a name says meters, angles in radians, arrays float64. All inputs must be finite. The
functions use only operations with equal bits on every machine, so their results may go into the World. There are few
sources, so an array call costs more than its arithmetic: the functions make few calls, and none of sin, cos or exp
where algebra gives the same.
"""

# Modules are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import air, distance, layouts, listener, motion, panning, walls

__getattr__, __dir__ = lazy_names(
    __name__, {}, modules=("air", "distance", "layouts", "listener", "motion", "panning", "walls")
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

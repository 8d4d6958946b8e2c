"""Physics for learning: a second provider of the contract `physics2d`, in plain Python without kernels.

Read `solver`, then `manifold`, `pairs` and `step`. This package exports every public name::

    from rish_teach import Method, solve
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import teach3d
    from .manifold import Hull, Manifold, ManifoldPoint, collide
    from .pairs import overlapping_boxes
    from .solver import (
        RIGID,
        Method,
        Mover,
        Point,
        Rules,
        Spring,
        bounce,
        effective_mass,
        improve,
        prepare,
        residual,
        solve,
        spring,
        warm_start,
    )

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "manifold": "Hull Manifold ManifoldPoint collide",
        "pairs": "overlapping_boxes",
        "solver": "Method Mover Point RIGID Rules Spring bounce effective_mass improve prepare residual solve "
        "spring warm_start",
    },
    modules=("teach3d",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

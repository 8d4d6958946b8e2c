"""What solvers of rigid bodies share, whatever the number of dimensions.

`coloring` and `unions` hold functions for kernels.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import coloring, unions
    from .arguments import finite_values
    from .layers import DEFAULT, MAX_LAYERS, contradictions, layer_bits
    from .soft import soften
    from .touches import SensorOverlaps, Touches, find_sides, same_touches

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "arguments": "finite_values",
        "layers": "DEFAULT MAX_LAYERS contradictions layer_bits",
        "soft": "soften",
        "touches": "SensorOverlaps Touches find_sides same_touches",
    },
    modules=("coloring", "unions"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""Effects over the whole picture: a chain that a manifest lists and any plugin can extend.

The picture is taken as it is after the layers of the world, decoded to linear light, led through the effects in their
order, and encoded once onto the canvas. Layers in screen space and overlays lie on top, untouched.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .effect import Effect, effect_of
    from .effects.all import EFFECTS
    from .effects.lut import neutral
    from .runs import uniforms

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "effect": "Effect effect_of",
        "effects.all": "EFFECTS",
        "effects.lut": "neutral",
        "runs": "uniforms",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

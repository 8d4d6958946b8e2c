"""Post-processing effects: a chain that a manifest lists and any plugin can extend.

The image of the layers of the world is decoded to linear light, passed through the effects in order, and encoded once
onto the canvas. Layers in screen space and overlays are drawn on top, without effects.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .effect import Effect, effect_of
    from .effects.builtin import EFFECTS
    from .effects.lut import neutral
    from .fused_passes import uniforms

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "effect": "Effect effect_of",
        "effects.builtin": "EFFECTS",
        "effects.lut": "neutral",
        "fused_passes": "uniforms",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

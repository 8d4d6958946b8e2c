"""The kinds of batches and the passes of a 3D scene."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .kinds import DEPTHS, DEVELOP, GBUFFER, LINES, SHADE, SKY, SURFACES, Surfaces

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "kinds": "DEPTHS DEVELOP GBUFFER LINES SHADE SKY SURFACES Surfaces",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""Global illumination in two dimensions: glowing things light the scene; walls block light and reflect it once."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .cascades import illuminate

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "cascades": "illuminate",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""Makes a folder with Python, Rish, games and the manual that starts from a USB stick: `rish bundle`."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .bundling import Bundled, Wish, bundle
    from .manual.pages import write_manual

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "bundling": "Bundled Wish bundle",
        "manual.pages": "write_manual",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

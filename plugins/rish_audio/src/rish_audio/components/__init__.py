"""Components, tables, events and settings, and the block that is passed to the mixer."""

# Modules are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import block

__getattr__, __dir__ = lazy_names(__name__, {}, modules=("block",))
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

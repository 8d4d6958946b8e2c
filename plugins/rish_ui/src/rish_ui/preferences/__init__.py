"""Preferences: the choices of a player for a game on this computer, stored in a file of the player."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .keys import key_text
    from .preferences import Preferences, keep_preferences

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "keys": "key_text",
        "preferences": "Preferences keep_preferences",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

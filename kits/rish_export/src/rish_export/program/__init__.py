"""What an exported program runs: it plays its game with the options of `rish run`, and reports crashes.

This part of the package is inside the program; it needs nothing of what makes programs.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .about import ABOUT, About
    from .crashes import CrashReports
    from .play import main

__getattr__, __dir__ = lazy_names(__name__, {"about": "ABOUT About", "crashes": "CrashReports", "play": "main"})
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

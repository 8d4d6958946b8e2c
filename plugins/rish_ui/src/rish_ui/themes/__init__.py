"""Themes: the colors, fonts, spacings and states of widgets, read from YAML."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .compiling import compile_theme
    from .kinds import PARTS
    from .reading import LOADERS, SUFFIX, ThemeText, read_theme_text
    from .style import State, Style, mix
    from .theme import Theme
    from .theme_library import SHIPPED, Themes, finder

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "compiling": "compile_theme",
        "kinds": "PARTS",
        "theme_library": "SHIPPED Themes finder",
        "reading": "LOADERS SUFFIX ThemeText read_theme_text",
        "style": "State Style mix",
        "theme": "Theme",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

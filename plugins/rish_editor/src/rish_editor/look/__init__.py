"""The look of the editor: fonts, icons, themes, the style of ImGui, and languages."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import icons
    from .fonts import Fonts, load_fonts
    from .language import Language
    from .legibility import contrast
    from .style import apply, role
    from .theme import DARK, HIGH_CONTRAST, LIGHT, THEMES, Theme

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "fonts": "Fonts load_fonts",
        "language": "Language",
        "legibility": "contrast",
        "style": "apply role",
        "theme": "DARK HIGH_CONTRAST LIGHT THEMES Theme",
    },
    modules=("icons",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

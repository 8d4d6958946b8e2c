"""The rules of writing: markup, letters with their marks, places where lines end, the order of mixed directions."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .bidi import MIRRORED, embedding_levels, needs_order, paragraph_level, visual_order
    from .breaking import is_ideographic, is_space, line_ends
    from .characters import clean, is_text, text_in_lines, text_in_one_line, typed_text
    from .classes import UNICODE
    from .clusters import MAX_MARKS, MAX_WORD, beginning, clusters_of, is_invisible, is_pictograph, is_word
    from .markup import ICON, IconMark, Marked, Sized, Span, read_markup

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "bidi": "MIRRORED embedding_levels needs_order paragraph_level visual_order",
        "breaking": "is_ideographic is_space line_ends",
        "characters": "clean is_text text_in_lines text_in_one_line typed_text",
        "classes": "UNICODE",
        "clusters": "MAX_WORD MAX_MARKS beginning clusters_of is_invisible is_pictograph is_word",
        "markup": "ICON IconMark Marked Sized Span read_markup",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

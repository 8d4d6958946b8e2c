"""Translations: texts by key in several languages."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .languages import direction, own_name, plural_form, plural_forms, system_language
    from .locales import SHIPPED, Locales, language_rows
    from .message import Message, key_of

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "languages": "direction own_name plural_form plural_forms system_language",
        "locales": "SHIPPED Locales language_rows",
        "message": "Message key_of",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

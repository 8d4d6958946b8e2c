"""Makes a web page of a game of Rish: `rish export GAME --page`."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .description import Demo, Description, read_description
    from .downloads import Download, program_name, read_downloads, this_system
    from .page import PageWish, is_page, write_page

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "description": "Demo Description read_description",
        "downloads": "Download program_name read_downloads this_system",
        "page": "PageWish is_page write_page",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""From a file of a game to an object of a plugin: each file is loaded once, errors are logged once, edits are noticed::

def load_poem(path, read):
    return Poem(read().splitlines())

poems = AssetLibrary("poem", load_poem, placeholder=lambda: Poem([]), log="rish.poems")
poem = poems.get(world, "poems/spring.txt")
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .asset_watch import AssetWatch, reload_assets
    from .changes import report_changes
    from .library import AssetLibrary
    from .log_once import LogOnce
    from .naming import name_of
    from .reading import AssetReader
    from .section import Section
    from .watching import FileWatcher

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "asset_watch": "AssetWatch reload_assets",
        "changes": "report_changes",
        "library": "AssetLibrary",
        "log_once": "LogOnce",
        "naming": "name_of",
        "reading": "AssetReader",
        "section": "Section",
        "watching": "FileWatcher",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""Games in one file: packing, opening files of strangers safely, and adding plugins to a game."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .cache import packs_folder
    from .errors import PackError
    from .files.archive import Archive, open_archive
    from .files.contents import Contents, FileHash, NeededPlugin
    from .files.gathering import Gathered, gather
    from .files.writing import pack_path, write_pack
    from .opening import open_game
    from .plugins.adding import Added, add_to_game
    from .plugins.choosing import find_installer
    from .plugins.installer import Installer
    from .plugins.removing import remove_from_game
    from .unpacking import unpack

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "cache": "packs_folder",
        "errors": "PackError",
        "files.archive": "Archive open_archive",
        "files.contents": "Contents FileHash NeededPlugin",
        "files.gathering": "Gathered gather",
        "files.writing": "pack_path write_pack",
        "opening": "open_game",
        "plugins.adding": "Added add_to_game",
        "plugins.choosing": "find_installer",
        "plugins.installer": "Installer",
        "plugins.removing": "remove_from_game",
        "unpacking": "unpack",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

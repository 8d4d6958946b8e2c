"""Inspect and drive a running game over HTTP and JSON.

The plugin `remote` starts a server on this machine (`rish run GAME --with remote`). `attach` is its client for
notebooks and scripts::

    from rish_remote import attach

    game = attach("http://127.0.0.1:8420/#token=...")
    game.step(60)
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .client.connection import RemoteError
    from .client.game import RemoteComponent, RemoteEntity, RemoteGame, attach
    from .description import openapi
    from .settings import RemoteSettings

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "client.connection": "RemoteError",
        "client.game": "RemoteComponent RemoteEntity RemoteGame attach",
        "description": "openapi",
        "settings": "RemoteSettings",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

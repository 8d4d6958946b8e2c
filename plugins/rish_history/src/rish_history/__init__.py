"""Time that runs both ways for Rish: recordings, replays, rewind and save games.

Every public name stands here; a module is imported when one of its names is first used::

    from rish_history import History, Saves, Timeless
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .blocks import RecordingError
    from .history import History
    from .origin import Origin, origin_of
    from .randomplayer import RandomPlayer
    from .recorder import Recorder
    from .recording import Recording, Segment, read_recording
    from .replay import Divergence, Player, open_recorded, verify
    from .saves import SaveError, SaveGame, Saves, read_save, save_bytes
    from .settings import Settings
    from .timeless import Timeless
    from .timeline import Timeline

_WHERE = {
    "blocks": "RecordingError",
    "history": "History",
    "origin": "Origin origin_of",
    "randomplayer": "RandomPlayer",
    "recorder": "Recorder",
    "recording": "Recording Segment read_recording",
    "replay": "Divergence Player open_recorded verify",
    "saves": "SaveError SaveGame Saves read_save save_bytes",
    "settings": "Settings",
    "timeless": "Timeless",
    "timeline": "Timeline",
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names.split()}

__all__ = sorted(_MODULE_OF)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """A public name, fetched from its module at first use."""
    module = _MODULE_OF.get(name)
    if module is None:
        from rish_core.errors import did_you_mean

        raise AttributeError(f"rish_history has no {name!r}{did_you_mean(name, __all__)}", name=name, obj=None)
    found = getattr(importlib.import_module(f".{module}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Every public name."""
    return __all__

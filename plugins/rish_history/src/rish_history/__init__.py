"""Time that runs both ways for Rish: recordings, replays, rewind and save games.

Every public name stands here; a module is imported when one of its names is first used::

    from rish_history import History, Saves, Timeless
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .blocks import RecordingError
    from .history import History
    from .origin import Origin, origin_of
    from .randomplayer import RandomPlayer
    from .recorder import Recorder
    from .recording import Recording, Segment, read_recording
    from .replay import Divergence, Player, open_recorded, verify
    from .saves import SaveError, SaveGame, Saves, read_save, save_bytes
    from .settings import HistorySettings
    from .timeless import Timeless
    from .timeline import Timeline

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "blocks": "RecordingError",
        "history": "History",
        "origin": "Origin origin_of",
        "randomplayer": "RandomPlayer",
        "recorder": "Recorder",
        "recording": "Recording Segment read_recording",
        "replay": "Divergence Player open_recorded verify",
        "saves": "SaveError SaveGame Saves read_save save_bytes",
        "settings": "HistorySettings",
        "timeless": "Timeless",
        "timeline": "Timeline",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

"""Recordings, replays, rewind and save games for Rish.

Every public name is available here; a module is imported when one of its names is first used::

    from rish_history import History, Saves, Timeless
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .recordings.blocks import REPLAY, RecordingError
    from .recordings.input_log import InputLog, LogEnd, delete_input_log, end_input_log
    from .recordings.origin import Origin, origin_of, origin_of_run
    from .recordings.random_player import RandomPlayer
    from .recordings.recorder import Recorder
    from .recordings.recording import Recording, Segment, read_recording
    from .recordings.writer import RecordingWriter
    from .replay.replay import Divergence, Player, check_same, open_recorded, verify
    from .saves.saves import MAX_STATE, SaveError, SaveGame, Saves
    from .settings import HistorySettings
    from .timeline.history import History
    from .timeline.timeless import Timeless
    from .timeline.timeline import Timeline

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "recordings.blocks": "REPLAY RecordingError",
        "timeline.history": "History",
        "recordings.input_log": "InputLog LogEnd delete_input_log end_input_log",
        "recordings.origin": "Origin origin_of origin_of_run",
        "recordings.random_player": "RandomPlayer",
        "recordings.recorder": "Recorder",
        "recordings.recording": "Recording Segment read_recording",
        "recordings.writer": "RecordingWriter",
        "replay.replay": "Divergence Player check_same open_recorded verify",
        "saves.saves": "MAX_STATE SaveError SaveGame Saves",
        "settings": "HistorySettings",
        "timeline.timeless": "Timeless",
        "timeline.timeline": "Timeline",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

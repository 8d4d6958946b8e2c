"""The commands that play, check and lock games, and functions for commands of other packages."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import run
    from .game_app import build_app
    from .game_file import OpenedGame, PackedGame, find_game, game_of, is_packed, look_into, unpack_game
    from .lock import LOCK_FILE, lock_text, locked_versions, write_lock
    from .log import LEVELS, TRACE, add_log_options, set_up_log
    from .options import (
        add_audio_option,
        add_game,
        add_plugin_options,
        add_trust,
        audio_overrides,
        split_names,
        whole_number,
    )
    from .progress import show_progress

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "game_app": "build_app",
        "game_file": "OpenedGame PackedGame find_game game_of is_packed look_into unpack_game",
        "lock": "LOCK_FILE lock_text locked_versions write_lock",
        "log": "LEVELS TRACE add_log_options set_up_log",
        "options": "add_audio_option add_game add_plugin_options add_trust audio_overrides split_names whole_number",
        "progress": "show_progress",
    },
    modules=("run",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

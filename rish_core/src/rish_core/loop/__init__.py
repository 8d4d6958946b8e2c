"""The game loop: schedule, clock, input, layers, profiler, and the host that shows a game."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .debugging import debugged
    from .events import NOTHING, PRESSABLE
    from .input import HAND
    from .keys import AXIS_NAMES, KEY_INDEX, KEY_NAMES, WRITING_KEYS, key_index
    from .order import BoundSystem
    from .profile import VERBS, FrameTimes
    from .schedule import Schedule

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "debugging": "debugged",
        "events": "NOTHING PRESSABLE",
        "input": "HAND",
        "keys": "AXIS_NAMES KEY_INDEX KEY_NAMES WRITING_KEYS key_index",
        "order": "BoundSystem",
        "profile": "FrameTimes VERBS",
        "schedule": "Schedule",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

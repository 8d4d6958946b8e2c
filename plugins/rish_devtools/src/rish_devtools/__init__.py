"""Tools for authors of games and plugins for Rish: a test kit, strict mode, a watchdog, the doctor, JSON Schema.

Every public name is available here; a module is imported when one of its names is first used.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import conformance, testing
    from .jsonschema import field_texts, json_schema
    from .kernel_lists.images import write_list_image
    from .new.games import new_game, new_script
    from .new.packages import new_backend, new_plugin
    from .profile import write_chrome_trace
    from .strict.errors import StrictError
    from .strict.watcher import Strict
    from .timings import Timing, Timings
    from .watchdog.reports import CallStopped, Report, WatchdogError
    from .watchdog.resource import Watchdog

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "jsonschema": "field_texts json_schema",
        "kernel_lists.images": "write_list_image",
        "new.games": "new_game new_script",
        "new.packages": "new_backend new_plugin",
        "profile": "write_chrome_trace",
        "strict.errors": "StrictError",
        "strict.watcher": "Strict",
        "timings": "Timing Timings",
        "watchdog.reports": "CallStopped Report WatchdogError",
        "watchdog.resource": "Watchdog",
    },
    modules=("conformance", "testing"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]

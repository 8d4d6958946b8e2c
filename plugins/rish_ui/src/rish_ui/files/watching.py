"""`FileWatch`: detects edited files of the game; it compares their time and size twice a second.

The plugin `scripts` watches files too, but a game may run without it, and it takes a YAML file that is saved while the
manifest has mistakes for a part of the manifest. A file that both detect is read twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rish_core import Assets
from rish_ecs import RishError

CHECK_INTERVAL = 30
"""The number of frames between two checks of the files."""


class FileWatch:
    """Times and sizes of files; `look` reloads those that have changed since its last call."""

    def __init__(self) -> None:
        self._stamps: dict[str, tuple[int, int]] = {}
        self._frames = -1

    def due(self) -> bool:
        """Return True at the first call and at each 30th one after it; call it once a frame."""
        self._frames += 1
        return self._frames % CHECK_INTERVAL == 0

    def look(self, assets: Assets, paths: Iterable[str]) -> None:
        """Reload the assets whose files have changed. A new path is only remembered."""
        for path in paths:
            stamp = _stamp(assets, path)
            if stamp is not None and self._stamps.setdefault(path, stamp) != stamp:
                self._stamps[path] = stamp
                assets.reload(path)


def _stamp(assets: Assets, path: str) -> tuple[int, int] | None:
    """Return time and size of a file; None while it is missing, as for a moment when an editor saves it."""
    try:
        status = Path(assets.resolve(path)).stat()
    except (RishError, OSError):
        return None
    return status.st_mtime_ns, status.st_size

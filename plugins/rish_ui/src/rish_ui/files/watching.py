"""`FileWatch`: notices that files of the game were edited, if no other plugin watches them.

Only the time and the size of a file are looked at. The plugin `scripts` watches all files of a game (`Assets.watched`);
then nothing is done here.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rish_core import Assets
from rish_ecs import RishError

EVERY = 30
"""The number of frames between two looks at the files."""


class FileWatch:
    """Times and sizes of files; `look` reloads those that have changed since the last look."""

    def __init__(self) -> None:
        self._stamps: dict[str, tuple[int, int]] = {}

    def look(self, assets: Assets, paths: Iterable[str]) -> list[str]:
        """Reload the assets whose files have changed, and return their paths. A new path is only remembered."""
        changed: list[str] = []
        for path in paths:
            stamp = _stamp(assets, path)
            if stamp is None:
                continue
            if self._stamps.setdefault(path, stamp) != stamp:
                self._stamps[path] = stamp
                assets.reload(path)
                changed.append(path)
        return changed


def _stamp(assets: Assets, path: str) -> tuple[int, int] | None:
    """Return time and size of a file; None while it is missing, as for a moment when an editor saves it."""
    try:
        status = Path(assets.resolve(path)).stat()
    except (RishError, OSError):
        return None
    return status.st_mtime_ns, status.st_size

"""FileStamps: finds files of assets that changed on disk, for plugins that reload shaders while a game runs.

Only the time and the size of a file are compared; no file is opened. If another plugin watches all files of the game
(`Assets.watched`), nothing is checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rish_core import Assets
from rish_ecs import RishError

CHECK_INTERVAL = 30
"""The number of frames between two checks."""


class FileStamps:
    """The time and size of each file at the last check."""

    def __init__(self) -> None:
        self._frames = 0
        self._stamps: dict[str, tuple[int, int]] = {}

    def reload(self, assets: Assets, paths: Iterable[str]) -> None:
        """Reload the assets whose files changed since the last check. Call it in each frame; it checks twice a
        second."""
        self._frames += 1
        if self._frames % CHECK_INTERVAL != 1 or assets.watched:
            return
        for path in set(paths):
            stamp = _stamp(assets, path)
            if stamp is not None and stamp != self._stamps.setdefault(path, stamp):
                self._stamps[path] = stamp
                assets.reload(path)


def _stamp(assets: Assets, path: str) -> tuple[int, int] | None:
    """Return time and size of a file; None while it is missing, as for a moment when an editor saves it."""
    try:
        status = Path(assets.resolve(path)).stat()
    except (RishError, OSError):
        return None
    return status.st_mtime_ns, status.st_size

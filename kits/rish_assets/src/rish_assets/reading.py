"""`AssetReader`: what a function that makes an object of a file reads with; it notes which files the object needs."""

from __future__ import annotations

import posixpath
from typing import Any

from rish_core import AssetError, Assets, canonical
from rish_ecs import Place


class AssetReader:
    """Reads the files that one object is made from; if one of them changes, the object is made again.

    path: that of the object, or another name of it. assets: those of the World; a file that is read by them directly
    must be noted. needs: the files that were read, and the folders that were listed, which end in `/`. logged: the
    errors that the kernel has logged.
    """

    def __init__(self, assets: Assets, path: str) -> None:
        self.assets, self.path = assets, path
        self.needs: set[str] = set()
        self.logged: list[AssetError] = []

    def __call__(self, path: str | None = None, place: Place | str | None = None) -> Any:
        """Return the content of a file as the loader of its suffix returns it.

        path: None for that of the object. place: the position at which the path is written, for messages. Raises
        AssetError if the file can't be read, also if its loader has a placeholder.
        """
        path = self.path if path is None else path
        key = self.note(path)
        content = self.assets.load(path, place)
        problem = self.assets.problems.get(key)
        if problem is not None:
            self.logged.append(problem)
            raise problem.with_traceback(None)
        return content

    def note(self, path: str) -> str:
        """Make the object again when a file changes. Return the normalized path, "" for one that no file can have."""
        key = key_of(path)
        self.needs.update([key] if key else ())
        return key

    def files(self, folder: str, *suffixes: str) -> list[str]:
        """Return the sorted paths of the files directly in a folder of the game with these suffixes (`.yaml`).

        The object is made again when files are added to the folder or removed from it.
        """
        folder = folder.strip("/")
        self.needs.add(f"{folder}/")
        return [path for path in self.assets.files(*suffixes) if posixpath.dirname(path) == folder]

    def has_read(self, path: str) -> bool:
        """Whether a file was read or noted."""
        return key_of(path) in self.needs


def key_of(path: str) -> str:
    """Return the normalized form of a path; "" for one that no file can have."""
    try:
        return canonical(path)
    except AssetError:
        return ""

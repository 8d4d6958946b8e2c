"""The files of a game: folders are read when they are shown, and again when they have changed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

PAUSE = 1.0
"""Seconds until a folder is read again."""
MAX_MATCHES = 2000
"""The greatest number of files that a search lists."""
_KINDS = {
    "image": (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tga"),
    "sound": (".wav", ".ogg", ".mp3", ".flac"),
    "tilemap": (".tmx", ".tmj", ".tsx", ".map.yaml"),
    "emitter": (".particles.yaml",),
    "animation": (".anim.yaml",),
    "script": (".py",),
    "text": (".ttf", ".otf", ".ttc"),
    "settings": (".yaml", ".yml", ".json", ".toml"),
}
_HIDDEN = ("__pycache__",)


class Item(NamedTuple):
    """A file or folder. path: relative to the game, as manifests write it. kind: the name of its icon."""

    path: str
    name: str
    kind: str

    @property
    def folder(self) -> bool:
        """Whether it is a folder."""
        return self.kind == "folder"


def kind_of_file(name: str) -> str:
    """Return the kind of a file by its name: the name of an icon."""
    lower = name.lower()
    return next((kind for kind, ends in _KINDS.items() if lower.endswith(ends)), "file")


class Files:
    """The files below a folder. root: of the game."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: dict[str, tuple[float, int, list[Item]]] = {}
        self._found: tuple[str, float, list[Item]] = ("", 0.0, [])

    def items(self, folder: str = "") -> list[Item]:
        """Return the content of a folder, folders first; it is empty if the folder can't be read."""
        now = time.monotonic()
        entry = self._folders.get(folder)
        if entry is not None and now - entry[0] < PAUSE:
            return entry[2]
        stamp = self._stamp(folder)
        if entry is None or stamp != entry[1]:
            entry = now, stamp, self._read(folder)
        self._folders[folder] = now, stamp, entry[2]
        return entry[2]

    def forget(self) -> None:
        """Read all folders again, after the editor has changed files."""
        self._folders.clear()
        self._found = "", 0.0, []

    def find(self, word: str) -> list[Item]:
        """Return the files in all folders whose path contains a word; upper and lower case are equal."""
        now = time.monotonic()
        if self._found[0] == word and now - self._found[1] < PAUSE:
            return self._found[2]
        items: list[Item] = []
        waiting = [""]
        while waiting and len(items) < MAX_MATCHES:
            for item in self.items(waiting.pop(0)):
                if item.folder:
                    waiting.append(item.path)
                elif word.lower() in item.path.lower():
                    items.append(item)
        self._found = word, now, items
        return items

    def _stamp(self, folder: str) -> int:
        try:
            return (self.root / folder).stat().st_mtime_ns
        except OSError:
            return 0

    def _read(self, folder: str) -> list[Item]:
        items: list[Item] = []
        try:
            with os.scandir(self.root / folder) as entries:
                for entry in entries:
                    if entry.name.startswith(".") or entry.name in _HIDDEN:
                        continue
                    inside = entry.is_dir(follow_symlinks=False)
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    items.append(Item(path, entry.name, "folder" if inside else kind_of_file(entry.name)))
        except OSError:
            return []
        return sorted(items, key=lambda item: (not item.folder, item.name.lower()))

"""Thumbnails: pictures of the game's files as textures for panels.

A picture is read in the frame after the one in which a panel asks for it, a few each frame, and kept until the budget
is used up. Textures are made and freed between two frames, never while one is drawn.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import Assets, RishError
from rish_frame.pictures import check_image

from ...ui.textures import free_texture, make_texture

BUDGET = 64 * 2**20
"""The greatest size of all textures, bytes."""
MAX_SIZE = 1024
"""The greatest width and height of a texture, pixels; larger pictures are made smaller."""
_ENLARGED_SIZE, _MAX_ENLARGEMENT = 512, 8
"""Small pictures are stored enlarged, so that their pixels stay sharp: the size in pixels that they get, and the
greatest factor."""
SLICE = 0.004
"""Seconds of a frame that reading may take."""
_CHECK_SECONDS = 1.0
"""Seconds until a file is checked for changes again."""
SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tga")


@dataclass
class Thumbnail:
    """A picture of a file as a texture. texture: None if the file could not be read. size: of the file's picture.
    stamp: of the file."""

    texture: int | None
    size: tuple[int, int]
    nbytes: int
    stamp: float
    checked: float
    used: int = 0


class Thumbnails:
    """The pictures of one window.

    window: the editor's pyglet window. assets: returns the files of the opened game, None without one. changes: how
    many pictures were read or removed.
    """

    def __init__(self, window: Any, assets: Callable[[], Assets | None], *, budget: int = BUDGET) -> None:
        self.changes = 0
        self._window = window
        self._find = assets
        self._assets: Assets | None = None
        self._budget = budget
        self._known: dict[str, Thumbnail] = {}
        self._wanted: dict[str, None] = {}
        self._freed: list[int] = []
        self._frame = 0

    def get(self, path: str) -> tuple[int, tuple[int, int]] | None:
        """Return the number of the texture and the size of the picture in pixels; None until it is read.

        path: of a file of the game, as in manifests. Files that can't be read give None, too.
        """
        if not path.lower().endswith(SUFFIXES):
            return None
        assets = self._find()
        if assets is not self._assets:
            self.clear()
            self._assets = assets
        if assets is None:
            return None
        thumbnail = self._known.get(path)
        if thumbnail is None:
            self._wanted[path] = None
            return None
        thumbnail.used = self._frame
        if time.monotonic() - thumbnail.checked > _CHECK_SECONDS:
            thumbnail.checked = time.monotonic()
            if _stamp(assets, path) != thumbnail.stamp:
                self._wanted[path] = None
        return (thumbnail.texture, thumbnail.size) if thumbnail.texture is not None else None

    def step(self) -> None:
        """Free textures that are no longer used, and read the requested pictures; called between two frames."""
        self._frame += 1
        if self._freed:
            self._window.switch_to()
            for texture in self._freed:
                free_texture(texture)
            self._freed.clear()
        end = time.monotonic() + SLICE
        while self._wanted and self._assets is not None:
            path = next(iter(self._wanted))
            del self._wanted[path]
            before = self._known.pop(path, None)
            if before is not None and before.texture is not None:
                self._freed.append(before.texture)
            self._known[path] = self._read(self._assets, path)
            self.changes += 1
            if time.monotonic() > end:
                break
        self._make_room()

    def _read(self, assets: Assets, path: str) -> Thumbnail:
        from PIL import Image, UnidentifiedImageError

        now, stamp = time.monotonic(), _stamp(assets, path)
        try:
            file = assets.resolve(path)
            check_image(file)
            with Image.open(file) as picture:
                size = picture.size
                small = picture.convert("RGBA")
                small.thumbnail((MAX_SIZE, MAX_SIZE))
                times = min(
                    max(_ENLARGED_SIZE // max(size), 1), _MAX_ENLARGEMENT
                )  # Dear ImGui draws all pictures smoothly
                if times > 1:
                    small = small.resize((size[0] * times, size[1] * times), Image.Resampling.NEAREST)
        except (OSError, ValueError, RishError, UnidentifiedImageError):
            return Thumbnail(None, (0, 0), 0, stamp, now, self._frame)
        self._window.switch_to()
        pixels = np.asarray(small)
        return Thumbnail(make_texture(pixels), size, pixels.nbytes, stamp, now, self._frame)

    def _make_room(self) -> None:
        """Free the textures that were not shown for the longest time, until their size is within the budget."""
        total = sum(one.nbytes for one in self._known.values())
        if total <= self._budget:
            return
        for key, one in sorted(self._known.items(), key=lambda item: item[1].used):
            if total <= self._budget or one.used >= self._frame - 1:
                return
            total -= one.nbytes
            del self._known[key]
            self.changes += 1
            if one.texture is not None:
                self._freed.append(one.texture)

    @property
    def nbytes(self) -> int:
        """The size of all textures, bytes."""
        return sum(one.nbytes for one in self._known.values())

    def clear(self) -> None:
        """Forget all pictures."""
        self._freed += [one.texture for one in self._known.values() if one.texture is not None]
        self._known.clear()
        self._wanted.clear()


def _stamp(assets: Assets, path: str) -> float:
    """Return the time of the last change of a file, 0 for one that is missing."""
    try:
        return Path(assets.resolve(path)).stat().st_mtime
    except (OSError, RishError):
        return 0.0

"""Pictures: from the image assets of sprites to frames of the atlas.

A sprite names an image by number (its path, interned) and a region. `Pictures` loads each image once, through the
kernel's assets, puts it into the atlas and cuts regions from it; a missing image becomes the checkerboard that the
assets give, reported once. Everything here can be made again from the World, so the resource is derived.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core.assets import Assets
from rish_core.ecs.resource import resource
from rish_core.errors import RishError
from rish_core.images import checkerboard

from .atlas import Atlas, premultiply
from .components import Settings

if TYPE_CHECKING:
    from rish_core.ecs.world import World

Array = npt.NDArray[Any]
Region = tuple[int, int, int, int]

_log = logging.getLogger("rish.render")
FLIPS = 4
"""Frames of a picture: as it is, mirrored in x, in y, in both."""


@dataclass
class Picture:
    """One image in the atlas: its first frame, its size in texels, and the frames cut from it by region."""

    frame: int
    size: tuple[int, int]
    regions: dict[Region, int] = dataclass_field(default_factory=dict[Region, int])


@resource(derived=True)
class Pictures:
    """The atlas of this world, and which image is where.

    atlas: also holds the glyphs of texts. by_path: the images by path. seen: what `frames_of` found last, by asker.
    version: rises whenever an image changes.
    """

    atlas: Atlas = dataclass_field(default_factory=Atlas)
    by_path: dict[str, Picture] = dataclass_field(default_factory=dict[str, Picture])
    seen: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    targets: dict[tuple[int, int], int] = dataclass_field(default_factory=dict[tuple[int, int], int])
    watched: int = 0
    version: int = 0

    def rebuild(self, world: World) -> None:
        """After a restore numbers may mean other paths; what is known by path is still right."""
        self.seen.clear()
        if Settings in world and not self.by_path:
            self.atlas.page_size = int(world[Settings].page_size)

    def picture(self, world: World, path: str) -> Picture:
        """The picture of an image asset, loaded at the first call; an empty path is a white texel."""
        found = self.by_path.get(path)
        if found is None:
            self._watch(world)
            pixels = _load(world, path) if path else np.full((1, 1, 4), 255, np.uint8)
            frame = self.atlas.put(pixels, flips=True)
            found = self.by_path[path] = Picture(frame, (pixels.shape[1], pixels.shape[0]))
        return found

    def frame_of(self, world: World, path: str, region: Region = (0, 0, 0, 0)) -> tuple[int, int, int]:
        """The first of the four frames of a region (x y w h, texels; w 0: all of it), and its width and height."""
        picture = self.picture(world, path)
        x, y, w, h = region
        if w <= 0 or h <= 0:
            return picture.frame, *picture.size
        frame = picture.regions.get(region)
        if frame is None:
            page, (px, py, pw, ph) = self.atlas.place_of(picture.frame)
            x0, y0 = min(max(x, 0), pw - 1), min(max(y, 0), ph - 1)
            w, h = min(w, pw - x0), min(h, ph - y0)
            frame = picture.regions[region] = self.atlas.cut(page, (px + x0, py + y0, w, h), flips=True)
        return frame, w, h

    def whole(self, size: tuple[int, int]) -> int:
        """The frame that means all of a target's picture of a size, for batches whose texture is a target."""
        frame = self.targets.get(size)
        if frame is None:
            frame = self.targets[size] = self.atlas.cut(0, (0, 0, *size), flips=True)
        return frame

    def frames_of(self, world: World, images: Array, regions: Array, asker: str = "") -> tuple[Array, Array]:
        """For n sprites: the first frame of each, int64 n, and its size in texels, float32 (n, 2).

        images: int32 n. regions: float32 (n, 4). What did not change since the asker's last call is not looked up.
        """
        known = self.seen.get(asker)
        if known is not None and np.array_equal(known[0], images) and np.array_equal(known[1], regions):
            return known[2], known[3]
        frames, sizes = np.zeros(len(images), np.int64), np.zeros((len(images), 2), np.float32)
        keys = np.column_stack([images, regions.astype(np.int32)])
        if len(keys):
            unique, inverse = np.unique(keys, axis=0, return_inverse=True)
            rows = [self.frame_of(world, world.text(int(row[0])), _region(row)) for row in unique]
            found = np.array(rows, np.int64)[inverse.reshape(-1)]
            frames, sizes = found[:, 0], found[:, 1:].astype(np.float32)
        self.seen[asker] = (images.copy(), regions.copy(), frames, sizes)
        return frames, sizes

    def reload(self, world: World, path: str) -> None:
        """Show an image as it is on disk now."""
        picture = self.by_path.get(path)
        if picture is None:
            return
        self.version += 1
        pixels = _load(world, path)
        if not self.atlas.replace(picture.frame, pixels):
            del self.by_path[path]
            self.seen.clear()

    def _watch(self, world: World) -> None:
        """Follow the reloads of the world's assets."""
        if Assets in world and self.watched != id(world[Assets]):
            self.watched = id(world[Assets])
            world[Assets].on_reload(lambda path: self.reload(world, path))


def _region(row: Array) -> Region:
    x, y, w, h = (int(value) for value in row[1:])
    return x, y, w, h


def _load(world: World, path: str) -> npt.NDArray[np.uint8]:
    """An image's texels, premultiplied; the checkerboard, and one line in the log, where it can't be loaded."""
    if Assets not in world:
        _log.error("%s can't be shown: this world has no assets", path)
        return checkerboard()
    try:
        pixels = world[Assets].load(path)
        if not isinstance(pixels, np.ndarray) or pixels.ndim != 3 or pixels.shape[2] != 4:
            _log.error("%s is no image, it loads as %s", path, type(pixels).__name__)
            return checkerboard()
    except RishError as error:
        _log.error("%s", error)
        return checkerboard()
    return premultiply(pixels)

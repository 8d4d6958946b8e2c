"""Maps tiles to frames of the atlas, and animated tiles to the tile that they currently show.

Only tiles that are used are looked up, once each; their images are loaded at that time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Inputs
from rish_jit import Array

from ...materials.material_images import Pictures, without_color
from ...tiles.model import GameMap

if TYPE_CHECKING:
    from rish_ecs import World


class TileFrames:
    """The frames of one map's tiles.

    frame: int64 n, the first of a tile's four frames, -1 if it has no image or was not looked up. shown: int64 n, the
    tile that is shown instead of each tile; itself unless it is animated. phase: rises when `shown` changes. version:
    rises when known frames change.
    """

    def __init__(self, map_: GameMap) -> None:
        self.map = map_
        self.frame = np.full(len(map_.tiles), -1, np.int64)
        self.known = np.zeros(len(map_.tiles), np.bool_)
        self.shown = np.arange(len(map_.tiles))
        self.animated = np.zeros(len(map_.tiles), np.bool_)
        self.animated[list(map_.tiles.animations)] = True
        self.since, self.until = 0.0, -1.0
        self.phase = self.version = 0
        self._images = Inputs((Pictures,))

    def tick(self, time: float) -> None:
        """Set the animated tiles to their state at a time, seconds."""
        if not self.map.tiles.animations or self.since <= time < self.until:
            return
        self.since, self.until = time, np.inf
        before = self.shown.copy()
        for number, animation in self.map.tiles.animations.items():
            self.shown[number], end = animation.at(time)
            self.until = min(self.until, end)
        self.phase += not np.array_equal(before, self.shown)

    def look_up(self, world: World, pictures: Pictures, numbers: Array) -> None:
        """Look up the frames of some tiles and of the tiles in their animations, if they are not known yet."""
        self.refresh(world, pictures)
        self._find(world, pictures, numbers[~self.known[numbers]])

    def refresh(self, world: World, pictures: Pictures) -> None:
        """Look up all known frames again if images have changed."""
        if self._images.changed(world):
            before = self.frame.copy()
            again = np.flatnonzero(self.known)
            self.known[:] = False
            self._find(world, pictures, again)
            self.version += not np.array_equal(before, self.frame)

    def _find(self, world: World, pictures: Pictures, numbers: Array) -> None:
        tiles = self.map.tiles
        for number in numbers.tolist():
            if self.known[number]:
                continue
            self.known[number] = True
            image = int(tiles.image[number])
            if image >= 0:
                self.frame[number] = self._frame(world, pictures, image, tiles.region[number])
            if number in tiles.animations:
                self._find(world, pictures, tiles.animations[number].frames)

    def _frame(self, world: World, pictures: Pictures, image: int, region: Array) -> int:
        x, y, w, h = region.tolist()
        path = self.map.tiles.images[image]
        if image in self.map.tiles.clear:
            path = without_color(path, self.map.tiles.clear[image])
        return pictures.frame_of(world, path, (x, y, w, h))[0]


def frames_of(cache: dict[Any, Any], map_: GameMap) -> TileFrames:
    """Return the frames of a board's map, stored in `Board.cache`. cache: that dict."""
    frames = cache.get("frames")
    if frames is None:
        frames = cache["frames"] = TileFrames(map_)
    return frames

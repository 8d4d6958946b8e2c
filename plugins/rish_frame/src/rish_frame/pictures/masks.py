"""ImageMask: the opacity of images, for collisions with them and particles emitted from them.

Pixel-exact hits, colliders traced around an image and particles emitted on its silhouette need the opacity of its
pixels. The mask is read from the file and not from a texture, so a server without graphics gets the same result.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rish_core import Assets
from rish_ecs import UsageError, resource

if TYPE_CHECKING:
    from rish_ecs import World

Mask = npt.NDArray[np.uint8]
"""(height, width) bytes of opacity, from 0 (clear) to 255 (solid), top row first."""


@resource(derived=True)
class ImageMask:
    """The opacity of images by asset: `world[ImageMask].of(asset)`.

    limit: the largest number of bytes of masks that are kept; beyond it, the least recently used masks are removed
    and decoded again when needed. version: increases when an image may have
    changed.
    """

    limit: int = 64 * 2**20
    kept: OrderedDict[str, Mask] = field(default_factory=OrderedDict[str, Mask])
    world: World | None = None
    version: int = 0

    def rebuild(self, world: World) -> None:
        """Use the asset numbers and files of this world from now on, and remove all masks."""
        self.kept.clear()
        self.version += 1
        if self.world is not world:
            self.world = world
            world[Assets].on_reload(self._forget)

    def of(self, asset: int | str) -> Mask:
        """Return the mask of an image, by the number in an `Asset` column or by path. Do not write to it.

        An image that is missing or damaged has the mask of its placeholder, a solid square.
        """
        if self.world is None:
            raise UsageError("this ImageMask belongs to no world yet", hint="Call its rebuild(world) once")
        path = asset if isinstance(asset, str) else self.world.text(int(asset))
        if path in self.kept:
            self.kept.move_to_end(path)
            return self.kept[path]
        pixels = self.world[Assets].load(path)
        if getattr(pixels, "ndim", 0) != 3 or pixels.shape[2] != 4:
            raise UsageError(f"{path!r} is not an image, so it has no mask")
        mask: Mask = np.ascontiguousarray(pixels[:, :, 3])
        self.kept[path] = mask
        self._shrink()
        return mask

    def _shrink(self) -> None:
        size = sum(mask.nbytes for mask in self.kept.values())
        while size > self.limit and len(self.kept) > 1:
            size -= self.kept.popitem(last=False)[1].nbytes

    def _forget(self, path: str) -> None:
        self.kept.pop(path, None)
        self.version += 1

"""ImageMask: the opacity of images, for collisions with them and particles emitted from them.

Pixel-exact hits, colliders traced around an image and particles emitted on its silhouette need the opacity of its
pixels. The mask is read from the file and not from a texture, so a server without graphics gets the same result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rish_assets import AssetLibrary, AssetReader
from rish_ecs import UsageError, resource

from .images import checkerboard

if TYPE_CHECKING:
    from rish_ecs import World

Mask = npt.NDArray[np.uint8]
"""(height, width) bytes of opacity, from 0 (clear) to 255 (solid), top row first."""


@resource(derived=True)
class ImageMask(AssetLibrary["Mask | None"]):
    """The opacity of images by asset: `world[ImageMask].of(asset)`.

    limit: the largest number of bytes of masks that are kept; beyond it, the least recently used masks are removed
    and decoded again when needed. version: rises when a mask changes.
    """

    def __init__(self) -> None:
        super().__init__("mask", _read, placeholder=_solid, log="rish.frame", size=_bytes_of, limit=64 * 2**20)
        self._world: World | None = None

    def rebuild(self, world: World) -> None:
        """Use the asset numbers and files of this world from now on."""
        self._world = world

    def of(self, asset: int | str) -> Mask:
        """Return the mask of an image, by the number in an `Asset` column or by path. Do not write to it.

        An image that is missing or damaged has the mask of its placeholder, a solid square. Raises UsageError for a
        file of another kind.
        """
        if self._world is None:
            raise UsageError("this ImageMask belongs to no world yet", hint="Call its rebuild(world) once")
        mask = self.get(self._world, asset)
        if mask is None:
            path = asset if isinstance(asset, str) else self._world.text(int(asset))
            raise UsageError(f"{path!r} is not an image, so it has no mask")
        return mask


def _read(path: str, read: AssetReader) -> Mask | None:
    """Return the opacity of an image; None for a file of another kind."""
    pixels = read()
    is_image = getattr(pixels, "ndim", 0) == 3 and pixels.shape[2] == 4
    return np.ascontiguousarray(pixels[:, :, 3]) if is_image else None


def _solid() -> Mask:
    return np.ascontiguousarray(checkerboard()[:, :, 3])


def _bytes_of(mask: Mask | None) -> int:
    return 0 if mask is None else mask.nbytes

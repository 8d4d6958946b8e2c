"""Cookies: the images of textured lights, all resized to one size, so that one draw call can use all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_assets import AssetLibrary, AssetReader
from rish_core import resource
from rish_frame.pictures import checkerboard
from rish_jit import Array

from .kinds import COOKIE

if TYPE_CHECKING:
    from rish_core import World

_WHITE = np.full((COOKIE, COOKIE, 4), 255, np.uint8)


@resource(derived=True)
class Cookies(AssetLibrary[Array]):
    """The cookies of images by path, uint8 (COOKIE, COOKIE, 4), straight, the top row first."""

    def __init__(self) -> None:
        super().__init__("cookie", _read, placeholder=_missing, log="rish.lighting", on_change=self._forget_stacks)
        self._stacks: dict[tuple[str, ...], Array] = {}

    def stacked(self, world: World, images: list[str]) -> Array:
        """Return the cookies of k images, uint8 (k, COOKIE, COOKIE, 4); the same array for the same images.

        An empty path is a white cookie. An image that is missing or damaged is replaced by its placeholder.
        """
        names = tuple(images)
        if names not in self._stacks:
            cookies = [self.get(world, name) if name else _WHITE for name in names]
            empty = np.zeros((0, COOKIE, COOKIE, 4), np.uint8)
            self._stacks = {names: np.stack(cookies) if cookies else empty}
        return self._stacks[names]

    def _forget_stacks(self, path: str) -> None:
        self._stacks = {}


def _read(path: str, read: AssetReader) -> Array:
    pixels = read()
    return resized(pixels) if getattr(pixels, "ndim", 0) == 3 and pixels.shape[2] == 4 else _WHITE


def _missing() -> Array:
    return resized(checkerboard())


def resized(pixels: Array) -> Array:
    """Resize an image, uint8 (h, w, 4), to the size of cookies, by averaging or interpolation."""
    return _along(_along(pixels.astype(np.float32), 0), 1).round().astype(np.uint8)


def _along(pixels: Array, axis: int) -> Array:
    size = pixels.shape[axis]
    if size > COOKIE:
        total = np.insert(np.cumsum(pixels, axis=axis, dtype=np.float64), 0, 0, axis=axis)
        borders = np.arange(COOKIE + 1) * size / COOKIE
        low = np.minimum(borders.astype(np.int64), size - 1)
        share = (borders - low).reshape([-1 if k == axis else 1 for k in range(3)])
        at = np.take(total, low, axis=axis) * (1 - share) + np.take(total, low + 1, axis=axis) * share
        return np.diff(at, axis=axis) * COOKIE / size
    place = (np.arange(COOKIE) + 0.5) * size / COOKIE - 0.5
    low = np.clip(np.floor(place).astype(np.int64), 0, size - 1)
    high = np.minimum(low + 1, size - 1)
    share = np.clip(place - low, 0, 1).reshape([-1 if k == axis else 1 for k in range(3)])
    return np.take(pixels, low, axis=axis) * (1 - share) + np.take(pixels, high, axis=axis) * share

"""Cookies: the images of textured lights, all resized to one size, so that one draw call can use all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Assets
from rish_jit import Array

from .kinds import COOKIE

if TYPE_CHECKING:
    from rish_core import World


def cookies_of(world: World, images: list[str], cache: dict[str, Any]) -> Array:
    """Return the cookies of image assets, uint8 (k, COOKIE, COOKIE, 4), straight, the top row first.

    cache: a cache of each cookie by path, and of all of them together. An image that is missing or damaged is replaced
    by its placeholder; the assets report it, with the file that names it.
    """
    names = tuple(images)
    if cache.get("") is None or cache[""][0] != names:
        cookies = [_cookie(world, image, cache) for image in images]
        cache[""] = (names, np.stack(cookies) if cookies else np.zeros((0, COOKIE, COOKIE, 4), np.uint8))
    return cache[""][1]


def _cookie(world: World, image: str, cache: dict[str, Any]) -> Array:
    if image not in cache:
        pixels: Any = world[Assets].load(image) if image else None
        fine = getattr(pixels, "ndim", 0) == 3 and pixels.shape[2] == 4
        cache[image] = resized(pixels) if fine else np.full((COOKIE, COOKIE, 4), 255, np.uint8)
    return cache[image]


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

"""Pictures in arrays of one size each, with their mip levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import layout as at
from .model_library import Library, PageArray

Bytes = npt.NDArray[np.uint8]


def put_picture(library: Library, pixels: Bytes, *, encoded: bool, largest: int = 1024) -> int:
    """Add a picture to the library and return its number, see `layout.page_number`.

    pixels: uint8 (h, w, 4), straight, top row first. encoded: its colors are sRGB. largest: of its side; the picture
    is scaled to the next square with a power of two as its side.
    """
    levels = mip_levels(squared(pixels, largest))
    side = len(levels[0])
    index = next((k for k, page in enumerate(library.pages) if page.side == side), len(library.pages))
    if index == len(library.pages):
        empty = [np.zeros((0, *level.shape), np.uint8) for level in levels]
        library.pages.append(PageArray(side, empty, np.zeros(0, np.bool_)))
    page = library.pages[index]
    layer = len(page.encoded)
    page.levels = [_grown(old, new) for old, new in zip(page.levels, levels, strict=True)]
    page.encoded = np.append(page.encoded, encoded)
    page.version += 1
    library.touch()
    return at.page_number(index, layer)


def replace_picture(library: Library, number: int, pixels: Bytes, largest: int = 1024) -> bool:
    """Replace a picture by another one; return False if the new one needs an array of another size."""
    page, layer = library.pages[number // at.PAGES], number % at.PAGES
    levels = mip_levels(squared(pixels, largest))
    if len(levels[0]) != page.side:
        return False
    for old, new in zip(page.levels, levels, strict=True):
        old[layer] = new
    page.version += 1
    library.touch()
    return True


def keep_pictures(library: Library, numbers: set[int]) -> dict[int, int]:
    """Remove all pictures from the library except those with these numbers; return their new numbers by the old
    ones."""
    new_numbers: dict[int, int] = {}
    pages: list[PageArray] = []
    for size, page in enumerate(library.pages):
        layers = [layer for layer in range(len(page.encoded)) if at.page_number(size, layer) in numbers]
        if not layers:
            continue
        if len(layers) < len(page.encoded):
            page = PageArray(page.side, [level[layers] for level in page.levels], page.encoded[layers])
        new_numbers |= {at.page_number(size, layer): at.page_number(len(pages), k) for k, layer in enumerate(layers)}
        pages.append(page)
    library.pages[:] = pages
    library.touch()
    return new_numbers


def squared(pixels: Bytes, largest: int) -> Bytes:
    """Return a picture scaled to a square whose side is a power of two, at most `largest` rounded down to one."""
    high, wide = pixels.shape[:2]
    max_side = 1 << (max(largest, 1).bit_length() - 1)
    side = min(1 << max(max(high, wide) - 1, 0).bit_length(), max_side)
    if (high, wide) == (side, side):
        return np.ascontiguousarray(pixels)
    from PIL import Image

    method = Image.Resampling.BOX if side < max(high, wide) else Image.Resampling.BILINEAR
    return np.asarray(Image.fromarray(np.ascontiguousarray(pixels)).resize((side, side), method), np.uint8)


def mip_levels(pixels: Bytes) -> list[Bytes]:
    """Return a square picture and its smaller levels, each the means of 2 times 2 values, rounded half up."""
    levels = [pixels]
    while len(levels[-1]) > 1:
        wide: Any = levels[-1].astype(np.uint16)
        total = wide[::2, ::2] + wide[1::2, ::2] + wide[::2, 1::2] + wide[1::2, 1::2]
        levels.append(((total + 2) >> 2).astype(np.uint8))
    return levels


def _grown(old: Bytes, new: Bytes) -> Bytes:
    """Return the pictures with one more; spare room behind the array is used before a larger array is allocated."""
    count, base = len(old), old.base
    if not isinstance(base, np.ndarray) or len(base) <= count or base.shape[1:] != new.shape:
        base = np.empty((count + count // 2 + 1, *new.shape), np.uint8)
        base[:count] = old
    base[count] = new
    return base[: count + 1]

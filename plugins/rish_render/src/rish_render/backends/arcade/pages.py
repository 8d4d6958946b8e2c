"""Pages: the images that sprites are cut from, in one texture array, and the frame tables as textures.

With one array for all pages of all sizes, a batch is drawn in one call. The layers of the array are as large as the
largest page; smaller pages are packed side by side on a layer. A frame table becomes a texture with two texels per row.
The first is the rectangle in texels of its layer. The second is the layer (below 0: the frame is missing) and a factor
for alpha (0: the frame adds light).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_frame import BackendError
from rish_frame.frame import ADDITIVE
from rish_jit import Array

from ...materials.atlas import Skyline
from ..shared import check_page
from .device import Device

FRAMES_A_ROW = 256
_MIN_SIDE = 256


class Place(NamedTuple):
    """The place of a page in the array: its layer, the texel of its top left corner there, and its size."""

    layer: int
    x: int
    y: int
    width: int
    height: int


class Pages:
    """The pages of a backend, and the frame tables cut from them.

    layout: rises whenever a page moves. written: rises then, and whenever a table is written again.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self.places: dict[int, Place] = {}
        self.layout = self.written = 0
        self._size = (0, 0, 0)
        self._skylines: list[Skyline] = []
        self._texture: Any = None
        self._tables: dict[str, tuple[Any, Any]] = {}

    @property
    def texture(self) -> Any:
        """The texture array; an empty one of 1x1 texels while there are no pages."""
        if self._texture is None:
            self._allocate((1, 1, 1))
        return self._texture

    def put(self, page: int, pixels: npt.NDArray[np.uint8], dirty: tuple[int, int, int, int] | None = None) -> int:
        """Store a page, uint8 (h, w, 4) premultiplied, or the changed part of it; returns the bytes uploaded."""
        check_page(page, pixels)
        height, width = pixels.shape[:2]
        if max(width, height) > self._device.limit:
            raise BackendError(
                f"page {page} of {width}x{height} texels is too large for this graphics card",
                hint=f"The greatest side is {self._device.limit} texels",
            )
        place = self.places.get(page)
        if place is None or place[3:] != (width, height):
            self.reserve({page: (width, height)})
            place, dirty = self.places[page], None
        if not pixels.size:
            return 0
        x, y, w, h = dirty or (0, 0, width, height)
        part = pixels[y : y + h, x : x + w]
        return self._device.write_layer(self.texture, place.layer, place.x + x, place.y + y, part)

    def reserve(self, sizes: Mapping[int, tuple[int, int]]) -> None:
        """Find room for pages of these sizes, whose texels `put` stores; the array is enlarged once at most."""
        for page in sizes:
            self.drop(page)
        self._move()
        for page, size in sizes.items():
            place = self._find(*size)
            if place is None:
                self._grow({page: size for page, size in sizes.items() if page not in self.places})
                return
            self.places[page] = place

    def drop(self, page: int) -> None:
        """Remove a page. Its room is used again when the layers are next laid out."""
        if self.places.pop(page, None) is not None:
            self._move()

    def table(self, rows: Array, version: int, name: str = "", size: tuple[int, int] | None = None) -> Any:
        """Return the texture of a frame's table, or of its channel with this name; cached until something changes.

        size: of the target that the rectangles are cut from; None for the pages.
        """
        name = name if size is None else f"{size[0]}x{size[1]}"
        key = (id(rows), version, self.layout if size is None else size)
        entry = self._tables.get(name)
        if entry is not None and entry[0] == key:
            return entry[1]
        texels = self._cut(rows, size)
        texture = entry[1] if entry is not None else None
        form = (texels.shape[1], texels.shape[0])
        if texture is None or texture.size != form:
            nearest = (self._device.ctx.NEAREST, self._device.ctx.NEAREST)
            texture = self._device.ctx.texture(form, components=4, dtype="f4", filter=nearest)
        self._device.write_texture(texture, texels)
        self._tables[name] = (key, texture)
        self.written += 1
        return texture

    def _cut(self, rows: Array, size: tuple[int, int] | None) -> Array:
        """Return a table as texels, float32 (lines, 2·FRAMES_A_ROW, 4), its rectangles clipped to their pages."""
        count = len(rows)
        lines = 1 << max(0, -(-count // FRAMES_A_ROW) - 1).bit_length()
        texels = np.zeros((lines * FRAMES_A_ROW, 2, 4), np.float32)
        texels[:, 1, 0] = -1.0
        places: Array = np.full((count, 5), -1.0)
        if size is not None:
            places[:] = (0, 0, 0, *size)
        else:
            for page, place in self.places.items():
                places[rows[:, 0] == page] = place
        layer, x, y, width, height = places.T
        inside = np.clip(rows[:, 1:5], 0, np.maximum(np.stack([width, height, width, height], axis=1), 0))
        there = (np.abs(inside[:, 2] - inside[:, 0]) >= 1) & (np.abs(inside[:, 3] - inside[:, 1]) >= 1)
        texels[:count, 0] = inside + np.stack([x, y, x, y], axis=1)
        texels[:count, 1, 0] = np.where(there, layer, -1)
        texels[:count, 1, 1] = (rows[:, 5].astype(np.int64) & ADDITIVE) == 0
        return texels.reshape(lines, 2 * FRAMES_A_ROW, 4)

    # Layers

    def _move(self) -> None:
        self.layout += 1
        self.written += 1

    def _find(self, width: int, height: int) -> Place | None:
        wide, high, layers = self._size
        if width > wide or height > high:
            return None
        for layer in range(layers):
            if layer == len(self._skylines):
                self._skylines.append(Skyline(wide, high))
            spot = self._skylines[layer].place(width, height)
            if spot is not None:
                return Place(layer, *spot, width, height)
        return None

    def _grow(self, sizes: Mapping[int, tuple[int, int]]) -> None:
        """Lay out all pages again together with new ones, on larger layers or on more of them."""
        old, places = self._texture, dict(self.places)
        texels = self._device.read_layers(old, self._size) if places else None
        wide, high, layers = self._size
        larger = (
            max(wide, *(_power(width) for width, _ in sizes.values())),
            max(high, *(_power(height) for _, height in sizes.values())),
        )
        self.places |= {page: Place(0, 0, 0, *size) for page, size in sizes.items()}
        taken = sum(place.width * place.height for place in self.places.values())
        sparse = 2 * taken <= wide * high * layers  # removed pages have left room
        more = 1 if larger != (wide, high) else layers if sparse else 2 * layers
        while not self._lay_out((*larger, more)):
            more *= 2
        self._allocate((*larger, more))
        for moved, place in places.items():
            if texels is not None and place.width and place.height:
                part = texels[place.layer, place.y : place.y + place.height, place.x : place.x + place.width]
                to = self.places[moved]
                self._device.write_layer(self._texture, to.layer, to.x, to.y, part)

    def _lay_out(self, size: tuple[int, int, int]) -> bool:
        """Give each page a new place, high pages first; returns whether there is room for all."""
        self._size, self._skylines = size, []
        for page, place in sorted(self.places.items(), key=lambda item: -item[1].height):
            corner = self._find(place.width, place.height)
            if corner is None:
                return False
            self.places[page] = corner
        return True

    def _allocate(self, size: tuple[int, int, int]) -> None:
        ctx = self._device.ctx
        self._texture = ctx.texture_array(
            size, components=4, filter=(ctx.LINEAR, ctx.LINEAR), wrap_x=ctx.CLAMP_TO_EDGE, wrap_y=ctx.CLAMP_TO_EDGE
        )
        if size != (1, 1, 1):
            self._size = size


def _power(side: int) -> int:
    """Return the smallest power of two that is at least `side` and at least _MIN_SIDE."""
    return 1 << (max(side, _MIN_SIDE) - 1).bit_length()

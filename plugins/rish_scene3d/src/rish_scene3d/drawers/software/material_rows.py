"""The materials and textures of a batch in the form that kernels read: rows and addresses."""

from __future__ import annotations

import numpy as np

from rish_frame import Batch, DrawTarget, Pass
from rish_jit import Array

from ... import layout as at
from ...models.model_library import Library
from ...passes.kinds import Surfaces
from .kernels import maps
from .meshes import writable

_levels = np.arange(257) / 255
DECODE = np.where(_levels <= 0.04045, _levels / 12.92, ((_levels + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""The linear light of encoded levels, float32 (257); the last is never shown."""
HALVES = (0.5 ** np.arange(maps.LEVELS)).astype(np.float32)
_MAPS = len(at.MAP_NAMES)


class Looks:
    """The materials of a batch. tables: see `shade`. textured: whether any of them has a texture. of_inputs: whether
    one is an input of the pass.

    The object keeps the arrays alive whose addresses are in the tables.
    """

    def __init__(self, batch: Surfaces, target: DrawTarget, pass_: Pass) -> None:
        self._kept: list[Array] = []
        materials = writable(batch.arrays["materials"])
        given = materials[:, at.MAPS :].reshape(len(materials), _MAPS, at.MAP_SIZE)
        pages, wraps = given[..., at.MAP_PAGE].astype(np.int64), given[..., at.MAP_UV_WRAP].astype(np.int64)
        inputs = sorted(set(pages[pages <= at.INPUT_PAGE].tolist()), reverse=True)
        sizes, levels = self._addresses(batch.library, target, pass_, [at.INPUT_PAGE - page for page in inputs])
        rows = pages // at.PAGES
        for number, page in enumerate(inputs):
            rows[pages == page] = len(batch.library.pages) + number
        rows[(pages == -1) | (rows >= len(sizes))] = -1
        entries = np.zeros((len(materials), _MAPS, 8), np.int64)
        entries[..., maps.CLASS], entries[..., maps.SET] = rows, (wraps >> 2) & 1
        entries[..., maps.LAYER] = np.where(pages >= 0, pages % at.PAGES, 0)
        entries[..., maps.WRAP_U], entries[..., maps.WRAP_V] = wraps & 3, (wraps >> 4) & 3
        if len(sizes):
            entries[..., [maps.WIDE, maps.HIGH, maps.LAST]] = sizes[rows]
        self.textured, self.of_inputs = bool((rows >= 0).any()), bool(inputs)
        self.tables = (materials, entries, levels, DECODE, HALVES)

    def _addresses(self, library: Library, target: DrawTarget, pass_: Pass, inputs: list[int]) -> tuple[Array, Array]:
        """Return width, height and last level of each array of pictures, then of inputs, and addresses of levels."""
        sizes = np.zeros((len(library.pages) + len(inputs), 3), np.int64)
        levels = np.zeros((len(sizes), maps.LEVELS), np.int64)
        for row, page in enumerate(library.pages):
            sizes[row] = page.side, page.side, min(len(page.levels), maps.LEVELS) - 1
            for level, texels in enumerate(page.levels[: maps.LEVELS]):
                levels[row, level] = self._address(texels)
        for row, number in enumerate(inputs, len(library.pages)):
            picture = picture_of(target, pass_, number)
            sizes[row] = picture.shape[1], picture.shape[0], 0
            levels[row, 0] = self._address(picture)
        return sizes, levels

    def _address(self, texels: Array) -> int:
        texels = np.ascontiguousarray(texels, np.uint8)
        self._kept.append(texels)
        return texels.ctypes.data


def picture_of(target: DrawTarget, pass_: Pass, number: int) -> Array:
    """Return an input of the pass as uint8 (h, w, 4); one white texel if there is none with this number."""
    names = list(pass_.inputs)
    if not 0 <= number < len(names):
        return np.full((1, 1, 4), 255, np.uint8)
    picture = target.inputs[names[number]]
    if picture.dtype == np.uint8:
        return picture
    light = np.clip(picture, 0, 1)
    encoded = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055)
    encoded[..., 3] = light[..., 3]
    return np.floor(encoded * 255 + 0.5).astype(np.uint8)


class Shades:
    """The inputs of a pass that are shadow maps. rows: of the table in `shadow`; the rows of other inputs are 0."""

    def __init__(self, target: DrawTarget, pass_: Pass) -> None:
        names = list(pass_.inputs)
        self.rows = np.zeros((len(names), 3), np.int64)
        self._kept: list[Array] = []
        for row, name in zip(self.rows, names, strict=True):
            picture = target.inputs[name]
            if picture.dtype == np.float32 and (picture.ndim == 2 or picture.shape[2] == 1):
                picture = np.ascontiguousarray(picture)
                self._kept.append(picture)
                row[:] = picture.ctypes.data, *picture.shape[:2]


def lights_of(batch: Batch, shades: Shades, albedo: Array) -> tuple[Array, ...]:
    """Return the tables of light of a batch; see `shade`."""
    names = ("suns", "lamps", "clusters", "cluster_lamps", "ambient")
    tables = [writable(batch.arrays[name]) for name in names]
    texels = batch.arrays["atlas"]
    atlas = np.empty((*texels.shape[:3], 4), np.float32)  # the fourth number is not used
    atlas[..., :3] = texels
    return (*tables, atlas.reshape(-1), writable(batch.arrays["scene"]), shades.rows, albedo)

"""The looks of all sprites, independent of views and positions: images, sizes, colors.

A look is computed again only if a field of its sprite changes, or an image, a sheet or a camera that may be its image.
Most sprites show a complete image, or one cell of a sheet with a few cells; these are found by number in one table, the
others by sorting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Compared, derived
from rish_frame import Frame
from rish_frame.poses import KERNEL_ROWS
from rish_jit import Array

from ...animation.sheet import SpriteSheet, sheet_regions
from ...components.visible import Blend, Camera, RenderSettings, Sprite
from ...drawables.colors import rgba_bytes
from ...materials.material_images import CAMERA, WHOLE, Maps, Pictures, distinct_rows, region_of
from ...packing.order import resized
from ...packing.packer import READY
from ...scene.camera import picture_size, target_name
from ...scene.notices import Notices

if TYPE_CHECKING:
    from rish_ecs import Table, World

_ADD = list(Blend).index(Blend.ADD)
_SPRITES = Compared(Sprite)
_COLUMNS = ("frame", "texels", "texture", "size", "rgba", "shift", "snaps", "repeat")
_FLAGS = ("flip_x", "flip_y", "visible", "snap")
_HALF = np.float32(0.5)
_SINGLE = 4
"""Up to this number, looks are computed one by one, which is faster than numpy."""
_FEW = 16
"""Up to this number, images are found one by one, which is faster than numpy."""


def _picture_sizes(world: World) -> Any:
    """Return what the sizes of images depend on besides the images: the size of the pages that they are put on, and the
    targets of cameras, with those that plugins draw.
    """
    frame, settings = world.resources.get(Frame), world.resources.get(RenderSettings)
    page, cameras = 0 if settings is None else settings.page_size, world.tables.get(Camera)
    drawn = frame.cameras if frame is not None else {}
    if not drawn and (cameras is None or not cameras.used or not cameras.flat("target").any()):
        return page
    targets = [] if cameras is None else [cameras.flat(name).tobytes() for name in ("target", "target_size")]
    return page, dict(drawn), targets


@derived(reads=(_SPRITES, SpriteSheet, Pictures, _picture_sizes), by=Sprite)
class SpriteLooks:
    """The look of each sprite, by row of its table.

    frame: uint16 n. texels: float32 (n, 2), width and height of its image. texture: int32 n, the number of the name of
    the camera whose target is the image; 0 for the pages. size: float32 (n, 2), units; 0 for sprites that are not drawn
    or repeated. rgba: uint32 n, tint and opacity as four bytes. shift: float32 (n, 2), a half less the anchor. snaps:
    uint8 n. repeat: float32 (n, 2), how often it is repeated; 0 if it is not.
    """

    frame: Array = np.zeros(0, np.uint16)
    texels: Array = np.zeros((0, 2), np.float32)
    texture: Array = np.zeros(0, np.int32)
    size: Array = np.zeros((0, 2), np.float32)
    rgba: Array = np.zeros(0, np.uint32)
    shift: Array = np.zeros((0, 2), np.float32)
    snaps: Array = np.zeros(0, np.uint8)
    repeat: Array = np.zeros((0, 2), np.float32)

    def compute(self, world: World) -> None:
        """Compute the looks of all sprites."""
        self._write(world, np.arange(len(world[Sprite])))

    def patch(self, world: World, changes: Any) -> bool:
        """Compute the looks of the changed sprites."""
        if changes[SpriteSheet]:
            return False
        self._write(world, changes[_SPRITES].rows)
        return True

    def _write(self, world: World, rows: Array) -> None:
        """Compute the looks of some rows."""
        table, columns = world.table(Sprite), self.__dict__
        count = len(table)
        if len(self.frame) != count:
            columns.update({name: resized(columns[name], count) for name in _COLUMNS})
        if not len(rows):
            return
        if len(rows) <= _SINGLE and not table.column("repeat")[rows].any() and not _has_sheets(world, rows):
            for row in rows.tolist():
                self._write_row(world, table, row)
            return
        first, end = int(rows[0]), int(rows[-1]) + 1
        some: Any = slice(first, end) if end - first == len(rows) else rows  # reading a slice copies nothing
        frames, texels, self.texture[some] = _find_pictures(world, rows)
        mirrored, flipped, visible, snap = [table.flat(name)[some] for name in _FLAGS]
        given, anchor, repeat = [table.column(name)[some] for name in ("size", "anchor", "repeat")]
        self.frame[some], self.texels[some] = frames + mirrored + np.uint8(2) * flipped, texels
        self.shift[some] = _HALF - anchor
        self.snaps[some] = snap
        self.rgba[some] = _colors(table, rows)
        self.repeat[some] = repeat = _repeats(repeat)
        size = np.where(given > 0, given, texels)
        size[~visible | (repeat[:, 0] != 0)] = 0
        self.size[some] = size

    def _write_row(self, world: World, table: Table, row: int) -> None:
        """Compute the look of a sprite without a sheet that is not repeated: what `_write` does, faster for one."""
        frame, width, height, texture = _find_picture(world, row)
        mirrored, flipped, visible, snap = [table.flat(name).item(row) for name in _FLAGS]
        self.frame[row], self.texture[row], self.snaps[row] = frame + mirrored + 2 * flipped, texture, snap
        self.texels[row] = width, height
        self.shift[row] = _HALF - table.column("anchor")[row]
        self.rgba[row] = _colors(table, np.array([row]))[0]
        self.repeat[row] = 0
        across, up = table.column("size")[row].tolist()
        self.size[row] = (across if across > 0 else width, up if up > 0 else height) if visible else 0


def _find_pictures(world: World, rows: Array) -> tuple[Array, Array, Array]:
    """Return of sprites the first of four frames, int64, the size in texels, float32 (n, 2), and the texture, int32."""
    if len(rows) <= _FEW and not _has_sheets(world, rows):
        places = np.array([_find_picture(world, row) for row in rows.tolist()], np.int64)
        return places[:, 0], places[:, 1:3].astype(np.float32), places[:, 3].astype(np.int32)
    table, pictures = world.table(Sprite), world[Pictures]
    image, normal, emission, cell, region = (
        table.column(name)[rows] for name in ("image", "normal", "emission", "frame", "region")
    )
    additive = table.column("blend")[rows] == _ADD
    region = np.where(region[:, 2:3] > 0, region, np.float32(0))
    sheets = world[SpriteSheet].rows_of(table.entities[rows]) if SpriteSheet in world else image[:0]
    if (chosen := np.flatnonzero(sheets >= 0)).size:
        region[chosen] = _cells(world, pictures, sheets[chosen], image[chosen], cell[chosen])
    maps = normal.astype(np.int64) << 32 | emission.astype(np.int64) << 1 | additive
    kinds, kind = np.unique(maps, return_inverse=True)
    if len(kinds) == 1 and not region.any():
        first, inverse = _distinct(image)
    else:
        first, inverse = distinct_rows(image.astype(np.int64) * len(kinds) + kind.reshape(-1), region)
    places = np.zeros((len(first), 4), np.int64)
    for place, k in enumerate(first.tolist()):
        beside = int(normal[k]), int(emission[k]), bool(additive[k])
        places[place] = _picture_of(world, int(image[k]), region_of(region[k]), beside)
    places = places[inverse]
    return places[:, 0], places[:, 1:3].astype(np.float32), places[:, 3].astype(np.int32)


def _has_sheets(world: World, rows: Array) -> bool:
    """Return whether a sprite has a sheet."""
    sheets = world.tables.get(SpriteSheet)
    if sheets is None or not sheets.used:
        return False
    return bool((sheets.rows_of(world.table(Sprite).entities[rows]) >= 0).any())


def _find_picture(world: World, row: int) -> tuple[int, int, int, int]:
    """Return frame, width, height and texture of a sprite without a sheet; faster for few than arrays."""
    table = world.table(Sprite)
    image, normal, emission, blend = [table.flat(name).item(row) for name in ("image", "normal", "emission", "blend")]
    region = table.column("region")[row]
    return _picture_of(world, image, region_of(region) if region[2] > 0 else WHOLE, (normal, emission, blend == _ADD))


def _picture_of(
    world: World, image: int, region: tuple[int, int, int, int], beside: tuple[int, int, bool]
) -> tuple[int, int, int, int]:  # fmt: skip
    """Return frame, width, height and texture of an image. beside: the numbers of its maps; whether it adds light."""
    pictures, path, (normal, emission, additive) = world[Pictures], world.text(image), beside
    if path.startswith(CAMERA):
        return _of_camera(world, pictures, image)
    return *pictures.frame_of(world, path, region, Maps(world.text(normal), world.text(emission), additive)), 0


def _of_camera(world: World, pictures: Pictures, image: int) -> tuple[int, int, int, int]:
    """Return frame, width, height and texture of a camera's image; the checkerboard if there is no such camera."""
    path = world.text(image)
    size = picture_size(world, path.removeprefix(CAMERA))
    if size is None:
        name = path.removeprefix(CAMERA)
        world[Notices].error(f"{path}: no camera has the target {name!r}, so a checkerboard is shown", key=path)
        return *pictures.frame_of(world, path), 0
    return pictures.whole(size), *size, image


def texture_of(world: World, texture: int) -> str | None:
    """Return the target that an image is cut from, see `SpriteLooks.texture`; None for the pages."""
    return target_name(world.text(texture).removeprefix(CAMERA)) if texture else None


def _distinct(numbers: Array) -> tuple[Array, Array]:
    """Return the index of the first of each distinct number, and for each number its index among these.

    It is fast for small numbers.
    """
    if len(numbers) < 16:
        _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
        return first, inverse.reshape(-1)
    first = np.full(int(numbers.max()) + 1, -1, np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    there = np.flatnonzero(first >= 0)
    place = np.zeros(len(first), np.int64)
    place[there] = np.arange(len(there))
    return first[there], place[numbers]


def _cells(world: World, pictures: Pictures, sheets: Array, image: Array, cell: Array) -> Array:
    """Return the regions of cells, float32 (n, 4)."""
    first, inverse = _distinct(image)
    sizes = np.array([pictures.picture(world, world.text(int(image[k]))).size for k in first], np.float32)
    return sheet_regions(world, sheets, sizes[inverse], cell)


def _colors(table: Table, rows: Array) -> Array:
    """Return tint and opacity as four bytes in a uint32, uint32 n."""
    if not READY.serve(len(rows), KERNEL_ROWS):
        return rgba_bytes(table.column("color")[rows], table.column("opacity")[rows]).reshape(-1).view(np.uint32)
    from ...packing.kernels import color_bytes

    out = np.empty(len(rows), np.uint32)
    color_bytes(table.flat("color"), table.flat("opacity"), np.ascontiguousarray(rows, np.int32), out)
    return out


def _repeats(repeat: Array) -> Array:
    """Return how often each sprite is repeated, float32 (n, 2), 0 if it is not."""
    if not repeat.any():
        return np.zeros_like(repeat)
    whole = np.clip(np.floor(np.nan_to_num(repeat) + np.float32(0.5)), 0, 4096)
    several = (whole[:, 0] > 1) | (whole[:, 1] > 1)
    return np.where(several[:, None], np.maximum(whole, 1), np.float32(0))

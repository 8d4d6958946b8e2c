"""The looks of all sprites, independent of views and positions: images, sizes, colors.

A look is computed again only if a field of its sprite changes, or an image, a sheet or a camera that may be its image.
Few of them show different images, so each image is looked up once; kernels do the rest, for any number of sprites.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Compared, derived
from rish_frame import Frame
from rish_jit import Array

from ...animation.sheet import SpriteSheet, sheet_regions
from ...components.visible import Blend, Camera, RenderSettings, Sprite
from ...materials.material_images import CAMERA, WHOLE, Maps, Pictures, region_of
from ...packing.order import resized
from ...scene.camera import picture_size, target_name
from ...scene.notices import Notices
from .kernels import distinct_images, write_looks

if TYPE_CHECKING:
    from rish_ecs import World

_ADD = list(Blend).index(Blend.ADD)
_SPRITES = Compared(Sprite)
_COLUMNS = ("frame", "texels", "texture", "size", "rgba", "shift", "snaps", "repeat")
_IMAGE = ("image", "normal", "emission", "blend")
_LOOK = ("size", "anchor", "repeat", "color", "opacity", "flip_x", "flip_y", "visible", "snap")


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
        which, images = _find_pictures(world, rows)
        looks = tuple([columns[name].reshape(-1) for name in _COLUMNS])
        write_looks(rows, which, images.reshape(-1), tuple(map(table.flat, _LOOK)), looks)


def _find_pictures(world: World, rows: Array) -> tuple[Array, Array]:
    """Return for each sprite the number of its image, int32, and of each image the first of four frames, its size in
    texels and the texture, int64 (images, 4)."""
    table, count = world.table(Sprite), len(rows)
    regions, own = table.flat("region"), False
    sheets = world.tables.get(SpriteSheet)
    if sheets is not None and sheets.used:
        cells = sheets.rows_of(table.entities[rows])
        if (chosen := np.flatnonzero(cells >= 0)).size:
            each, own = table.column("region")[rows], True
            each[chosen] = _cells(world, cells[chosen], rows[chosen])
            regions = each.reshape(-1)
    slots = np.full(1 << (2 * count).bit_length(), -1, np.int32)
    first, which = np.empty(count, np.int32), np.empty(count, np.int32)
    number = distinct_images(rows, tuple(map(table.flat, _IMAGE)), regions, own, slots, first, which)
    images: list[tuple[int, int, int, int]] = []
    for k in first[:number].tolist():
        row = int(rows[k])
        image, normal, emission, blend = [table.flat(name).item(row) for name in _IMAGE]
        at = 4 * k if own else 4 * row
        region = regions[at : at + 4]
        part = region_of(region) if region[2] > 0 else WHOLE
        images.append(_picture_of(world, image, part, (normal, emission, blend == _ADD)))
    return which, np.array(images, np.int64)


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


def _cells(world: World, sheets: Array, rows: Array) -> Array:
    """Return the regions of the cells that sprites with sheets show, float32 (n, 4)."""
    table, pictures = world.table(Sprite), world[Pictures]
    images, which = np.unique(table.column("image")[rows], return_inverse=True)
    sizes = np.array([pictures.picture(world, world.text(image)).size for image in images.tolist()], np.float32)
    return sheet_regions(world, sheets, sizes[which], table.column("frame")[rows])


def warm_up(world: World) -> None:
    """Call the kernels with no sprites."""
    table, rows, none = world.table(Sprite), np.zeros(0, np.int64), np.zeros(0, np.int32)
    regions = np.zeros(0, np.float32)
    distinct_images(rows, tuple(map(table.flat, _IMAGE)), regions, False, np.full(1, -1, np.int32), none, none)
    looks = tuple([getattr(SpriteLooks(), name).reshape(-1) for name in _COLUMNS])
    write_looks(rows, none, rows, tuple(map(table.flat, _LOOK)), looks)

"""From batches to kernels: the arrays of a batch, as the pixels of a target see them.

Each kind that the backend knows has a function here. It moves positions from the pass's space to pixels (row 0 on top),
premultiplies colours, leaves out what has NaN or infinity in it, and gives orders: a kernel and what to call it with.
Orders for a batch that stays the same are kept and given again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from rish_core.frame.batches import Batch
from rish_core.frame.instances import affine_of
from rish_core.frame.passes import Frame, Pass, pixel_rect

from . import mesh, polygons, shapes, sprites
from .blend import MODES, pack_colours
from .pages import Cuts, Pages, Place, cut_table
from .surfaces import FARTHEST, Surface

Array = npt.NDArray[Any]

_OPAQUE = np.uint32(0xFFFFFFFF)
_NO_ALPHA = np.uint32(0x00FFFFFF)
_NO_DEPTH = np.full((1, 1), FARTHEST, np.float32)


class Unable(Exception):
    """Why a batch can't be drawn, as a clause for the statistics."""


class Order(NamedTuple):
    """One call of a kernel: `kernel(attachment, *arguments)`."""

    kernel: Callable[..., None]
    attachment: int
    arguments: tuple[Any, ...]


@dataclass
class Scene:
    """Where the batches of one pass are drawn: the surface, the camera, the pictures at hand.

    inputs: by name, a surface and the number of its attachment.
    """

    frame: Frame
    pass_: Pass
    surface: Surface
    pages: Pages
    inputs: dict[str, tuple[Surface, int]]

    def clip(self, batch: Batch) -> Array:
        """int64 (4): x0 y0 x1 y1 in pixels, row 0 on top."""
        width, height = self.surface.size
        x, y, w, h = self.pass_.clip((width, height), batch)
        return np.array([x, height - y - h, x + w, height - y], np.int64)

    @cached_property
    def viewport(self) -> tuple[int, int, int, int]:
        """x, y, width, height in pixels, row 0 on top."""
        x, y, w, h = pixel_rect(self.pass_.viewport, self.surface.size)
        return x, self.surface.size[1] - y - h, w, h

    @cached_property
    def camera(self) -> Array:
        """float64 (4, 4): projection @ view."""
        return self.pass_.projection.astype(np.float64) @ self.pass_.view.astype(np.float64)

    @cached_property
    def stamp(self) -> tuple[Any, ...]:
        """What the orders of this pass depend on, beside the batches."""
        surface = self.surface
        places = (self.viewport, self.pass_.scissor, surface.size, self.pass_.depth_test, id(surface.depth))
        return self.camera.tobytes(), places, surface.forms, self.frame.frames_version, self.pages.layout

    @cached_property
    def plane(self) -> Array:
        """float64 (2, 3): from the pass's plane to pixels. Raises Unable where the camera has perspective."""
        camera = self.camera
        if camera[3, 0] or camera[3, 1] or not camera[3, 3]:
            raise Unable("flat things need a camera without perspective here")
        x, y, w, h = self.viewport
        plane = camera[:2][:, [0, 1, 3]] / camera[3, 3]
        plane[0] *= w / 2
        plane[1] *= -h / 2
        plane[:, 2] += [x + w / 2, y + h / 2]
        return plane


def _into_pixels(matrix: Array, plane: Array) -> Array:
    """float32 (n, 6): matrices `a b c d tx ty` followed by the plane's map to pixels."""
    out = np.empty((len(matrix), 6), np.float64)
    for even in (0, 2, 4):
        out[:, even] = plane[0, 0] * matrix[:, even] + plane[0, 1] * matrix[:, even + 1]
        out[:, even + 1] = plane[1, 0] * matrix[:, even] + plane[1, 1] * matrix[:, even + 1]
    out[:, 4:] += plane[:, 2]
    return out.astype(np.float32)


def _mask(batch: Batch) -> Any:
    return _NO_ALPHA if batch.blend == "add" else _OPAQUE


def _sane(rows: Array) -> Array | None:
    """bool n: the rows without NaN and infinity; None where that is all of them."""
    fine = cast("Array", np.isfinite(rows).all(axis=1))
    return None if fine.all() else fine


def _keep(fine: Array | None, *arrays: Array) -> tuple[Array, ...]:
    return arrays if fine is None else tuple(np.ascontiguousarray(array[fine]) for array in arrays)


def draw_sprites(scene: Scene, batch: Batch) -> list[Order]:
    """Orders for `sprites`, onto each attachment the picture or the channel that belongs there."""
    instances = batch.arrays["instances"]
    origin = batch.origin
    return _draw_pictures(scene, batch, affine_of(instances, origin), instances["frame"], instances["rgba"])


def draw_sprites_wide(scene: Scene, batch: Batch) -> list[Order]:
    """Orders for `sprites_wide`."""
    arrays = batch.arrays
    return _draw_pictures(scene, batch, arrays["matrix"], arrays["frame"], arrays["rgba"])


def _draw_pictures(scene: Scene, batch: Batch, matrix: Array, frame: Array, rgba: Array) -> list[Order]:
    fine = _sane(matrix)
    matrix, frame, rgba = _keep(fine, matrix, frame, rgba)
    matrix = _into_pixels(matrix, scene.plane)
    tints = pack_colours(rgba)
    untinted = rgba[:, 3].astype(np.uint32) * np.uint32(0x01010101)
    orders: list[Order] = []
    mode, linear, clip = MODES[batch.blend], int(batch.filter == "linear"), scene.clip(batch)
    for number, (cuts, texels, blank) in _pictures(scene, batch):
        known = frame < len(cuts.rects)
        frames = np.where(known, frame, 0).astype(np.int32)
        if len(cuts.rects):
            frames[~(known & cuts.there[frames])] = -1
            masks = cuts.masks[frames] & _mask(batch)
            tint = tints if number == 0 else untinted
            found = (clip, matrix, frames, tint, masks, cuts.rects, cuts.places, texels, blank, mode, linear)
            orders.append(Order(sprites.draw_sprites, number, found))
    return orders


def _pictures(scene: Scene, batch: Batch) -> list[tuple[int, tuple[Cuts, Array, int]]]:
    """For each attachment that sprites write: its number, and what to cut from."""
    found: list[tuple[int, tuple[Cuts, Array, int]]] = []
    _picture_of(scene)
    table, version = scene.frame.frames, scene.frame.frames_version
    channels = scene.surface.target.channels
    for number, colour in enumerate(scene.surface.colours):
        if colour.ndim != 2:
            continue
        if number:
            name = channels[number] if number < len(channels) else ""
            if not name or name not in scene.frame.channels:
                continue
            cuts = scene.pages.cuts(scene.frame.channels[name], version, name)
        elif isinstance(batch.texture, str):
            place, texels, blank = _input_picture(scene, batch.texture)
            places = np.tile(np.array(place, np.int64), (len(table), 1))
            found.append((number, (cut_table(table, places, np.ones(len(table), np.bool_)), texels, blank)))
            continue
        else:
            cuts = scene.pages.cuts(table, version)
        found.append((number, (cuts, scene.pages.texels, 0)))
    return found


def _input_picture(scene: Scene, name: str) -> tuple[Place, Array, int]:
    """An input as texels: its place, the array, and where that is transparent."""
    if name not in scene.inputs:
        raise Unable(f"'{name}' is no input of the pass")
    surface, number = scene.inputs[name]
    colour = surface.colours[number]
    if colour.ndim != 2:
        raise Unable(f"'{name}' has a float format, which is read by drawers only")
    width, height = surface.size
    return Place(0, colour.shape[1], width, height), colour.reshape(-1), width


def draw_shapes(scene: Scene, batch: Batch) -> list[Order]:
    """Orders for `shapes`."""
    arrays = batch.arrays
    sizes = np.column_stack([arrays["half"], arrays["corner"], arrays["line"]])
    return _draw_shapes(
        scene, batch, arrays["matrix"], sizes, arrays["kind"], *(arrays[k] for k in ("rgba", "rgba2", "edge"))
    )


def draw_lines(scene: Scene, batch: Batch) -> list[Order]:
    """Orders for `lines`, as boxes rounded by half their width."""
    points, width, rgba = (batch.arrays[name] for name in ("points", "width", "rgba"))
    fine = _sane(np.column_stack([points, width]))
    points, width, rgba = _keep(fine, points.astype(np.float64), width.astype(np.float64), rgba)
    along = points[:, 2:] - points[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.where(length > 0, length, 1)[:, None]
    unit[length == 0] = (1, 0)
    whole = length + width
    centre = (points[:, :2] + points[:, 2:]) / 2
    matrix = np.column_stack([unit * whole[:, None], -unit[:, 1] * width, unit[:, 0] * width, centre])
    half = width / 2
    sizes = np.column_stack([whole / 2, half, half, np.zeros(len(half))]).astype(np.float32)
    kinds = np.zeros(len(half), np.uint8)
    return _draw_shapes(scene, batch, matrix, sizes, kinds, rgba, rgba, np.zeros_like(rgba))


def _draw_shapes(
    scene: Scene, batch: Batch, matrix: Array, sizes: Array, kinds: Array, rgba: Array, rgba2: Array, edge: Array
) -> list[Order]:
    fine = _sane(np.concatenate([matrix, sizes], axis=1))
    matrix, sizes, kinds, rgba, rgba2, edge = _keep(fine, matrix, sizes, kinds, rgba, rgba2, edge)
    matrix = _into_pixels(matrix, scene.plane)
    additive = batch.blend == "add"
    colours = [pack_colours(colour, additive) for colour in (rgba, rgba2, edge)]
    found = (scene.clip(batch), matrix, sizes, kinds, *colours, MODES[batch.blend])
    return [Order(shapes.draw_shapes, _picture_of(scene), found)]


def _picture_of(scene: Scene) -> int:
    """The attachment that holds the picture. Raises Unable where it is one of floats."""
    if scene.surface.colours[0].ndim != 2:
        raise Unable("float targets are drawn onto by drawers only")
    return 0


def draw_polygons(scene: Scene, batch: Batch) -> list[Order]:
    """Orders for `polygons`: by coverage, or as textured triangles where they have uv."""
    arrays = batch.arrays
    if "uv" in arrays:
        return _draw_textured(scene, batch)
    points = arrays["points"].astype(np.float64)
    starts = arrays["starts"]
    colours = pack_colours(arrays["rgba"], batch.blend == "add")
    broken = ~np.isfinite(points).all(axis=1)
    if broken.any():
        lost = np.add.reduceat(broken, starts[:-1]) > 0
        colours[lost] = 0
        points[broken] = 0
    pixels = (points @ scene.plane[:, :2].T + scene.plane[:, 2]).astype(np.float32)
    found = (scene.clip(batch), pixels, starts, colours, MODES[batch.blend])
    return [Order(polygons.draw_polygons, _picture_of(scene), found)]


def _draw_textured(scene: Scene, batch: Batch) -> list[Order]:
    """Orders for polygons with uv as the triangles that they are cut into."""
    arrays = batch.arrays
    owner = np.repeat(np.arange(len(arrays["rgba"])), np.diff(arrays["starts"]))
    flat = np.column_stack([arrays["points"], np.zeros(len(owner))])
    return _draw_triangles(scene, batch, flat, arrays["rgba"][owner], arrays["triangles"], depth=False)


def draw_mesh(scene: Scene, batch: Batch) -> list[Order]:
    """Orders for `mesh`."""
    arrays = batch.arrays
    return _draw_triangles(scene, batch, arrays["positions"], arrays["colors"], arrays["indices"], depth=True)


def _draw_triangles(
    scene: Scene, batch: Batch, positions: Array, rgba: Array, indices: Array, *, depth: bool
) -> list[Order]:
    fine = cast("Array", np.isfinite(positions).all(axis=1))
    if not fine.all():
        indices = np.ascontiguousarray(indices[fine[indices].all(axis=1)])
        positions = np.where(fine[:, None], positions, 0)
    clip_space = (np.column_stack([positions, np.ones(len(positions))]) @ scene.camera.T).astype(np.float32)
    values = np.zeros((len(positions), 6), np.float32)
    alpha = rgba[:, 3:].astype(np.float32)
    values[:, :3], values[:, 3:4] = rgba[:, :3] * (alpha / np.float32(255)), alpha
    texels, picture = scene.pages.texels, Place(0, 0, 0, 0)
    if "uv" in batch.arrays:
        values[:, 4:] = batch.arrays["uv"]
        if isinstance(batch.texture, str):
            picture, texels, _ = _input_picture(scene, batch.texture)
        else:
            picture = scene.pages.places.get(batch.texture if batch.texture is not None else -1)
            if picture is None:
                raise Unable(f"there is no page {batch.texture}")
    buffer = scene.surface.depth if depth and scene.pass_.depth_test else None
    found = (
        scene.clip(batch), _NO_DEPTH if buffer is None else buffer, int(buffer is not None),
        np.array(scene.viewport, np.float32), clip_space, values, indices, texels, np.array(picture, np.int64),
        MODES[batch.blend], _mask(batch),
    )  # fmt: skip
    return [Order(mesh.draw_mesh, _picture_of(scene), found)]


ORDERS: dict[str, Callable[[Scene, Batch], list[Order]]] = {
    "sprites": draw_sprites,
    "sprites_wide": draw_sprites_wide,
    "shapes": draw_shapes,
    "lines": draw_lines,
    "polygons": draw_polygons,
    "mesh": draw_mesh,
}
"""What gives the orders for each kind of batch that the backend draws by itself."""

"""From particles to sprite instances: one batch a pool, each in its layer, packed by a kernel straight into its bytes.

Two systems share the work. The first says where in the order each pool is drawn, before the renderer puts its own
things into the passes; the second, when the cameras of this frame are known, packs what they see. Between two ticks a
particle stands at `p - velocity·(1 - alpha)·dt`.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import INSTANCE, Batch, Frame, Stage, Transform, WorldMatrices, maths, resource, system
from rish_core.errors import did_you_mean
from rish_core.loop.layers import Layer, Layers, LayerStack

from .book import Book, Page
from .cameras import box_of, boxes
from .pools import Store
from .settings import Settings

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
F32 = np.float32
_log = logging.getLogger("rish.particles")
_REACH = 4000.0
"""Instances reach 4096 of their units from the origin."""
_FINEST = 2.0**-4


@dataclass
class _Shown:
    """A pool that is to be packed into a batch."""

    store: Store
    row: int
    page: Page
    batch: Batch
    layer: Layer
    frames: Array
    size: tuple[int, int]


@resource(derived=True)
class Drawing:
    """What is drawn in this frame, the bytes of it by batch, and what was reported."""

    shown: list[Any] = dataclass_field(default_factory=list[Any])
    buffers: list[Array] = dataclass_field(default_factory=list[Array])
    told: set[str] = dataclass_field(default_factory=set[str])

    def rebuild(self, world: World) -> None:
        """The next frame shows everything anew."""
        self.shown.clear()


@system(Stage.EXTRACT, before="render.extract", writes=(Frame, Drawing, Book), name="place")
def place_particles(world: World, dt: float) -> None:
    """`particles.place`: an empty batch for each pool, where it belongs in the order."""
    drawing, frame = world[Drawing], world[Frame]
    drawing.shown.clear()
    layers = world[LayerStack].bottom_up(world) if LayerStack in world and Layers in world else []
    names = {layer.name: number for number, layer in enumerate(layers)}
    hidden = world[Layers].hidden if Layers in world else []
    for view in (False, True):
        store = Store.of(world, view)
        for row in np.flatnonzero(store.pools.live).tolist():
            page = store.page(row)
            if page is None or not page.preset.look.visible:
                continue
            if frame.pictures is None:
                _tell(drawing, "", "particles are there, but nobody draws them: add 'render' to plugins in game.yaml")
                return
            name = world.text(int(store.pools.layer[row]))
            if name and name not in names:
                _tell(
                    drawing, name, f"no layer is called {name!r}{did_you_mean(name, names)}; particles take the first"
                )
            number = names.get(name, 0)
            if name in hidden:
                continue
            look = page.preset.look
            frames, size = frames_of(world, look.picture, look.cells)
            arrays = {"instances": np.zeros(0, INSTANCE)}
            batch = Batch(
                "sprites", arrays, layer=number, z=float(store.pools.z[row]), blend=look.blend, filter=look.filter,
                source="particles",
            )  # fmt: skip
            frame.add(batch)
            layer = layers[number] if layers else Layer("world")
            drawing.shown.append(_Shown(store, row, page, batch, layer, frames, size))


@system(Stage.EXTRACT, after="render.extract", writes=(Frame, Drawing), name="pack")
def pack_particles(world: World, dt: float) -> None:
    """`particles.pack`: what the cameras see, as bytes."""
    drawing = world[Drawing]
    if not drawing.shown:
        return
    seen = boxes(world)
    main = box_of(world[Frame].passes["main"])
    alpha = (1.0 - world.alpha) * world.dt * world[Settings].speed
    while len(drawing.buffers) < len(drawing.shown):
        drawing.buffers.append(np.zeros(0, np.uint64))
    for k, shown in enumerate(drawing.shown):
        room = int(shown.store.pools.live[shown.row])
        if len(drawing.buffers[k]) < 2 * room:
            drawing.buffers[k] = np.zeros(2 * (room + room // 2), np.uint64)
        box = np.concatenate([seen[:, :2].min(axis=0), seen[:, 2:].max(axis=0)]) if len(seen) else main
        if box is not None:
            _pack(world, shown, box, main, alpha, drawing.buffers[k])


def _pack(world: World, shown: _Shown, box: Array, main: Array | None, back: float, out: Array) -> None:
    from . import pack_kernels as kernels

    store, row, page = shown.store, shown.row, shown.page
    preset, look, live = page.preset, page.preset.look, int(shown.store.pools.live[shown.row])
    span = store.span(row)
    x, y, vx, vy, age, life, angle, _, size, rgba = span.columns
    numbers = np.zeros(kernels.NUMBERS, F32)
    shift = _parallax(shown.layer, main)
    centre, unit = origin_of(box)
    cells = look.cells
    wide, high = shown.size[0] / cells[0], shown.size[1] / cells[1]
    numbers[kernels.BACK], numbers[kernels.STRETCH] = back * preset.time_scale, look.stretch
    numbers[kernels.WIDE], numbers[kernels.HIGH] = wide / max(wide, high), high / max(wide, high)
    numbers[kernels.X0 : kernels.Y1 + 1] = box - np.tile(shift, 2)
    numbers[kernels.ORIGIN_X], numbers[kernels.ORIGIN_Y] = centre - shift
    numbers[kernels.SCALE] = 8 / unit
    matrix = _matrix(world, store, row) if preset.local else np.array((1, 0, 0, 1, 0, 0), F32)
    numbers[kernels.A : kernels.TY + 1] = matrix
    area = abs(float(matrix[0]) * float(matrix[3]) - float(matrix[1]) * float(matrix[2]))
    numbers[kernels.ROTATION] = maths.atan2(float(matrix[1]), float(matrix[0]))
    numbers[kernels.GROWTH] = area**0.5
    order = np.zeros(0, np.int32)
    if look.sort == "lower_last":
        order = np.argsort(-y[:live], kind="stable").astype(np.int32)
    count = kernels.pack(
        live, x, y, vx, vy, age, life, angle, size, rgba, *span.extras, page.speed, page.size, page.colour,
        shown.frames, F32(look.play), look.aligned, order, -1 if look.sort == "newest_first" else 1, numbers, out,
    )  # fmt: skip
    batch = shown.batch
    batch.arrays["instances"] = out[: 2 * count].view(INSTANCE)
    batch.count, batch.origin, batch.unit = count, (float(centre[0]), float(centre[1])), unit
    world[Frame].culled += live - count


def origin_of(box: Array) -> tuple[Array, float]:
    """The origin of instances that may be anywhere in a box, and the unit in which they count."""
    centre = np.floor((box[:2] + box[2:]) / 2)
    reach = float(np.abs(box - np.tile(centre, 2)).max()) * 1.25 + 64
    unit = _FINEST
    while unit * _REACH < reach:
        unit *= 2
    return centre, unit


def _parallax(layer: Layer, main: Array | None) -> Array:
    """How far a layer is shifted for what the main camera looks at."""
    if main is None or layer.parallax == (1.0, 1.0):
        return np.zeros(2)
    return (1 - np.array(layer.parallax)) * (main[:2] + main[2:]) / 2


def _matrix(world: World, store: Store, row: int) -> Array:
    """The matrix of a local pool as it is drawn: its emitter's, or the last one that it had."""
    owner = int(store.pools.owner[row])
    if owner and Transform in world and world.alive(owner) and world.has(owner, Transform):
        place = world.table(Transform).row_of(owner)
        return world[WorldMatrices].rows(np.array([place], np.int32))[0]
    return store.pools.matrix[row]


def frames_of(world: World, picture: str, cells: tuple[int, int]) -> tuple[Array, tuple[int, int]]:
    """int32: the frame of each cell of a sheet, row by row from the top; and the sheet's width and height."""
    source = world[Frame].pictures
    assert source is not None
    first, width, height = source.frame_of(world, picture)
    if cells == (1, 1):
        return np.array([first], np.int32), (width, height)
    wide, high = max(width // cells[0], 1), max(height // cells[1], 1)
    found = [
        source.frame_of(world, picture, (column * wide, row * high, wide, high))[0]
        for row in range(cells[1])
        for column in range(cells[0])
    ]
    return np.array(found, np.int32), (width, height)


def _tell(drawing: Drawing, key: str, what: str) -> None:
    if key not in drawing.told:
        drawing.told.add(key)
        _log.warning("%s", what)

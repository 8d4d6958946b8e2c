"""Converts particles into sprite instances: one batch a pool, each in its layer, packed by a kernel into its bytes.

Two systems share the work. The first puts an empty batch for each pool into the drawing order, before the renderer adds
its own batches to the passes. The second runs when the cameras of this frame are set, and packs the visible particles
of each batch: on a layer in screen space those on the screen, on others those in view of the cameras. A layer with
parallax has another shift for each camera, so each pass gets a batch of its own. Between two ticks, a particle is drawn
at `p - velocity·(1 - alpha)·dt`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from math import floor
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Layer, Layers, LayerStack, Stage, resource, system
from rish_ecs import did_you_mean
from rish_frame import INSTANCE, Batch, Frame, WorldMatrices, layer_look
from rish_jit import Array, maths

from ..births.cameras import box_of
from ..components.notices import Notices
from ..components.settings import ParticleSettings
from ..files.preset_library import Page, PresetLibrary
from ..pools.pools import Store
from ..pools.spaces import matrix_of, scale_of

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Pass

F32 = np.float32
_REACH = 4000.0
"""The largest distance from the origin, in units of an instance. The format of instances can store up to 4096."""
_MIN_UNIT = 2.0**-4


@dataclass
class _DrawnPool:
    """A pool that will be packed into a batch."""

    store: Store
    row: int
    page: Page
    batch: Batch
    layer: Layer
    frames: Array
    size: tuple[int, int]


@resource(derived=True)
class Drawing:
    """The batches of particles in this frame, and the buffers of their instances."""

    shown: list[Any] = dataclass_field(default_factory=list[Any])
    buffers: list[Array] = dataclass_field(default_factory=list[Array])

    def rebuild(self, world: World) -> None:
        """Clear the list of batches; the next frame fills it again."""
        self.shown.clear()

    def buffer(self, number: int, room: int) -> Array:
        """Return the buffer of a batch, uint64, with at least 2·room elements. When it grows, it gets half of that in
        addition; it never shrinks.
        """
        while len(self.buffers) <= number:
            self.buffers.append(np.zeros(0, np.uint64))
        if len(self.buffers[number]) < 2 * room:
            self.buffers[number] = np.zeros(2 * (room + room // 2), np.uint64)
        return self.buffers[number]


@system(Stage.EXTRACT, before="render.extract", writes=(Frame, Drawing, PresetLibrary, Notices), name="place")
def place_particles(world: World, dt: float) -> None:
    """The system `particles.place`: adds an empty batch for each pool at its place in the drawing order."""
    drawing = world[Drawing]
    drawing.shown.clear()
    layers = world[LayerStack].bottom_up(world) if LayerStack in world and Layers in world else [Layer("world")]
    hidden = world[Layers].hidden if Layers in world else []
    for view in (False, True):
        store = Store.of(world, view)
        for row, live in enumerate(store.pools.flat("live").tolist()):
            page = store.page(row) if live else None
            if page is None or not page.preset.look.visible:
                continue
            if world[Frame].pictures is None:
                what = "there are particles, but no plugin draws them: add 'render' to plugins in game.yaml"
                world[Notices](what)
                return
            number = _layer_of(world, store, row, layers)
            if layers[number].name not in hidden:
                drawing.shown.append(_placed(store, row, page, number, layers[number]))


def _layer_of(world: World, store: Store, row: int, layers: list[Layer]) -> int:
    """Return the number of the layer on which a pool is drawn; the first layer for an unknown name."""
    names = [layer.name for layer in layers]
    name = world.text(int(store.pools.layer[row]))
    if name in names or not name:
        return names.index(name) if name else 0
    near = did_you_mean(name, names)
    world[Notices](f"no layer is called {name!r}{near}; the particles are drawn on the first layer")
    return 0


def _placed(store: Store, row: int, page: Page, number: int, layer: Layer) -> _DrawnPool:
    look, frame = page.preset.look, store.world[Frame]
    frames, size = frames_of(store.world, look.picture, look.cells)
    arrays = {"instances": np.zeros(0, INSTANCE)}
    batch = Batch(
        "sprites", arrays, layer=number, z=float(store.pools.z[row]), blend=look.blend, filter=look.filter,
        source="particles",
    )  # fmt: skip
    frame.add(batch)
    return _DrawnPool(store, row, page, batch, layer, frames, size)


@system(Stage.EXTRACT, after="render.extract", reads=WorldMatrices, writes=(Frame, Drawing), name="pack")
def pack_particles(world: World, dt: float) -> None:
    """The system `particles.pack`: packs the visible particles of each pass into bytes."""
    drawing, used = world[Drawing], 0
    if not drawing.shown:
        return
    alpha = (1.0 - world.alpha) * world.dt * world[ParticleSettings].time_scale
    passes = world[Frame].passes.values()
    for pool in drawing.shown:
        room = int(pool.store.pools.live[pool.row])
        showing = [pass_ for pass_ in passes if pool.batch in pass_.batches and pass_.shows(pool.batch.layer)]
        for batch, box, shift in _batches_of(pool, showing):
            _pack(world, pool, batch, box, shift, alpha, drawing.buffer(used, room))
            used += 1


def _batches_of(pool: _DrawnPool, passes: list[Pass]) -> list[tuple[Batch, Array, Array]]:
    """Return the batches of a pool, each with its visible box and its parallax shift."""
    boxes = [(pass_, box) for pass_ in passes if (box := box_of(pass_)) is not None]
    layer, nowhere = pool.layer, np.zeros(2)
    if not boxes:
        return []
    parallax = layer_look(layer).parallax
    if layer.space == "screen" or tuple(parallax) == (1.0, 1.0):
        lowest = [min(values) for values in zip(*(box[:2].tolist() for _, box in boxes), strict=True)]
        highest = [max(values) for values in zip(*(box[2:].tolist() for _, box in boxes), strict=True)]
        return [(pool.batch, np.array([*lowest, *highest]), nowhere)]
    looks: list[tuple[Batch, Array, Array]] = []
    for pass_, box in boxes:
        batch = replace(pool.batch) if looks else pool.batch
        pass_.batches[pass_.batches.index(pool.batch)] = batch
        looks.append((batch, box, (1 - np.array(parallax)) * (box[:2] + box[2:]) / 2))
    return looks


def _pack(world: World, pool: _DrawnPool, batch: Batch, box: Array, shift: Array, back: float, out: Array) -> None:
    """Fill one batch with the particles of a pool that are visible in a box."""
    from ..kernels import pack as kernels

    store, row, page = pool.store, pool.row, pool.page
    preset, look, live = page.preset, page.preset.look, int(pool.store.pools.live[pool.row])
    span = store.span(row)
    center, unit = origin_of(box)
    wide, high = pool.size[0] / look.cells[0], pool.size[1] / look.cells[1]
    matrix = matrix_of(store, row, drawn=True) if preset.local else np.array((1, 0, 0, 1, 0, 0), F32)
    rotation = maths.atan2(float(matrix[1]), float(matrix[0]))
    numbers = np.array([
        back * preset.time_scale, look.stretch, wide / max(wide, high), high / max(wide, high),
        *(box[:2] - shift), *(box[2:] - shift), *(center - shift), 8 / unit, *matrix, rotation, scale_of(matrix),
    ], F32)  # fmt: skip
    order = np.zeros(0, np.int32)
    if look.sort == "lower_last":
        order = np.argsort(-span.columns[1][:live], kind="stable").astype(np.int32)
    count = kernels.pack(
        live, (span.columns, span.extras), (page.speed, page.size, page.color), (pool.frames, F32(look.play)),
        look.aligned, order, -1 if look.sort == "newest_first" else 1, numbers, out,
    )  # fmt: skip
    batch.arrays = {"instances": out[: 2 * count].view(INSTANCE)}
    batch.count, batch.origin, batch.unit = count, (float(center[0]), float(center[1])), unit
    world[Frame].culled += live - count


def origin_of(box: Array) -> tuple[Array, float]:
    """Return the origin of instances that may be anywhere in a box, and the unit of their positions."""
    x0, y0, x1, y1 = box.tolist()
    x, y = floor((x0 + x1) / 2), floor((y0 + y1) / 2)
    reach = max(abs(x0 - x), abs(y0 - y), abs(x1 - x), abs(y1 - y)) * 1.25 + 64
    unit = _MIN_UNIT
    while unit * _REACH < reach:
        unit *= 2
    return np.array((x, y), np.float64), unit


def frames_of(world: World, picture: str, cells: tuple[int, int]) -> tuple[Array, tuple[int, int]]:
    """Return the number of the frame of each cell of a sheet, int32, row by row from the top, and the width and height
    of the sheet.
    """
    source = world[Frame].pictures
    assert source is not None
    first, width, height = source.frame_of(world, picture)
    if cells == (1, 1):
        return np.array([first], np.int32), (width, height)
    wide, high = max(width // cells[0], 1), max(height // cells[1], 1)
    numbers = [
        source.frame_of(world, picture, (column * wide, row * high, wide, high))[0]
        for row in range(cells[1])
        for column in range(cells[0])
    ]
    return np.array(numbers, np.int32), (width, height)

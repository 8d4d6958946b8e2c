"""Shows particles in space: adds their pictures to `Billboards`, which a plugin that draws space reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Stage, system
from rish_frame import Billboards, Frame
from rish_jit import Array
from rish_space3d import Transform3D, WorldMatrices3D

from ..components.notices import Notices
from ..components.settings import ParticleSettings
from ..files.preset_library import Page, PresetLibrary
from ..pools.pools import Store
from .births import times
from .step import curve_at, speed_factor

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32


@system(
    Stage.LATE,
    reads=ParticleSettings,
    writes=(Billboards, PresetLibrary, Notices),
    after=("space3d.interpolate_poses_3d", "frame.clear_billboards"),
    name="show_in_space",
    derive=True,
)
def show_in_space(world: World, dt: float) -> None:
    """The system `particles.show_in_space`: adds the particles in space as they are between the last two ticks."""
    store = Store.in_space(world)
    back = (1.0 - world.alpha) * world.dt * world[ParticleSettings].time_scale
    for row, live in enumerate(store.pools.flat("live").tolist()):
        page = store.page(row) if live else None
        if page is None or not page.preset.look.visible:
            continue
        if not world[Notices].shown and world[Frame].pictures is not None:
            world[Notices](
                "there are particles in space, but no plugin draws them: add 'scene3d' to plugins in game.yaml"
            )
            return
        _show_pool(store, row, page, live, back * page.preset.time_scale)


def _show_pool(store: Store, row: int, page: Page, live: int, back: float) -> None:
    """Add the particles of one pool at their places `back` seconds before the last tick."""
    preset, look, span = page.preset, page.preset.look, store.span(row)
    x, y, vx, vy, age, life, angle, _, size, rgba, z, vz = (column[:live] for column in span.columns)
    extras = [column[:live] for column in span.extras]
    share = np.minimum(age / life, F32(1))
    factor = speed_factor(page, share, extras)
    before = np.minimum(age, F32(back)) * factor
    places = np.stack([x - vx * before, y - vy * before, z - vz * before], axis=1)
    extents = size
    if len(extras[2]):
        extents = np.where(extras[2] >= 0, size + (extras[2] - size) * share, size)
    extents = extents * curve_at(page.size, share)
    along = np.stack([vx, vy, vz], axis=1) * factor[:, None] if look.aligned else None
    if preset.local:
        matrix = _matrix_of(store, row)
        places = places @ matrix[:, :3].T + matrix[:, 3]
        along = None if along is None else along @ matrix[:, :3].T
        extents = extents * F32(abs(float(np.linalg.det(matrix[:, :3].astype(np.float64)))) ** (1 / 3))
    palette = page.color[(share * F32(256) + F32(0.5)).astype(np.int32)]
    colors = times(palette.view(np.uint8).reshape(-1, 4), np.ascontiguousarray(rgba).view(np.uint8).reshape(-1, 4))
    store.world[Billboards].add(
        look.picture, places, extents, angle, colors, cells=look.cells, cell=_cells(page, age, share, extras[3]),
        along=along, stretch=look.stretch, additive=look.blend in ("add", "screen"), lit=look.lit,
    )  # fmt: skip


def _cells(page: Page, age: Array, share: Array, pick: Array) -> Array:
    """Return the numbers of the cells of the picture that particles show, int32 (n,)."""
    look = page.preset.look
    count = look.cells[0] * look.cells[1]
    if count == 1:
        return np.zeros(len(age), np.int32)
    if look.play > 0:
        return (age * F32(look.play)).astype(np.int32) % count
    if look.play < 0:
        return np.minimum((share * F32(count)).astype(np.int32), count - 1)
    return (pick & 0x7FFFFFFF) % count


def _matrix_of(store: Store, row: int) -> Array:
    """Return the matrix of a local pool for drawing, (3, 4): that of its emitter, or the last known one."""
    world, owner = store.world, int(store.pools.owner[row])
    place = world.table(Transform3D).row_of(owner) if owner and world.alive(owner) else -1
    matrices = world[WorldMatrices3D].matrix
    return matrices[place] if 0 <= place < len(matrices) else store.pools.matrix[row].reshape(3, 4)

"""One-shots in space: `emit_3d`, and the orders for its requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import UsageError
from rish_ecs.declarations import distinct
from rish_ecs.random import Stream
from rish_jit import Array
from rish_space3d import local_matrices

from ..births.births import drawn_counts
from ..components.tables import EmitRequest3D
from ..files.preset_library import Page, PresetLibrary, packed
from ..pools.pools import Store
from .emitters import AXES, ORDER, PLACE, SIZE, VELOCITY

if TYPE_CHECKING:
    from rish_core import World

    from .births import SpaceOrders

F32 = np.float32


def emit_3d(
    world: World, preset: str, position: Any, *, count: Any = -1, rotation: Any = (0.0, 0.0, 0.0, 1.0),
    scale: Any = 1.0, velocity: Any = (0.0, 0.0, 0.0), color: Any = (1.0, 1.0, 1.0, 1.0),
) -> None:  # fmt: skip
    """Emit particles of a preset at one place in space or at many, in the next step of the particles.

    preset: a name or an asset. position: (3,) or (n, 3), meters. count: how many at each, one number or n; -1: as many
    as the preset's pulses at the start. rotation: quaternions x y z w, (4,) or (n, 4). scale: of all lengths of the
    preset, one number or n. velocity: (3,) or (n, 3), m/s, which the particles inherit by the share `inherit` of the
    preset. color: a tint 0..1, for all. Must be called in a tick, by a system that declares `writes=EmitRequest3D`.
    Raises UsageError for positions of another shape.
    """
    places = np.asarray(position, F32)
    if places.ndim not in (1, 2) or places.shape[-1] != 3:
        raise UsageError(f"emit_3d: the position must have the shape (3,) or (n, 3), not {places.shape}")
    places = np.atleast_2d(places)
    n = len(places)
    if n:
        world.emit(
            EmitRequest3D,
            preset=preset,
            position=places,
            velocity=np.broadcast_to(np.asarray(velocity, F32), (n, 3)).copy(),
            rotation=np.broadcast_to(np.asarray(rotation, F32), (n, 4)).copy(),
            scale=np.broadcast_to(np.asarray(scale, F32), n).copy(),
            color=np.full(n, packed(color), np.int32),
            count=np.broadcast_to(np.asarray(count, np.int32), n).copy(),
        )


def order_emissions_3d(orders: SpaceOrders, batch: Any) -> None:
    """Convert the requests of `emit_3d` into orders."""
    world = orders.world
    for number in distinct(batch.preset).tolist():
        effect = world[PresetLibrary].effect(world, world.text(number))
        if effect is None:
            continue
        chosen = np.flatnonzero(batch.preset == number)
        rows = np.zeros((len(chosen), ORDER))
        scale = batch.scale[chosen]
        pose = batch.position[chosen], batch.rotation[chosen], np.repeat(scale[:, None], 3, axis=1)
        rows[:, PLACE], rows[:, SIZE] = pose[0], scale
        rows[:, AXES] = local_matrices(*pose, *pose, back=F32(0))[:, :, :3].reshape(-1, 9)
        for name in effect.run:
            page = world[PresetLibrary].page(world, name)
            if page is not None:
                rows[:, VELOCITY] = batch.velocity[chosen] * F32(page.preset.inherit)
                counts = _counts(world, page, batch.count[chosen], main=name == effect.name)
                _order(orders, page, rows, counts, batch.color[chosen])


def _counts(world: World, page: Page, fixed: Array, *, main: bool) -> Array:
    """Return how many particles of a preset each request emits, int64 (n,). fixed: given numbers, -1: the preset's."""
    store, pulses = Store.in_space(world), page.preset.emission.pulses
    stream = Stream(*store.draw(f"{page.preset.name} counts", 2 * len(fixed) * max(len(pulses), 1)))
    counts = np.zeros(len(fixed), np.int64)
    for pulse in pulses:
        if pulse.at == 0:
            counts += drawn_counts(stream, pulse.count, len(fixed))
    return np.where(fixed >= 0, fixed, np.maximum(counts, 1)) if main else counts


def _order(orders: SpaceOrders, page: Page, rows: Array, counts: Array, tints: Array) -> None:
    """Order particles, in a pool for each scale."""
    store = Store.in_space(orders.world)
    for scale in distinct(rows[:, SIZE]).tolist():
        of_scale = rows[:, SIZE] == scale
        pool = store.find(page, page.preset.look.layer, scale, 0)
        if page.preset.alone:
            store.pools.center[pool] = rows[of_scale][-1, PLACE]
        orders.add(store, pool, rows[of_scale], counts[of_scale], tints[of_scale])

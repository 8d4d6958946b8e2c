"""Converts emitters and `emit` requests into orders: counts and positions, for all emitters of a preset together."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rish_core import UsageError
from rish_ecs.declarations import distinct
from rish_ecs.random import Stream
from rish_jit import Array, maths

from ..components.emitter import Emitter
from ..components.tables import EmitRequest
from ..files.preset_library import Page, PresetLibrary, packed
from ..pools.pools import Store
from .births import Orders, drawn_counts
from .cameras import distance_to_cameras
from .places import EmitterPlaces
from .preset_orders import PresetOrders

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32


def emit(
    world: World, preset: str, position: Any, *, count: Any = -1, rotation: Any = 0.0, scale: Any = 1.0,
    velocity: Any = (0.0, 0.0), color: Any = (1.0, 1.0, 1.0, 1.0), layer: str = "", z: float = 0.0,
) -> None:  # fmt: skip
    """Emit particles of a preset at one place or at many, in the next step of the particles.

    preset: a name or an asset. position: (2,) or (n, 2), world units. count: how many at each, one number or n; -1: as
    many as the preset's pulses at the start. rotation: rad; scale: factor; velocity: (2,) or (n, 2), units/s, which
    the particles inherit by the share `inherit` of the preset. color: a tint 0..1, for all. Must be called in a tick,
    by a system that declares `writes=EmitRequest`. Raises UsageError for positions of another shape.
    """
    places = np.asarray(position, F32)
    if places.ndim not in (1, 2) or places.shape[-1] != 2:
        raise UsageError(f"emit: the position must have the shape (2,) or (n, 2), not {places.shape}")
    places = np.atleast_2d(places)
    n = len(places)
    if n:
        world.emit(
            EmitRequest,
            preset=preset,
            position=places,
            velocity=np.broadcast_to(np.asarray(velocity, F32), (n, 2)).copy(),
            rotation=np.broadcast_to(np.asarray(rotation, F32), n).copy(),
            scale=np.broadcast_to(np.asarray(scale, F32), n).copy(),
            count=np.broadcast_to(np.asarray(count, np.int32), n).copy(),
            color=packed(color),
            layer=layer,
            z=z,
        )


def order_emissions(orders: Orders, batch: Any) -> None:
    """Convert the requests of `emit` into orders."""
    world = orders.world
    for number in distinct(batch.preset).tolist():
        effect = world[PresetLibrary].effect(world, world.text(number))
        if effect is None:
            continue
        chosen = batch.preset == number
        rows = np.zeros((int(chosen.sum()), 12))
        scale, rotation = batch.scale[chosen].astype(np.float64), batch.rotation[chosen].astype(np.float64)
        sin, cos = maths.sincos(rotation)
        rows[:, 0:2] = batch.position[chosen]
        rows[:, 4], rows[:, 5], rows[:, 6], rows[:, 7] = cos * scale, sin * scale, -sin * scale, cos * scale
        rows[:, 8], rows[:, 9] = rotation, scale
        for name in effect.run:
            page = world[PresetLibrary].page(world, name)
            if page is not None:
                _order_part(orders, page, batch, chosen, rows.copy(), main=name == effect.name)


def _order_part(orders: Orders, page: Page, batch: Any, chosen: Array, rows: Array, main: bool) -> None:
    world, preset = orders.world, page.preset
    store = Store.of(world, preset.view)
    rows[:, 10:12] = batch.velocity[chosen] * F32(preset.inherit)
    stream = Stream(*store.draw(f"{preset.name} counts", 2 * len(rows) * max(len(preset.emission.pulses), 1)))
    counts = np.zeros(len(rows), np.int64)
    for pulse in preset.emission.pulses:
        if pulse.at == 0:
            counts += drawn_counts(stream, pulse.count, len(rows))
    fixed_counts = batch.count[chosen]
    if main:
        counts = np.where(fixed_counts >= 0, fixed_counts, np.where(counts > 0, counts, 1))
    elif not preset.emission.pulses:
        return
    places = np.column_stack([batch.layer[chosen], batch.z[chosen].view(np.int32)])
    for place in np.array(sorted(set(map(tuple, places.tolist()))), places.dtype):
        in_place = (places == place).all(axis=1)
        layer = world.text(int(place[0])) or preset.look.layer
        z = float(place[1:].astype(np.int32).view(F32)[0]) + preset.look.z
        row = store.find(page, layer, z, 0)
        if preset.alone:
            store.pools.center[row] = rows[in_place][-1, :2]
        order = rows[in_place]
        if preset.local:
            order[:, 2:4] = 0
        orders.add(store, row, order, counts[in_place], batch.color[chosen][in_place])


class Crowd:
    """Emitters that run one effect, as columns. rows: of the table of emitters. matrix: (k, 6), world.

    What only orders need is computed in the ticks in which the emitters emit.
    """

    def __init__(self, world: World, rows: Array, matrix: Array, entities: Array) -> None:
        self.world, self.rows, self.entities, self.matrix = world, rows, entities, matrix
        self.table = world[Emitter]
        self.way = matrix[:, 4:] - self.table.was[rows]

    def store(self, page: Page) -> Store:
        """Return the half of the particles that has those of a preset."""
        return Store.of(self.world, page.preset.view)

    @property
    def owed(self) -> Array:
        """float32 (n, 8): parts of particles that all emitters have yet to emit."""
        return self.table.owed

    def some(self, which: Any) -> Self:
        """Return a part of these emitters."""
        return type(self)(self.world, self.rows[which], self.matrix[which], self.entities[which])

    def remember(self) -> None:
        """Remember the places until the next tick."""
        self.table.was[self.rows] = self.matrix[:, 4:]

    def distances(self) -> Array:
        """Return the distances to the nearest camera, float64 (k,)."""
        return distance_to_cameras(self.world, self.matrix[:, 4:])

    def orders(self, page: Page, part: int, times: Array, dt: float) -> PresetOrders:
        """Return the orders of these emitters for one preset of their effect, see `PresetOrders`."""
        return PresetOrders(self, page, part, times, dt)

    @cached_property
    def far(self) -> Array:
        """float64 (k,): how far each emitter moved in this tick, units."""
        return maths.hypot(self.way[:, 0].astype(np.float64), self.way[:, 1].astype(np.float64))

    @cached_property
    def size(self) -> Array:
        """float64 (k,): the scale of each emitter."""
        return self.table.scale[self.rows].astype(np.float64)

    @cached_property
    def tints(self) -> Array:
        """int32 (k,): the color of each emitter."""
        return np.array([packed(color) for color in self.table.color[self.rows]], np.int32)

    @cached_property
    def poses(self) -> Array:
        """float64 (k, 12): orders with the place, the axes, the rotation and the size of each emitter."""
        matrix, size, orders = self.matrix, self.size, np.zeros((len(self.rows), 12))
        orders[:, 0:2] = matrix[:, 4:]
        orders[:, 4:8] = matrix[:, :4] * size[:, None]
        orders[:, 8] = maths.atan2(matrix[:, 1].astype(np.float64), matrix[:, 0].astype(np.float64))
        area = np.abs(matrix[:, 0] * matrix[:, 3] - matrix[:, 1] * matrix[:, 2]).astype(np.float64)
        orders[:, 9] = maths.sqrt(area) * size
        return orders


def order_emitters(orders: Orders, dt: float, prewarm: Any) -> None:
    """Order the particles that all emitters with a Transform emit in this tick, and update the emitters' times.

    prewarm: called with a crowd of one emitter and a page that must be prewarmed, before it emits for the first time.
    """
    world = orders.world
    if not len(world[Emitter]):
        return
    places: EmitterPlaces = world[EmitterPlaces]
    if len(places.rows):
        order_crowd(Crowd(world, places.rows, places.matrix, places.entities), orders, dt, prewarm)


def order_crowd(everyone: Crowd, orders: Orders, dt: float, prewarm: Any) -> None:
    """Order the particles of emitters of any presets, see `order_emitters`."""
    world, table = everyone.world, everyone.table
    rows = everyone.rows
    starting = (table.ticks[rows] < 0) | (table.running[rows] != table.preset[rows])
    if starting.any():
        _start(everyone.some(starting))
    for number in sorted(set(table.preset[rows].tolist())):
        effect = world[PresetLibrary].effect(world, world.text(number)) if number else None
        indices = np.flatnonzero((table.preset[rows] == number) & table.playing[rows])
        if effect is None or not len(indices):
            continue
        crowd = everyone.some(indices)
        before, after = advance(table, rows[indices], dt)
        for part, name in enumerate(effect.run):
            page = world[PresetLibrary].page(world, name)
            if page is None or page.preset.time_scale * dt <= 0:
                continue
            ahead, scale = page.preset.prewarm, page.preset.time_scale
            for k in np.flatnonzero(before == 0).tolist() if ahead else ():
                prewarm(crowd.some(slice(k, k + 1)), page, part)
            moments = np.stack([before, after]) * scale + ahead
            crowd.orders(page, part, moments, dt * scale).add_to(orders)
    everyone.remember()


def _start(crowd: Crowd) -> None:
    """Start emitters that are new or have another preset; an emitter whose preset is not active is stopped."""
    world, table, rows = crowd.world, crowd.table, crowd.rows
    for number in sorted(set(table.preset[rows].tolist())):
        effect = world[PresetLibrary].effect(world, world.text(number)) if number else None
        of_preset = (table.preset[rows] == number) & table.playing[rows]
        started = rows[of_preset]
        table.ticks[started], table.past[started], crowd.owed[started] = 0, 0, 0
        table.running[started] = number
        crowd.some(of_preset).remember()
        if effect is not None and not effect.main.emission.active:
            table.playing[started] = False


def advance(table: Any, rows: Array, dt: float) -> tuple[Array, Array]:
    """Add this tick to the time of emitters; return their working time at both ends of the tick, two float64 (k,),
    seconds.

    Ticks are counted instead of adding times, so the time of the 216,000th tick, an hour later, is as exact as that of
    the first. When the time step changes, the past time is stored in two numbers of 24 bits each, and the count begins
    again.
    """
    pace = _pace(dt)
    differs = table.pace[rows] != pace
    if differs.any():
        other = rows[differs.any(axis=1)]
        past = _whole(table.past[other]) + table.ticks[other] * _whole(table.pace[other])
        table.past[other], table.ticks[other], table.pace[other] = _halves(past), 0, pace
    past, ticks = _whole(table.past[rows]), table.ticks[rows]
    table.ticks[rows] = ticks + 1
    return past + ticks * dt, past + (ticks + 1) * dt


@lru_cache(maxsize=8)
def _pace(dt: float) -> Array:
    """Return the halves of a time step."""
    return _halves(np.float64(dt))


def _halves(seconds: Any) -> Array:
    """Split float64 numbers into the nearest float32 and the remainder, float32 (..., 2)."""
    upper = F32(seconds)
    return np.stack([upper, F32(seconds - upper)], axis=-1)


def _whole(halves: Array) -> Array:
    """Return the float64 values of numbers that `_halves` has split."""
    return halves[..., 0].astype(np.float64) + halves[..., 1]

"""One tick of all particles in space: forces, movement, age, removal of the dead, children, emission."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Stage, system
from rish_ecs.random import Stream
from rish_jit import Array, maths

from ..births.births import Workshop
from ..births.emission import Crowd
from ..components.emitter import Emitter
from ..components.notices import Notices
from ..components.settings import ParticleSettings
from ..components.tables import SPACE, EmitRequest3D, ViewStreams
from ..files.preset_library import Page, PresetLibrary
from ..kernels.update import FLOW
from ..pools.numbers import drift_of, flow
from ..pools.pools import PoolIndex, Store
from ..preset import Attractor, Forces
from .births import SpaceOrders
from .emission import order_emissions_3d
from .emitters import order_space_emitters

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_KNOTS = 9.0
"""The number of knots of the field of turbulence per length of an eddy, as in two dimensions."""
_WRITES = (*SPACE, Emitter, ViewStreams, PresetLibrary, PoolIndex, Workshop, Notices)


@system(Stage.POST, name="step_space", after="particles.step", reads=(EmitRequest3D, ParticleSettings), writes=_WRITES)
def step_space(world: World, dt: float) -> None:
    """The system `particles.step_space`: advances all particles in space by a tick, and emits new ones."""
    dt *= world[ParticleSettings].time_scale
    store, orders, batch = Store.in_space(world), SpaceOrders(world), world.events(EmitRequest3D)
    if dt > 0 and len(store.pools):
        store.fit()
        owners = store.pools.flat("owner").tolist()
        for row, live in enumerate(store.pools.flat("live").tolist()):
            if live:
                advance(store, row, orders, dt)
            elif owners[row] and not world.alive(owners[row]):
                store.release(row)
    if dt > 0:
        order_space_emitters(orders, dt, lambda crowd, page, part: _prewarm(crowd, page, part, dt))
    if len(batch):
        order_emissions_3d(orders, batch)
    orders.carry_out(dt)


def advance(store: Store, row: int, orders: SpaceOrders, dt: float) -> None:
    """Advance one pool by a tick, and order the children of its particles."""
    page, pools = store.page(row), store.pools
    if page is None:
        pools.live[row] = 0
        return
    preset, live = page.preset, int(pools.live[row])
    dt *= preset.time_scale
    span = store.span(row)
    x, y, vx, vy, age, life, angle, spin, _, _, z, vz = (column[:live] for column in span.columns)
    age += F32(dt)
    share = np.minimum(age / life, F32(1))
    factor = speed_factor(page, share, [column[:live] for column in span.extras])
    swallowed = _push(store, row, preset.forces, (x, y, z), (vx, vy, vz), dt)
    way = factor * F32(dt)
    for place, speed in ((x, vx), (y, vy), (z, vz)):
        place += speed * way
    angle += spin * (curve_at(page.spin, share) + F32(preset.spin_growth) * age) * F32(dt)
    alive = share < 1
    if swallowed is not None:
        alive &= ~swallowed
    dead = np.flatnonzero(~alive)
    if preset.trail is not None:
        stream = Stream(*store.draw(f"{preset.name} trail", live))
        trailing = np.flatnonzero((stream.uniform(size=live) < preset.trail.rate * dt) & alive)
        orders.space_children(
            store, row, preset.trail, orders.points(store, row, trailing), span.columns[9][trailing]
        )  # fmt: skip
    if len(dead):
        if preset.on_death is not None:
            points = orders.points(store, row, dead)
            points[:, 3:] *= factor[dead, None]
            orders.space_children(store, row, preset.on_death, points, span.columns[9][dead])
        kept = live - len(dead)
        for column in (*span.columns, *span.extras):
            if len(column):
                column[:kept] = column[:live][alive]
        pools.live[row] = kept


def speed_factor(page: Page, share: Array, extras: list[Array]) -> Array:
    """Return the factor of speed over life of particles at shares of their lives, float32 (n,)."""
    factor = curve_at(page.speed, share)
    if len(extras[0]):
        first, last = extras[:2]
        factor = factor * (first + (last - first) * share)
    return factor


def curve_at(curve: Array, share: Array) -> Array:
    """Return a curve of `Curve.stepped` at shares of the life, float32 (n,)."""
    steps = curve.reshape(-1, 2)
    if not steps[:, 1].any():
        return np.full(len(share), steps[0, 0], F32)
    at = share * F32(len(steps) - 1)
    first = at.astype(np.int32)
    return steps[first, 0] + steps[first, 1] * (at - first.astype(F32))


def _push(
    store: Store, row: int, forces: Forces, place: tuple[Array, ...], velocity: tuple[Array, ...], dt: float
) -> Array | None:  # fmt: skip
    """Apply the forces of a tick to the velocities; return which particles an attractor has swallowed."""
    scale, swallowed = float(store.pools.z[row]), None
    if forces.turbulence:
        for speed, stirred in zip(velocity, _stirred(store.world.time, forces, place, scale), strict=True):
            speed += stirred * F32(forces.turbulence * scale * dt)
    for each in forces.attractors:
        near = _pull(each, store.pools.center[row], scale, place, velocity, dt)
        swallowed = near if swallowed is None else swallowed | near
    # Exact solution of dv/dt = drag·(wind - v) over the tick: v becomes v·decay + wind·(1 - decay).
    decay = maths.exp(-forces.drag * dt)
    wind, gravity = (*forces.wind, 0.0)[:3], (*forces.gravity, 0.0)[:3]
    for speed, blown, pulled in zip(velocity, wind, gravity, strict=True):
        if decay != 1:
            speed *= F32(decay)
        add = (blown * (1 - decay) + pulled * dt) * scale
        if add:
            speed += F32(add)
    return swallowed


def _pull(
    attractor: Attractor, center: Array, scale: float, place: tuple[Array, ...], velocity: tuple[Array, ...], dt: float
) -> Array:  # fmt: skip
    """Apply one attractor, v += d/|d|·strength·max(1 - |d|/radius, 0)·dt; return which particles it swallows."""
    at = (*attractor.at, 0.0)[:3]
    ways = [F32(center[k] + at[k] * scale) - place[k] for k in range(3)]
    length = np.sqrt(sum((way * way for way in ways), np.zeros(len(place[0]), F32)))
    force = F32(attractor.strength * scale * dt) / np.maximum(length, F32(1e-3))
    if attractor.radius:
        force = force * np.maximum(F32(1) - length / F32(attractor.radius * scale), F32(0))
    for speed, way in zip(velocity, ways, strict=True):
        speed += way * force
    return length < F32(attractor.swallow * scale)


def _stirred(time: float, forces: Forces, place: tuple[Array, ...], scale: float) -> tuple[Array, Array, Array]:
    """Return the velocities of a flow without sources, of which the mean square is 1, at places, float32 (n,) each.

    It is the sum of the two-dimensional flow along three planes.
    """
    per_scale, drifts = F32(_KNOTS / (forces.turbulence_scale * scale)), drift_of(forces, time)
    u, v, w = (part * per_scale for part in place)
    (xy_x, xy_y), (yz_y, yz_z), (zx_z, zx_x) = (_flow_at(*pair, drifts) for pair in ((u, v), (v, w), (w, u)))
    third = F32(3**-0.5)
    return (xy_x + zx_x) * third, (xy_y + yz_y) * third, (yz_z + zx_z) * third


def _flow_at(u: Array, v: Array, drifts: tuple[float, float]) -> tuple[Array, Array]:
    """Return the two-dimensional flow at places in knots of its field, mixed from four knots."""
    u, v = u + F32(drifts[0]), v + F32(drifts[1])
    left, low = np.floor(u), np.floor(v)
    share_u, share_v = u - left, v - low
    c0, r0 = left.astype(np.int32) & FLOW - 1, low.astype(np.int32) & FLOW - 1
    c1, r1 = c0 + 1 & FLOW - 1, (r0 + 1 & FLOW - 1) * FLOW
    r0 = r0 * FLOW

    def mixed(field: Array) -> Array:
        below, above = field[r0 + c0], field[r1 + c0]
        below = below + (field[r0 + c1] - below) * share_u
        above = above + (field[r1 + c1] - above) * share_u
        return below + (above - below) * share_v

    field = flow()
    return mixed(field[: FLOW * FLOW]), mixed(field[FLOW * FLOW :])


def _prewarm(crowd: Crowd, page: Page, part: int, dt: float) -> None:
    """Run one preset of an emitter alone for its `prewarm` time, before its particles are drawn for the first time."""
    world, scaled = crowd.world, dt * page.preset.time_scale
    store, ticks = Store.in_space(world), int(page.preset.prewarm / scaled)
    emission = crowd.orders(page, part, np.arange(ticks + 1)[:, None] * scaled, scaled)
    rows = [pool for _, pool in emission.pools]
    for k in range(ticks):
        orders = SpaceOrders(world)
        for row in rows:
            if store.pools.live[row]:
                advance(store, row, orders, dt)
        emission.add_to(orders, k)
        orders.carry_out(dt)

"""One tick of all particles: move the living particles, collect requests, emit new particles.

pools ─► update (forces, vortices, age, removal of the dead) ─► collide ─► children
emitters, `emit`, events ─────────────────────────────────────► orders ─► births
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Edges, Stage, Transform, system
from rish_ecs.random import RandomStreams, Stream

from ..births.births import Orders, Workshop
from ..births.emission import Crowd, order_emissions, order_emitters
from ..births.preset_orders import PresetOrders
from ..births.reactions import order_reactions
from ..components.emitter import Emitter
from ..components.notices import Notices
from ..components.settings import ParticleSettings
from ..components.tables import STATE, VIEW, EmitRequest, ViewStreams
from ..files.preset_library import Page, PresetLibrary
from ..pools.pools import PoolIndex, Store
from ..preset import Child
from .collisions import collide_pool
from .step_arguments import Ready, ready_of

if TYPE_CHECKING:
    from rish_core import World

_WRITES = (*STATE, *VIEW, Emitter, ViewStreams, RandomStreams, PresetLibrary, PoolIndex, Workshop, Notices)


@system(Stage.POST, name="step", reads=(EmitRequest, ParticleSettings, Transform, Edges), writes=_WRITES)
def step_particles(world: World, dt: float) -> None:
    """The system `particles.step`: advances all particles by a tick, and emits the requested ones."""
    settings = world[ParticleSettings]
    dt = dt * settings.time_scale
    batch = world.events(EmitRequest)
    orders = Orders(world)
    if dt > 0:
        for view in (False, True):
            store = Store.of(world, view)
            if len(store.pools):
                _advance(store, orders, dt)
        order_emitters(orders, dt, lambda crowd, page, part: _prewarm(world, crowd, page, part, dt))
    if len(batch):
        order_emissions(orders, batch)
    if settings.on:
        order_reactions(orders)
    orders.carry_out(dt)


def _advance(store: Store, orders: Orders, dt: float) -> None:
    """Advance all pools of a store; release pools without live particles whose emitter no longer exists."""
    store.fit()
    pools, world = store.pools, store.world
    owners = pools.flat("owner").tolist()
    for row, live in enumerate(pools.flat("live").tolist()):
        if live:
            _move(store, row, orders, dt)
        elif owners[row] and not world.alive(owners[row]):
            store.release(row)


def _move(store: Store, row: int, orders: Orders, dt: float) -> None:
    """Advance one pool by a tick of its own time, and order the children of particles that died or hit something."""
    ready, pools = ready_of(store, row, dt), store.pools
    if ready is None:
        pools.live[row] = 0
        return
    if ready.dt <= 0:
        return
    preset, n = ready.page.preset, pools.flat("live").item(row)
    died = store.world[Workshop].buffer("died", 5 * n)[: 5 * n if preset.on_death is not None else 0]
    alive, dead = ready.update(n, *ready.before, ready.vortices, *ready.after, died)
    if dead:
        pools.live[row] = alive
    if preset.collision is not None and alive:
        collide_pool(store, row, ready.page, ready.span, orders, ready.dt)
    if preset.on_death is not None and dead:
        rows = died[: 5 * dead].reshape(-1, 5)
        points = orders.in_world(store, row, preset, rows[:, :4])
        orders.children(store, row, preset.on_death, points, rows[:, 4].copy().view(np.int32))
    if preset.trail is not None and alive:
        _trail(store, row, ready, preset.trail, alive, orders)


def _trail(store: Store, row: int, ready: Ready, child: Child, live: int, orders: Orders) -> None:
    """Request the trail particles of living particles. Their number is random; on average it is the rate of the
    preset.
    """
    preset, columns = ready.page.preset, ready.span.columns
    stream = Stream(*store.draw(f"{preset.name} trail", live))
    indices = np.flatnonzero(stream.uniform(size=live) < child.rate * ready.dt)
    if len(indices):
        points = np.column_stack([column[:live][indices] for column in columns[:4]])
        orders.children(store, row, child, orders.in_world(store, row, preset, points), columns[9][:live][indices])


def _prewarm(world: World, crowd: Crowd, page: Page, part: int, dt: float) -> None:
    """Run one preset of an emitter alone for its `prewarm` time, before its particles are drawn for the first time."""
    store = Store.of(world, page.preset.view)
    scaled = dt * page.preset.time_scale
    owner, number, ticks = int(crowd.entities[0]), world.intern(page.preset.name), int(page.preset.prewarm / scaled)
    emission = PresetOrders(crowd, page, part, np.arange(ticks + 1)[:, None] * scaled, scaled)
    for k in range(ticks):
        if k <= 1:  # the first tick may add the pool of the emitter
            pools = store.pools
            rows = np.flatnonzero((pools.owner == owner) & (pools.column("preset") == number)).tolist()
        orders = Orders(world)
        for row in rows:
            if pools.live[row]:
                _move(store, row, orders, dt)
        emission.add_to(orders, k)
        orders.carry_out(dt)

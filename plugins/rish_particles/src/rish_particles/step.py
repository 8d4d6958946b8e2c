"""A tick of all particles, as a table of contents: move what lives, take what is wanted, bear it.

pools ─► update (forces, whirls, age, the dead) ─► collide ─► children
emitters, `emit`, events ─────────────────────────────────► orders ─► births
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import Edges, Stage, Transform, system
from rish_core.ecs.random import RandomStreams, Stream

from .births import Orders, Workshop
from .book import Book, Page
from .components import Emitter
from .edge_grid import EdgeGrid, edge_grid
from .emission import Crowd, order_emissions, order_emitters
from .numbers import attractor_rows, flow, step_numbers, vortex_row, vortex_rows
from .pools import PoolIndex, Span, Store
from .preset import RESPONSES
from .reactions import order_reactions
from .settings import Settings
from .tables import (
    Emission,
    Particles,
    Pools,
    Variations,
    ViewParticles,
    ViewPools,
    ViewStreams,
    ViewVariations,
)

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
F32 = np.float32
_log = logging.getLogger("rish.particles")
_WRITES = (
    Emitter, Particles, Variations, Pools, ViewParticles, ViewVariations, ViewPools, ViewStreams, RandomStreams,
    Book, PoolIndex, Workshop,
)  # fmt: skip


@system(Stage.POST, name="step", reads=(Emission, Settings, Transform, Edges), writes=_WRITES)
def step_particles(world: World, dt: float) -> None:
    """`particles.step`: everything is a tick older, and what was wanted is born."""
    dt = dt * world[Settings].speed
    batch = world.events(Emission)
    orders = Orders(world)
    if dt > 0:
        for view in (False, True):
            store = Store.of(world, view)
            _free(store)
            for row in range(len(store.pools)):
                if store.pools.live[row]:
                    _move(store, row, orders, dt)
        order_emitters(orders, dt, lambda crowd, page, part: _prewarm(world, crowd, page, part, dt))
    if len(batch):
        order_emissions(orders, batch)
    order_reactions(orders)
    orders.carry_out(dt)


def _free(store: Store) -> None:
    """Let pools go whose one emitter is gone, and all of their particles."""
    pools, world = store.pools, store.world
    owned = np.flatnonzero((pools.owner != 0) & (pools.live == 0))
    for row in owned[~world.alive(pools.owner[owned])].tolist() if len(owned) else ():
        store.release(row)


def _move(store: Store, row: int, orders: Orders, dt: float) -> None:
    """One pool: a tick of its own time, and the children of those who died or hit something."""
    from .update_kernels import BLOCK, SCRATCH, update

    page = store.page(row)
    pools, world = store.pools, store.world
    if page is None:
        pools.live[row] = 0
        return
    preset, shop = page.preset, world[Workshop]
    dt = dt * preset.time_scale
    if dt <= 0:
        return
    n, ready = int(pools.live[row]), _ready(store, row, page, dt)
    span = store.span(row)
    died = shop.buffer("died", 5 * n)[: 5 * n if preset.on_death is not None else 0]
    kept, dead = update(
        n, *span.columns, *span.extras, page.speed, page.spin, ready.numbers, ready.vortices, ready.attractors, flow(),
        page.steady, shop.buffer("scratch", SCRATCH), shop.buffer("runs", 2 * BLOCK + 2, np.uint64), died,
    )  # fmt: skip
    pools.live[row] = kept
    if preset.collision is not None and not preset.local:
        grid = edge_grid(world)
        if grid is not None:
            _collide(store, row, page, span, grid, orders, dt)
    if preset.on_death is not None and dead:
        rows = died[: 5 * dead].reshape(-1, 5)
        orders.children(store, row, preset.on_death, rows[:, :4].astype(np.float64), rows[:, 4].copy().view(np.int32))
    if preset.trail is not None and kept:
        _trail(store, row, page, span, kept, orders, dt)


class _Ready(NamedTuple):
    """What the step of a pool is told, and what it was worked out from."""

    key: tuple[Any, ...]
    numbers: Array
    vortices: Array
    attractors: Array


def _ready(store: Store, row: int, page: Page, dt: float) -> _Ready:
    """The arguments of a pool's step: those of the last tick where nothing has changed."""
    kept, forces = store.world[Workshop].kept, page.preset.forces
    centre = store.pools.centre[row]
    restless = forces.turbulence != 0 or any(each.emitted for each in forces.vortices)
    key = (page.number, dt, *centre.tolist())
    known = kept.get((store.view, row))
    if known is None or known.key != key:
        attractors = attractor_rows(page.preset, centre, dt)
        known = _Ready(key, step_numbers(page, dt, 0.0), _vortices(store, row, page), attractors)
        kept[store.view, row] = known
    if not restless:
        return known
    return known._replace(numbers=step_numbers(page, dt, store.world.time), vortices=_vortices(store, row, page))


def _vortices(store: Store, row: int, page: Page) -> Array:
    """The numbers of all vortices that act on a pool."""
    pools, centre = store.pools, store.pools.centre[row]
    rows: list[list[float]] = []
    for each in page.preset.forces.vortices:
        if not each.emitted:
            at = (centre[0] + each.at[0], centre[1] + each.at[1])
            rows.append(vortex_row(at, each.turn, each.size, 1.0, each.literal))
            continue
        number = store.world.texts.find(each.emitted)
        for pool in np.flatnonzero((pools.column("preset") == number) & (pools.live > 0)).tolist():
            if pools.owner[pool] not in (0, pools.owner[row]):
                continue
            x, y, _, _, age, life, _, _, size, _ = (c[: int(pools.live[pool])] for c in store.span(pool).columns)
            left = 1 - age / life
            for k in range(len(x)):
                share = float(4 * left[k] * (1 - left[k]))
                if share > 0 and size[k] > 0:
                    rows.append(vortex_row((x[k], y[k]), each.turn, float(size[k]), share, each.literal))
                    rows[-1][4] = 1 / (0.1 * float(size[k]))
    return vortex_rows(rows)


def _collide(store: Store, row: int, page: Page, span: Span, grid: EdgeGrid, orders: Orders, dt: float) -> None:
    from .collide_kernels import HIT, collide

    preset, pools = page.preset, store.pools
    rule = preset.collision
    assert rule is not None
    x, y, vx, vy, age, life, _, spin, _, rgba = span.columns
    first, last, _, pick = span.extras
    n = int(pools.live[row])
    hits = store.world[Workshop].buffer("hits", HIT * n)[: HIT * n if preset.on_hit is not None else 0]
    count = collide(
        n, x, y, vx, vy, age, life, spin, rgba, first, last, pick, page.speed, F32(dt), grid.edges, grid.masks,
        rule.mask, grid.begins, grid.ends, grid.items, *grid.origin, grid.per, grid.wide, grid.high,
        RESPONSES.index(rule.response), F32(rule.bounce), F32(rule.friction), hits,
    )  # fmt: skip
    if preset.on_hit is not None and count:
        rows = hits[: HIT * count].reshape(-1, HIT)
        colours = rows[:, 6].copy().view(np.int32)
        orders.children(store, row, preset.on_hit, rows[:, :4].astype(np.float64), colours, rows[:, 4:6])


def _trail(store: Store, row: int, page: Page, span: Span, live: int, orders: Orders, dt: float) -> None:
    """What living particles leave behind them, as often as their preset says on average."""
    child = page.preset.trail
    assert child is not None
    name = f"{page.preset.name} trail"
    stream = Stream(*store.draw(name, live))
    chosen = np.flatnonzero(stream.uniform(size=live) < child.rate * dt)
    if len(chosen):
        points = np.column_stack([span.columns[k][:live][chosen] for k in range(4)]).astype(np.float64)
        orders.children(store, row, child, points, span.columns[9][:live][chosen])


def _prewarm(world: World, crowd: Crowd, page: Page, part: int, dt: float) -> None:
    """Run one emitter's preset alone for as long as it says, before it is first seen."""
    store = Store.of(world, page.preset.view)
    scaled = dt * page.preset.time_scale
    owner = int(crowd.entities[0])
    for k in range(int(page.preset.prewarm / scaled)):
        orders = Orders(world)
        pools = store.pools
        number = world.texts.find(page.preset.name)
        for row in np.flatnonzero((pools.owner == owner) & (pools.column("preset") == number)).tolist():
            if pools.live[row]:
                _move(store, row, orders, dt)
        crowd.order(orders, page, part, np.full(1, k * scaled, F32), np.full(1, (k + 1) * scaled, F32), scaled)
        orders.carry_out(dt)

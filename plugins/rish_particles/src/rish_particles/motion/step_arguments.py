"""The arguments of a pool's step: computed once, and cached until a value that they depend on changes.

A tick of a few particles costs less than computing the kernel's arguments, so these are cached in the PoolIndex. They
are valid while the columns are the same arrays, and the pool has the same preset, time step and center; `Store.fit`
removes them when presets change. Only values that change in every tick are updated: turbulence drifts, emitted vortices
move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_jit import Array

from ..births.births import Workshop
from ..files.preset_library import Page
from ..pools.numbers import attractor_rows, drift_of, flow, step_numbers, vortex_row, vortex_rows
from ..pools.pools import PoolIndex, Span, Store

F32 = np.float32


@dataclass(slots=True)
class Ready:
    """The arguments of a pool's step.

    key, flat: the values that they depend on. dt: s, of the pool's own time. update: the kernel, which is imported only
    if there are particles. before, vortices, after: the arguments of `update` between the number of live particles and
    the array `died`. numbers: float32, the argument in `before` that contains the drift of turbulence.
    """

    key: tuple[Any, ...]
    flat: Array
    page: Page
    span: Span
    dt: float
    numbers: Array
    update: Callable[..., Any]
    before: tuple[Any, ...]
    vortices: Array
    after: tuple[Any, ...]
    drifts: bool
    whirls: bool


def ready_of(store: Store, row: int, dt: float) -> Ready | None:
    """Return the arguments of a pool's step in this tick; None if its preset can't be loaded."""
    world, pools = store.world, store.pools
    cache = world[PoolIndex].ready
    x, y = pools.flat("center")[2 * row : 2 * row + 2].tolist()
    key = (pools.flat("preset").item(row), dt, x, y)
    ready: Ready | None = cache.get((store.view, row))
    if ready is None or ready.key != key or ready.flat is not store.particles.flat("x"):
        page = store.page(row)
        if page is None:
            return None
        ready = cache[store.view, row] = _build_arguments(store, row, page, key, dt * page.preset.time_scale)
    if ready.drifts:
        ready.numbers[-2:] = drift_of(ready.page.preset.forces, world.time)
    if ready.whirls:
        ready.vortices = _vortices(store, row, ready.page)
    return ready


def _build_arguments(store: Store, row: int, page: Page, key: tuple[Any, ...], dt: float) -> Ready:
    from ..kernels.update import BLOCK, SCRATCH, update

    shop, forces = store.world[Workshop], page.preset.forces
    span, numbers = store.span(row), step_numbers(page, dt)
    scratch, runs = shop.buffer("scratch", SCRATCH), shop.buffer("runs", 2 * BLOCK + 2, np.uint64)
    return Ready(
        key=key,
        flat=store.particles.flat("x"),
        page=page,
        span=span,
        dt=dt,
        numbers=numbers,
        update=update,
        before=((span.columns, span.extras), (page.speed, page.spin, page.straight), numbers),
        vortices=_vortices(store, row, page),
        after=((attractor_rows(page.preset, store.pools.center[row], dt), flow()), (scratch, runs)),
        drifts=forces.turbulence != 0,
        whirls=any(each.emitted for each in forces.vortices),
    )


def _vortices(store: Store, row: int, page: Page) -> Array:
    """Return the numbers of all vortices that act on a pool."""
    pools, center = store.pools, store.pools.center[row]
    rows: list[list[float]] = []
    for each in page.preset.forces.vortices:
        if not each.emitted:
            at = (center[0] + each.at[0], center[1] + each.at[1])
            rows.append(vortex_row(at, each.turn, each.size, 1.0, each.literal))
            continue
        number = store.world.texts.find(each.emitted)
        for pool in np.flatnonzero((pools.column("preset") == number) & (pools.live > 0)).tolist():
            if pools.owner[pool] not in (0, pools.owner[row]):
                continue
            x, y, _, _, age, life, _, _, size, _ = (c[: int(pools.live[pool])] for c in store.span(pool).columns)
            remaining = 1 - age / life
            for k in range(len(x)):
                share = float(4 * remaining[k] * (1 - remaining[k]))
                if share > 0 and size[k] > 0:
                    rows.append(vortex_row((x[k], y[k]), each.turn, float(size[k]), share, each.literal))
                    rows[-1][4] = 1 / (0.1 * float(size[k]))
    return vortex_rows(rows)

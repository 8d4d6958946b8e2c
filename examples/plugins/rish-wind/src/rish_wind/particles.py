"""The wind on the particles of `rish-particles`, if that plugin is part of the game."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Stage, World, system
from rish_jit import maths

from .air import air_at
from .components import WindSettings, WindZone


@system(Stage.FORCES, writes=World, events=())
def blow_particles(world: World, dt: float) -> None:
    """Let all live particles in zones take on the velocity of the air; walls give them no shelter."""
    drag = world[WindSettings].particle_drag
    if not drag or not len(world[WindZone]):
        return
    for prefix in ("", "View"):
        particles, pools = (world.kind(f"particles.{prefix}{name}") for name in ("Particles", "Pools"))
        if particles is not None and pools is not None and world[pools].live.any():
            _carry(world, world[particles], _live_rows(world[pools]), 1 - maths.exp(-drag * dt))


def _live_rows(pools: Any) -> Any:
    """Return the rows of all live particles: the first `live` rows of the span of each pool."""
    spans = zip(pools.start.tolist(), pools.live.tolist(), strict=True)
    return np.concatenate([np.arange(start, start + live) for start, live in spans])


def _carry(world: World, table: Any, rows: Any, share: float) -> None:
    places = np.column_stack([table.x[rows], table.y[rows]]).astype(np.float64)
    air, inside, _ = air_at(world, places, sheltered=False)
    some = np.flatnonzero(inside > 0)
    if not len(some):
        return
    rows, taken = rows[some], share * inside[some]
    table.vx[rows] += (air[some, 0] - table.vx[rows]) * taken
    table.vy[rows] += (air[some, 1] - table.vy[rows]) * taken
    table.mark(rows)

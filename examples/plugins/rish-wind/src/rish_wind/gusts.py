"""What changes in a zone: gusts, which begin at random times of the World's stream `wind`, and the drift of eddies."""

from __future__ import annotations

import numpy as np

from rish_core import Stage, Transform, World, system, world_matrices

from .air import blown_to
from .components import GustBegan, WindZone


@system(Stage.PRE, reads=Transform, writes=(WindZone, GustBegan), name="gusts")
def advance_gusts(world: World, dt: float) -> None:
    """Advance the gusts of all zones, begin those that are due, and announce them by `GustBegan`."""
    zones = world.query(WindZone, Transform)
    if not len(zones):
        return
    stream = world.random("wind")
    frames = world_matrices(world, zones.rows(Transform)).astype(np.float64)
    velocities = blown_to(zones[WindZone.direction], frames) * zones[WindZone.speed][:, None]
    with zones.edit(WindZone.drift) as drift:
        drift += velocities * dt
    has, length = zones[WindZone.gust] > 0, zones[WindZone.gust_length]
    interval = zones[WindZone.gust_every].astype(np.float64)
    names = (WindZone.seed, WindZone.gust_wait, WindZone.gust_age, WindZone.gust_peak)
    with zones.edit(*names) as (seed, wait, age, peak):
        new = seed == 0
        if new.any():
            seed[new] = stream.integers(1, 2**31 - 1, int(new.sum()))
            wait[new] = interval[new] * stream.uniform(0.2, 1.2, int(new.sum()))
        blows = age >= 0
        age[blows] += np.float32(dt)
        age[age >= length] = -1
        wait[has & (age < 0)] -= np.float32(dt)
        is_due = has & (age < 0) & (wait <= 0)
        if not is_due.any():
            return
        count = int(is_due.sum())
        age[is_due] = 0
        peak[is_due] = zones[WindZone.gust][is_due] * stream.uniform(0.6, 1, count)
        wait[is_due] = np.maximum(interval[is_due] - length[is_due], 0) * stream.uniform(0.5, 1.5, count)
        world.emit(GustBegan, zone=zones.entities[is_due], speed=peak[is_due], seconds=length[is_due])

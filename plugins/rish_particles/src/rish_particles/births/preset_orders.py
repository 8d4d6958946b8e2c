"""What the emitters of one effect emit of one of its presets, in one tick or in several that follow each other.

What does not depend on what else happens in these ticks is computed for all of them at once, because an emitter that
is prewarmed runs hundreds of ticks within one.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs.random import Stream
from rish_jit import Array

from ..components.settings import ParticleSettings
from ..files.preset_library import Page
from .births import Orders, drawn_counts
from .times import Spell, moments, pulses_within, spells_of

if TYPE_CHECKING:
    from .emission import Crowd

_ROUNDING = 1e-3
"""The largest rounding error of float32 in `owed`, the fraction of a particle that an emitter has not emitted yet."""


class PresetOrders:
    """The orders of a crowd of k emitters for one preset of their effect, in n ticks.

    part: the index of the preset in the effect. times: float64 (n + 1, k), seconds of the emitters' own time at the
    borders of the ticks. dt: seconds of their own time in one tick. `owed` is advanced over all ticks at once.
    """

    def __init__(self, crowd: Crowd, page: Page, part: int, times: Array, dt: float) -> None:
        self.crowd, self.page, self.dt = crowd, page, dt
        self.store = crowd.store(page)
        self.rate = crowd.table.rate_scale[crowd.rows].astype(np.float64)
        borders = moments(times)
        self.spells = spells_of(page.preset.emission, borders[:-1], borders[1:])
        self.steady = self._steady(part, borders)

    def _steady(self, part: int, borders: Array) -> Array:
        """Return the number of particles that each emitter emits evenly over each tick, float64 (n, k)."""
        crowd, pattern = self.crowd, self.page.preset.emission
        length = borders[1:] - borders[:-1]
        at_work = sum((spell.lasting for spell in self.spells), np.zeros(length.shape))
        number = pattern.rate * at_work
        if pattern.per_unit:
            number += pattern.per_unit * crowd.far * (at_work / np.maximum(length * 1e-9, 1e-9))
        owed, steady = crowd.owed[crowd.rows, part], np.empty(length.shape)
        for tick, due in enumerate(number * self.rate):
            total = owed + due
            steady[tick] = np.floor(total + _ROUNDING)
            owed = (total - steady[tick]).astype(np.float32)
        crowd.owed[crowd.rows, part] = owed
        return steady

    @cached_property
    def pools(self) -> list[tuple[Any, int]]:
        """The pools that these emitters fill, each with the indices of its emitters."""
        crowd, preset, store = self.crowd, self.page.preset, self.store
        owners = crowd.entities if preset.alone else np.zeros(len(crowd.rows), np.int64)
        layers, depths = crowd.table.layer[crowd.rows], crowd.table.z[crowd.rows]
        keys = list(zip(layers.tolist(), depths.tolist(), owners.tolist(), strict=True))
        pools: list[tuple[Any, int]] = []
        for key in dict.fromkeys(keys):
            layer, z, owner = key
            pool = store.find(self.page, crowd.world.text(layer) or preset.look.layer, z + preset.look.z, owner)
            which = [k for k, other in enumerate(keys) if other == key] if len(set(keys)) > 1 else slice(None)
            if owner:
                k = which[0] if isinstance(which, list) else 0
                store.pools.matrix[pool] = crowd.matrix[k] if preset.local else (1, 0, 0, 1, 0, 0)
                store.pools.center[pool] = (0, 0) if preset.local else crowd.matrix[k, 4:]
            pools.append((which, pool))
        return pools

    @cached_property
    def rows(self) -> Array:
        """float64 (k, 12): the order of each emitter."""
        crowd, preset = self.crowd, self.page.preset
        rows = crowd.poses.copy()
        rows[:, 2:4] = crowd.way
        rows[:, 10:12] = crowd.way * (preset.inherit / self.dt)
        if preset.local:
            rows[:, 0:4] = rows[:, 10:12] = rows[:, 8] = 0
            rows[:, 4:8] = np.outer(crowd.size, (1, 0, 0, 1))
            rows[:, 9] = crowd.size
        return rows

    def add_to(self, orders: Orders, tick: int = 0) -> None:
        """Order the particles of a tick. A preset whose emitters have pools of their own gets these in any case."""
        preset, tints = self.page.preset, self.crowd.tints
        spread, burst = self.steady[tick], self._bursts(tick)
        if preset.view:
            spread, burst = self._thinned(spread), self._thinned(burst)
        emits = spread.any() or burst.any()
        if not emits and not preset.alone:
            return
        for which, pool in self.pools:
            if emits:
                orders.add(self.store, pool, self.rows[which], spread[which], tints[which], spread=True)
                orders.add(self.store, pool, self.rows[which], burst[which], tints[which])

    def _bursts(self, tick: int) -> Array:
        """Return the number of particles that each emitter emits in bursts, for the pulses whose times are in this
        tick, float64 (k,).
        """
        rate, name = self.rate, f"{self.page.preset.name} counts"
        burst = np.zeros(len(rate))
        for pulse in self.page.preset.emission.pulses:
            spells = (Spell(spell.begin[tick], spell.end[tick]) for spell in self.spells)
            times = sum((pulses_within(pulse, spell) for spell in spells), np.zeros(len(rate), np.int64))
            maximum = int(times.max(initial=0))
            if maximum:
                stream = Stream(*self.store.draw(name, 2 * len(rate) * maximum))
                for k in range(maximum):
                    amounts = drawn_counts(stream, pulse.count, len(rate)) * rate
                    burst += np.where(times > k, np.floor(amounts + 0.5), 0)
        return burst

    def _thinned(self, counts: Array) -> Array:
        """Return the counts of a view preset, reduced by the quality setting and by `reach`. `owed` is state, so it
        does not change.
        """
        world, preset = self.crowd.world, self.page.preset
        quality = world[ParticleSettings].quality
        if quality == 1 and not preset.reach:
            return counts
        share = np.full(len(counts), quality)
        if preset.reach:
            share[self.crowd.distances() > preset.reach] = 0
        if (share == 1).all():
            return counts
        stream = Stream(*self.store.draw(f"{preset.name} counts", len(counts)))
        return np.floor(counts * share + stream.uniform(size=len(counts)))

"""What emitters emit in several ticks that are computed at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_particles import Emitter
from rish_particles.births.births import Orders
from rish_particles.births.emission import Crowd
from rish_particles.births.preset_orders import PresetOrders
from rish_particles.files.preset_library import PresetLibrary
from rish_particles.preset import Emission, Pulse

TICKS, DT = 150, 1 / 60


def ordered(yard: Any, name: str, per_call: int) -> tuple[list[Any], list[float]]:
    """Return the counts that two emitters order in each tick, and what they owe at the end."""
    world = yard.world
    table = world[Emitter]
    table.owed[:] = 0
    crowd = Crowd(world, np.arange(2), np.tile(np.float32((1, 0, 0, 1, 5, 0)), (2, 1)), np.zeros(2, np.int64))
    page = world[PresetLibrary].page(world, name)
    counts: list[Any] = []
    for first in range(0, TICKS, per_call):
        times = np.repeat(np.arange(first, first + per_call + 1)[:, None] * DT, 2, axis=1)
        emission = PresetOrders(crowd, page, 0, times, DT)
        for tick in range(per_call):
            orders = Orders(world)
            emission.add_to(orders, tick)
            counts.append([wholes.tolist() for parts in orders.requests.values() for _, wholes in parts])
    return counts, table.owed[:, 0].tolist()


@pytest.mark.parametrize(
    "emission",
    [
        Emission(rate=50, per_unit=0.3),
        Emission(rate=31, duration=0.3, pause=0.2, delay=0.1, loop=True),
        Emission(rate=7, pulses=(Pulse((3.0, 3.0), at=0.2, every=0.15, times=4),), duration=1.0, loop=True),
    ],
)
def test_many_ticks_at_once_are_the_same_as_one_by_one(yard: Any, emission: Emission) -> None:
    """The counts of each tick and the fractions that are owed do not depend on how many ticks are computed at once."""
    name = yard.add(life=(9.0, 9.0), emission=emission)
    yard.put(name, rate_scale=1.3)
    yard.put(name, x=5.0)
    yard.run()
    counts, owed = ordered(yard, name, 1)
    assert ordered(yard, name, TICKS) == (counts, owed)
    assert sum(map(len, counts)) > 20

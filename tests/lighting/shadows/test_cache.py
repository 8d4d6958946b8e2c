"""The cache of shadow maps: lamps that come, go and change places keep their own maps."""

from __future__ import annotations

import numpy as np
import pytest

from rish_lighting import formulas as f
from rish_lighting.lamps.lamps import Lamps
from rish_lighting.shadows.cache import ShadowCache
from rish_lighting.walls.walls import Walls

SEEN = np.array([0.0, 0, 300, 300])


def lamps(*numbers: int) -> Lamps:
    """Return point lights of one size, each at a place of its own."""
    table, count = np.zeros((len(numbers), f.COLUMNS)), len(numbers)
    table[:, f.X], table[:, f.Y], table[:, f.RADIUS] = [40 * number for number in numbers], 100, 60
    one, none = np.ones(count, np.bool_), np.zeros(count)
    mask, family = np.full(count, -1, np.int32), np.zeros(count, np.int64)
    return Lamps(table, [-1] * count, mask, family, np.array(numbers, np.int64), one, none, np.zeros((count, 4)), [])


def walls() -> Walls:
    """Return some edges near the lamps."""
    begin = np.random.default_rng(3).random((30, 2)) * 300
    edges = np.concatenate([begin, begin[::-1]], axis=1).astype(np.float32)
    return Walls(edges, np.zeros(30, np.int64), np.ones(30, np.int32), np.ones(30, np.uint8))


def maps(cache: ShadowCache, shown: Lamps) -> list[bytes]:
    """Return the texels and the reach of each lamp."""
    made = cache.update(shown, walls(), 1.0, SEEN)
    spans = shown.table[:, [f.START, f.BINS]].astype(int).tolist()
    found = enumerate(spans)
    return [made.texels[at : at + size].tobytes() + made.reach[k].tobytes() for k, (at, size) in found]


@pytest.mark.parametrize("then", [(1, 2, 3), (3, 2, 1), (1, 4, 3), (2, 3), (3, 1, 2, 4)])
def test_each_lamp_has_its_own_map(then: tuple[int, ...]) -> None:
    """After lamps changed places, came or went, each has the map that a new cache computes."""
    cache = ShadowCache()
    maps(cache, lamps(1, 2, 3))
    assert maps(cache, lamps(*then)) == maps(ShadowCache(), lamps(*then))

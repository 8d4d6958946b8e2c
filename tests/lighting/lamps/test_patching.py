"""Lamps that change are collected alone, with the result of collecting all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core import Disabled, Transform
from rish_lighting import Light, LightFalloff, LightKind
from rish_lighting.lamps.lamps import Lamps

CHANGES: tuple[Light, ...] = (
    Light(color=(1, 0, 0, 1)), Light(intensity=0.0), Light(intensity=2.0), Light(radius=40.0), Light(radius=0.0),
    Light(kind=LightKind.SPOT, angle=1.0), Light(kind=LightKind.DIRECTIONAL), Light(kind=LightKind.TEXTURED),
    Light(kind=LightKind.POINT), Light(falloff=LightFalloff.LINEAR), Light(enabled=False), Light(enabled=True),
    Light(layers=("world",)), Light(shadows=True), Light(flicker=0.5), Light(mask=3),
)  # fmt: skip


def change(world: Any, random: np.random.Generator) -> None:
    """Do one random change of few lights."""
    handles = world.table(Light).entities
    some = random.permutation(handles)[: int(random.integers(1, 4))]
    match int(random.integers(0, 9)):
        case 0:
            world.spawn(Transform(position=tuple(random.uniform(0, 99, 2))), Light())
        case 1:
            world.despawn(some[:1])
        case 2:
            world.set(some, Transform(position=tuple(random.uniform(0, 99, 2))))
        case 3:
            world.add(some[:1], Disabled())
        case _:
            world.set(some, CHANGES[int(random.integers(len(CHANGES)))])


@pytest.mark.parametrize("seed", range(6))
def test_patched_lamps_are_those_of_a_new_collection(hall: Any, seed: int):
    """After random changes, the lamps of a frame equal those that are computed anew."""
    made = hall("- {count: 30, Transform: {}, Light: {}}")
    world, random = made.world, np.random.default_rng(seed)
    for _ in range(80):
        for _ in range(int(random.integers(0, 3))):
            change(world, random)
        made.app.run(frames=1)
        lamps, new = world[Lamps], Lamps()
        new.compute(world)
        assert lamps.bits == new.bits
        assert lamps.images == new.images
        for name in ("table", "mask", "family", "number", "casts", "length", "wavering"):
            np.testing.assert_array_equal(getattr(lamps, name), getattr(new, name))


def test_one_lamp_that_changes_its_color_collects_no_others(hall: Any, monkeypatch: pytest.MonkeyPatch):
    """A new color of one lamp among many does not compute all lamps again."""
    made = hall("- {count: 200, Transform: {}, Light: {}}")
    made.app.run(frames=2)
    computed: list[int] = []
    monkeypatch.setattr(Lamps, "compute", lambda self, world: computed.append(1))
    made.world.set(made.world.table(Light).entities[7:8], Light(color=(1, 0, 0, 1)))
    made.app.run(frames=2)
    assert computed == []

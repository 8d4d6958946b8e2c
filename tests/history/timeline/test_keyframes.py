"""Keyframes: compressed states of a world, each of which is restored exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core import InputRecord, Transform, World
from rish_history.timeline import timeline as module
from rish_history.timeline.keyframes import Packer


@pytest.mark.parametrize("count", [0, 1, 300])
def test_each_keyframe_is_the_state(count: int) -> None:
    """Keyframes of moving, new and removed entities, over several bases, unpack to the snapshots of their moments."""
    world = World([Transform], seed=3)
    world.spawn_many(count, Transform)
    packer, random = Packer(world), np.random.default_rng(1)
    frames, states = [], []
    for step in range(40):
        world[Transform].position += random.normal(size=(len(world[Transform]), 2)).astype(np.float32)
        if step % 7 == 6:
            world.despawn(world[Transform].entities[:2])
            world.spawn_many(step, Transform(rotation=step))
        world.end_tick()
        if step == 30:
            packer.restart()
        frames.append(packer.pack())
        states.append(world.snapshot().to_bytes())
    assert [k for k, frame in enumerate(frames) if frame.base] == [0, 16, 30]
    for k in range(40):
        first = max(base for base in (0, 16, 30) if base <= k)
        assert packer.unpack(frames[first : k + 1]).to_bytes() == states[k]


def test_what_rests_is_small() -> None:
    """The difference of two equal states needs few bytes, whatever the number of entities; moving ones need more."""
    world = World([Transform])
    world.spawn_many(5000, Transform(position=np.random.default_rng(2).normal(size=(5000, 2))))
    packer = Packer(world)
    whole, rested = packer.pack(), packer.pack()
    world[Transform].position[:10] += np.float32(0.1)
    moved = packer.pack()
    assert len(rested.columns) < 50 < len(moved.columns) < 400 < len(whole.columns)


def test_expensive_keyframes_are_rarer(birds: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A keyframe that took 10 ms is followed by ticks of 200 ms, a cheap one by ticks of 20 ms."""
    app = birds()
    timeline = module.Timeline(app, 10**7)
    clock = [0.0, 0.0]

    def now() -> float:
        clock[0] += clock[1]
        return clock[0]

    monkeypatch.setattr(module, "thread_time", now)
    for cost, expected in ((0.0, [0, 4, 8]), (0.01, [0, 40, 80])):
        clock[1] = cost
        timeline.forget()
        start = app.world.tick
        timeline.before_tick()
        for _ in range(85 if cost else 10):
            app.world.tick += 1
            timeline.after_tick(InputRecord(), 0.00501)
        assert [frame.tick - start for frame in timeline.frames] == expected

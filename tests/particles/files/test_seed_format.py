"""The import of the seed's JSON format keeps the meaning of its values."""

from __future__ import annotations

import json
import logging
from typing import Any

import numpy as np
import pytest

from rish_core import AssetError
from rish_particles import Emitter, emit, load_seed
from rish_particles.files.preset_library import PresetLibrary
from rish_particles.preset import Preset

VALUES: dict[str, Any] = {
    "angleRange": {"x": 45, "y": 135}, "startSpeed": 100, "endSpeed": 20, "startSize": 10, "endSize": 2,
    "rotateSpeed": 3, "emitNumber": 4, "emitVariance": 6, "maxParticleLife": 90, "maxParticlesPerFrame": 10,
    "poolSize": 900, "active": True, "life": -1, "sleepTime": 0.1, "startColor": {"x": 1, "y": 0.5, "z": 0, "w": 1},
    "endColor": {"x": 0, "y": 0, "z": 1, "w": 0}, "rotSpeedRand": {"x": 1, "y": 1},
    "startSpeedRand": {"x": 0.5, "y": 1},
    "endSpeedRand": {"x": 1, "y": 1}, "emitVarianceRand": {"x": 0, "y": 1}, "startSizeRand": {"x": 1, "y": 1},
    "endSizeRand": {"x": 1, "y": 1}, "lifeRand": {"x": 0.5, "y": 1}, "disX": 30, "disY": 8, "texture": "fire.png",
}  # fmt: skip


def seed(**values: Any) -> Preset:
    """Return the preset of the default JSON values, with some of them changed."""
    return load_seed(json.dumps({"value0": {**VALUES, **values}}), "x.json").presets[""]


def test_units_become_ours():
    """Frames become seconds, degrees radians, ranges spans, and the pool size the capacity."""
    preset = seed()
    assert preset.capacity == 900
    assert preset.life == pytest.approx((0.75, 1.5))
    assert preset.direction == pytest.approx((np.pi / 4, 3 * np.pi / 4))
    assert preset.speed == (50, 100)
    assert (preset.end_speed, preset.end_size) == ((20, 20), (2, 2))
    assert preset.shape.size == (30, 8)
    assert preset.look.picture == "fire.png"
    assert preset.emission.duration == -1


@pytest.mark.slow
def test_values_go_from_start_to_end_in_straight_lines(yard: Any):
    """Speed, size and color change linearly from start to end; checked at 0, ½ and 1."""
    preset = seed(startSpeedRand={"x": 1, "y": 1}, lifeRand={"x": 1, "y": 1}, angleRange={"x": 0, "y": 0}, disX=0)
    assert [preset.color_over_life.at(t) for t in (0, 0.5, 1)] == [
        (1, 0.5, 0, 1), (0.5, 0.25, 0.5, 0.5), (0, 0, 1, 0),
    ]  # fmt: skip
    effect = load_seed(json.dumps({"value0": {**VALUES, "disX": 0, "disY": 0, "angleRange": {"x": 0, "y": 0},
        "startSpeedRand": {"x": 1, "y": 1}, "lifeRand": {"x": 1, "y": 1}}}))  # fmt: skip
    yard.world[PresetLibrary].add(effect, "seed.json")
    emit(yard.world, "seed.json", (0, 0), count=1)
    before = yard.run().particles()["x"][0]
    way = []
    for _ in range(89):
        after = yard.run().particles()["x"][0] if yard.live() else np.nan
        way.append((after - before) * 60)
        before = after
    assert way[0] == pytest.approx(100, rel=0.02)
    assert way[44] == pytest.approx(60, rel=0.02)
    assert way[-2] == pytest.approx(21.3, rel=0.04)


def test_the_spin_grows_each_frame(yard: Any):
    """The spin grows each frame by its first value: after n frames the angle is n·(n+1)/2 times that."""
    yard.world[PresetLibrary].add(
        load_seed(json.dumps({"value0": {**VALUES, "lifeRand": {"x": 1, "y": 1}}})), "seed.json"
    )
    emit(yard.world, "seed.json", (0, 0), count=1)
    yard.run(31)
    wanted = np.radians(3) / 60 * 30 * 31 / 2
    assert yard.particles()["angle"][0] == pytest.approx(wanted, rel=0.01)


@pytest.mark.slow
def test_counts_are_whole_parts_and_come_once_in_each_sleep(yard: Any):
    """Every tenth of a second, int(4 + 6·U(0, 1)) particles are emitted: 4 to 9, 6.5 on average."""
    yard.world[PresetLibrary].add(load_seed(json.dumps({"value0": {**VALUES, "maxParticleLife": 6000}})), "seed.json")
    yard.put("seed.json")
    counts = [0] + [yard.run().live() for _ in range(300)]
    born = np.diff(counts)
    born = born[born > 0]
    assert len(born) in (50, 51)
    assert set(born.tolist()) <= set(range(4, 10))
    assert born.mean() == pytest.approx(6.5, abs=0.8)


def test_unknown_keys_are_warnings_and_wrong_values_errors(caplog: pytest.LogCaptureFixture):
    """An unknown key is a warning and a wrong value an error; both name the file and the key."""
    with caplog.at_level(logging.WARNING):
        seed(startSped=3)
    assert "x.json: value0.startSped: unknown key (did you mean 'startSpeed'?) is left out" in caplog.text
    with pytest.raises(AssetError, match=r"x\.json: value0\.startSpeed: must be a number"):
        seed(startSpeed="fast")
    with pytest.raises(AssetError, match="no emitter of the seed's"):
        load_seed("[]")
    with pytest.raises(AssetError, match=r"<seed>:1:2"):
        load_seed("{")


def test_the_pool_is_no_larger_than_it_says():
    """`poolSize` limits the capacity; without it, frames and particles per frame set it."""
    assert seed(poolSize=40).capacity == 40
    assert seed(poolSize=5000).capacity == 900
    assert seed(maxParticleLife=10).capacity == 100
    with pytest.raises(AssetError, match=r"x\.json: value0\.poolSize: 0 is out of range"):
        seed(poolSize=0)


def test_an_emitter_that_is_not_active_waits(yard: Any):
    """An emitter whose JSON is inactive waits until `playing` is set."""
    assert seed(active=True).emission.active
    with pytest.raises(AssetError, match=r"x\.json: value0\.active: must be true or false"):
        seed(active=1)
    yard.world[PresetLibrary].add(load_seed(json.dumps({"value0": {**VALUES, "active": False}})), "seed.json")
    emitter = yard.put("seed.json")
    assert yard.run(10).live() == 0
    yard.world.set(emitter, Emitter(playing=True))
    assert yard.run(10).live() > 0

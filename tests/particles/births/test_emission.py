"""The number, times and places of emitted particles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_core import Disabled, Transform, UsageError, kind_of, world_matrices
from rish_particles import EmitRequest as Wish
from rish_particles import Emitter, ParticleSettings, Pools, emit
from rish_particles.births.emission import advance
from rish_particles.preset import Emission, Preset, Pulse

TICK = 1 / 60


def test_a_rate_is_kept_exactly(yard: Any):
    """An emitter with a rate of 50 a second emits exactly 100 in 2 s; fractions carry over to later ticks."""
    yard.put(yard.add(life=(99.0, 99.0), emission=Emission(rate=50)))
    yard.run(120)
    assert yard.live() == 100


def test_the_emitters_rate_multiplies(yard: Any):
    """`rate_scale` multiplies the preset's rate, and 0 pauses the emitter."""
    preset = yard.add(life=(99.0, 99.0), emission=Emission(rate=60))
    yard.put(preset, rate_scale=2.5)
    yard.put(preset, rate_scale=0)
    yard.run(60)
    assert yard.live() == 150


def test_pulses_come_at_their_times(yard: Any):
    """Pulses are emitted at their times: at the start, later, and repeatedly."""
    pulses = (Pulse((10.0, 10.0)), Pulse((1.0, 1.0), at=0.5, every=0.25, times=3))
    yard.put(yard.add(life=(99.0, 99.0), emission=Emission(pulses=pulses)))
    counts = [yard.run().live() for _ in range(90)]
    assert counts[0] == 10
    assert counts[28] == 10
    assert counts[-1] == 13
    assert np.flatnonzero(np.diff(counts)).tolist() == [pytest.approx(k, abs=1) for k in (29, 44, 59)]


def test_a_way_emits_by_its_length(yard: Any):
    """An emitter with `per_unit` emits evenly along its path, at any speed."""
    emitter = yard.put(yard.add(life=(99.0, 99.0), emission=Emission(per_unit=0.5)))
    yard.run(2)
    for k in range(1, 5):
        yard.world.set(emitter, Transform(position=(10 * k, 0)))
        yard.run()
    found = yard.particles()
    assert len(found["x"]) == 20
    assert np.allclose(np.diff(np.sort(found["x"])), 2, atol=0.01)


def test_an_emitter_that_does_not_play_rests(yard: Any):
    """An emitter with `playing` off emits nothing while its particles live on; it continues when switched on."""
    emitter = yard.put(yard.add(life=(99.0, 99.0), emission=Emission(rate=60)))
    yard.run(10)
    yard.world.set(emitter, Emitter(playing=False))
    yard.run(10)
    assert yard.live() == 10
    yard.world.set(emitter, Emitter(playing=True))
    assert yard.run(10).live() == 20


def test_particles_survive_their_emitter(yard: Any):
    """Particles of a despawned emitter live on; a pool of its own is reused by the next emitter afterwards."""
    preset = yard.add(life=(0.5, 0.5), capacity=70, local=True, emission=Emission(rate=60))
    emitter = yard.put(preset)
    yard.run(10)
    yard.world.despawn(emitter)
    assert yard.run(5).live() == 10
    assert yard.run(40).live() == 0
    rows = len(yard.world[Pools])
    yard.put(preset)
    yard.run(5)
    assert len(yard.world[Pools]) == rows


def test_one_shots_from_code(yard: Any):
    """`emit` accepts one place or many, a count, a rotation and a tint."""
    preset = yard.add(life=(9.0, 9.0), speed=(10.0, 10.0), emission=Emission(pulses=(Pulse((3.0, 3.0)),)))
    emit(yard.world, preset, (5, 6))
    emit(yard.world, preset, np.arange(8).reshape(4, 2), count=2, rotation=np.pi / 2, color=(1, 0, 0, 1))
    found = yard.run().particles()
    assert len(found["x"]) == 3 + 8
    assert found["x"][:3].tolist() == [5, 5, 5]
    assert found["vy"][3:] == pytest.approx(10)
    assert (found["rgba"][3:].view(np.uint8).reshape(-1, 4) == [255, 0, 0, 255]).all()


def test_one_shots_of_a_stream_give_one(yard: Any):
    """`emit` of a preset without pulses and without a count emits one particle."""
    emit(yard.world, yard.add(emission=Emission(rate=100)), (0, 0))
    assert yard.run().live() == 1


def test_a_place_that_is_none_is_refused(yard: Any):
    """A place of a wrong shape raises UsageError."""
    with pytest.raises(UsageError, match=r"emit: the position must have the shape \(2,\) or \(n, 2\), not \(3,\)"):
        emit(yard.world, "fire", (1, 2, 3))


def test_an_effect_runs_its_presets_together(yard: Any):
    """An emitter of an effect runs the presets named in the effect's `run`, and no others."""
    inner = Preset(name="#smoke", life=(9.0, 9.0), emission=Emission(rate=30))
    other = Preset(name="#spare", life=(9.0, 9.0), emission=Emission(rate=30))
    name = yard.add("fire", inner, other, run=("", "#smoke"), life=(9.0, 9.0), emission=Emission(rate=60))
    yard.put(name)
    yard.run(60)
    assert (yard.live(name), yard.live(f"{name}#smoke"), yard.live(f"{name}#spare")) == (60, 30, 0)


def test_prewarmed_emitters_are_at_work_when_first_seen(yard: Any):
    """A prewarmed emitter starts with the particles of `prewarm` seconds."""
    preset = yard.add(life=(9.0, 9.0), prewarm=2.0, speed=(60.0, 60.0), emission=Emission(rate=60))
    yard.put(preset)
    found = yard.run().particles()
    assert len(found["x"]) == 121
    assert found["x"].max() == pytest.approx(120, abs=2)


def test_particles_inherit_velocity(yard: Any):
    """Particles inherit the preset's share of the emitter's velocity."""
    emitter = yard.put(yard.add(life=(9.0, 9.0), inherit=0.5, emission=Emission(rate=60)))
    yard.run(2)
    yard.world.set(emitter, Transform(position=(2, 0)))
    yard.run()
    assert yard.particles()["vx"][-1] == pytest.approx(60)


def test_the_size_of_an_emitter_scales_all_of_it(yard: Any):
    """An emitter's `scale` and the scale of its Transform multiply the sizes and speeds of particles."""
    yard.put(
        yard.add(size=(4.0, 4.0), speed=(10.0, 10.0), emission=Emission(rate=60)), scale=2, place={"scale": (3, 3)}
    )
    found = yard.run().particles()
    assert found["size"] == pytest.approx(24)
    assert found["vx"] == pytest.approx(60)


def test_children_of_a_parent_are_where_they_seem(yard: Any):
    """An emitter with a parent emits at its world pose, not its local one."""
    parent = yard.world.spawn(Transform(position=(100, 0), rotation=np.pi / 2))
    preset = yard.add(speed=(10.0, 10.0), emission=Emission(rate=60))
    yard.world.spawn(Transform(position=(5, 0), parent=parent), Emitter(preset=preset))
    found = yard.run().particles()
    assert (found["x"][0], found["vx"][0], found["vy"][0]) == pytest.approx((100, 0, 10), abs=1e-3)


@pytest.mark.parametrize("emitters", [1, 40])
def test_emitters_follow_whatever_carries_them(yard: Any, emitters: int):
    """Emitters are at their world poses in each tick: nothing, another entity, what carries them, or they move; one of
    them goes, comes, or is disabled; and one of them, or its parent, gets its Transform later. A value that was not
    computed again is compared with a computed one.
    """
    world, preset = yard.world, yard.add(emission=Emission(rate=60))
    world.check_derived()
    top, other = world.spawn(Transform(position=(10, 0))), world.spawn(Transform())
    middle = world.spawn(Transform(position=(0, 5), rotation=0.5, parent=top))
    placed = [world.spawn(Transform(position=(k, 0), parent=middle), Emitter(preset=preset)) for k in range(emitters)]
    unplaced, bare = world.spawn(Emitter(preset=preset)), world.spawn()
    world.spawn(Transform(position=(1, 1), parent=bare), Emitter(preset=preset))
    changes = [
        lambda: None,
        lambda: world.add(unplaced, Transform(position=(6, 2))),
        lambda: world.add(bare, Transform(position=(9, 9))),
        lambda: world.set(other, Transform(position=(3, 3))),
        lambda: world.set(top, Transform(position=(20, 1))),
        lambda: world.set(placed[0], Transform(position=(-4, 2))),
        lambda: world.despawn(other),
        lambda: world.add(placed[0], Disabled()),
        lambda: world.remove(placed[0], Disabled),
        lambda: placed.append(world.spawn(Transform(position=(7, 7)), Emitter(preset=preset))),
        lambda: world.set(middle, Transform(rotation=1.0)),
        lambda: world.despawn(placed.pop(0)),
    ]
    for change in changes:
        change()
        yard.run()
        table, enabled = world[Emitter], world.query(Emitter, Transform).entities
        at = world_matrices(world, world[Transform].rows_of(enabled))[:, 4:]
        assert table.was[table.rows_of(enabled)].tolist() == at.tolist()


def test_time_can_be_slowed(yard: Any):
    """Time can be slowed for one preset, and stopped for all particles."""
    slow = yard.add("slow", life=(9.0, 9.0), time_scale=0.5, emission=Emission(rate=60))
    yard.put(slow)
    yard.run(60)
    assert yard.live() == 30
    yard.world[ParticleSettings].time_scale = 0
    assert yard.run(10).live() == 30
    assert yard.particles()["age"].max() < 0.52


def test_the_wish_says_what_it_is():
    """Every field of the event EmitRequest has a description."""
    assert all(spec.doc for spec in kind_of(Wish).fields.values())


def test_a_preset_that_waits_is_started_by_hand(yard: Any):
    """An emitter of an inactive preset is off until `playing` is set; a one-shot of it is emitted immediately."""
    preset = yard.add(life=(99.0, 99.0), emission=Emission(rate=60, active=False))
    emitter = yard.put(preset)
    assert yard.run(10).live() == 0
    assert not yard.world.get(emitter, Emitter).playing
    emit(yard.world, preset, (0, 0))
    assert yard.run(1).live() == 1
    yard.world.set(emitter, Emitter(playing=True))
    assert yard.run(10).live() == 11


@pytest.mark.slow
def test_minutes_later_an_emitter_is_as_exact_as_in_its_first_second(yard: Any):
    """After two minutes, an hour in a long run, an emitter's time has not drifted and pulses are in their ticks."""
    minutes = long(60, 2)
    pulse = Pulse((1.0, 1.0), every=0.5, times=-1)
    yard.put(yard.add(life=(99.0, 99.0), emission=Emission(pulses=(pulse,))))
    yard.run()
    table, rows = yard.world[Emitter], np.zeros(1, np.int64)
    for _ in range(3600 * minutes - 31):
        after = advance(table, rows, TICK)[1]
    assert after[0] - (60 * minutes - 0.5) == pytest.approx(0, abs=1e-12)
    counts = [yard.run().live() for _ in range(120)]
    assert np.flatnonzero(np.diff(counts)).tolist() == [29, 59, 89]


def test_the_pace_of_time_may_change_at_any_moment(yard: Any):
    """A change of `time_scale` affects only the time after it."""
    emitter = yard.put(yard.add(life=(99.0, 99.0), emission=Emission(rate=60)))
    yard.run(30)
    yard.world[ParticleSettings].time_scale = 0.5
    yard.run(60)
    yard.world[ParticleSettings].time_scale = 2
    yard.run(15)
    assert yard.live() == 30 + 30 + 30
    one = yard.world.get(emitter, Emitter)
    assert sum(one.past) + one.ticks * sum(one.pace) == pytest.approx(1.5)


def test_each_moment_is_the_end_of_one_tick_and_the_beginning_of_the_next(yard: Any):
    """Each tick begins at the time at which the previous one ended, however often dt changes."""
    yard.put(yard.add())
    yard.run()
    table, rows, last = yard.world[Emitter], np.zeros(1, np.int64), None
    for k in range(500):
        dt = TICK if k % 100 < 90 else TICK * (1 + k % 7 / 10)
        before, after = advance(table, rows, dt)
        assert last is None or before[0] == pytest.approx(last, abs=1e-12)
        last = after[0]

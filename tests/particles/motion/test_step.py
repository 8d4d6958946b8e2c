"""Complete ticks: state, life and death, child particles, edges, events."""

from __future__ import annotations

import gc
import logging
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import publish_edges
from rish_particles import Particles, Pools, ViewParticles, ViewPools, emit
from rish_particles.components.tables import Variations
from rish_particles.pools.pools import Store
from rish_particles.preset import (
    Attractor,
    Child,
    Collision,
    Emission,
    Forces,
    ParticleLight,
    ParticleLook,
    Preset,
    Pulse,
    Vortex,
)

RED = (1.0, 0.0, 0.0, 1.0)
BUSY: dict[str, Any] = {
    "life": (0.2, 0.8),
    "speed": (20.0, 60.0),
    "direction": (0.0, 6.0),
    "end_size": (1.0, 2.0),
    "emission": Emission(rate=300, pulses=(Pulse((5.0, 20.0), every=0.1, times=-1),)),
    "forces": Forces(gravity=(0, -90), turbulence=50, vortices=(Vortex(size=500),), attractors=(Attractor(),)),
}


def test_a_run_is_the_same_again(new_yard: Any):
    """Two runs with all features have the same hash."""
    hashes = []
    for _ in range(2):
        yard = new_yard()
        yard.put(yard.add(**BUSY))
        hashes.append(yard.run(50).world.hash())
    assert hashes[0] == hashes[1]


def test_particles_are_state(yard: Any):
    """A restored snapshot continues to the same hash, and ticks change the hash."""
    yard.put(yard.add(**BUSY))
    yard.run(20)
    middle, before = yard.world.snapshot(), yard.world.hash()
    after = yard.run(30).world.hash()
    assert after != before
    yard.world.restore(middle)
    assert yard.world.hash() == before
    assert yard.run(30).world.hash() == after


def test_what_is_for_the_eye_is_no_state(new_yard: Any):
    """View particles do not change the hash of the state, at any quality."""
    hashes = []
    for quality in (0.0, 0.3, 1.0):
        yard = new_yard(settings=f"{{particles: {{quality: {quality}}}}}")
        yard.put(yard.add("seen", view=True, **BUSY))
        yard.put(yard.add("real", **BUSY))
        yard.run(30)
        assert yard.live("seen.particles.yaml", view=True) == 0 or quality > 0
        tables = {k: v for k, v in yard.world.hashes().items() if "ParticleSettings" not in k}
        hashes.append(tables)
    assert hashes[0] == hashes[1] == hashes[2]


@settings(max_examples=long(25, 10), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 90), st.integers(1, 20)), min_size=1, max_size=12), st.integers(1, 60))
def test_a_pool_never_exceeds_its_size_and_never_loses_a_slot(wishes: list[tuple[int, int]], capacity: int):
    """Random requests never exceed the capacity, and live, dropped and dead particles add up to those requested."""
    from rish_core import Transform, World
    from rish_particles import Effect
    from rish_particles import plugin as plug
    from rish_particles.files.preset_library import PresetLibrary
    from rish_particles.motion.step import step_particles

    declared = [*plug.rish_components(), *plug.rish_events(), Transform]
    made = [cls for cls in plug.rish_resources() if hasattr(cls, "__kind__")]
    world = World([*declared, *made])
    for cls in plug.rish_resources():
        if not hasattr(cls, "__kind__"):
            world.put(cls())
    world.put(plug.rish_settings()())
    effect = Effect("", {"": Preset(capacity=capacity, life=(0.05, 0.3))}, ("",))
    world[PresetLibrary].add(effect, "x.particles.yaml")
    wanted = died = 0
    for count, ticks in wishes:
        emit(world, "x.particles.yaml", (0, 0), count=count)
        wanted += count
        for _ in range(ticks):
            step_particles(world, 1 / 60)
            world.end_tick()
            pools = world[Pools]
            live = int(pools.live[0])
            assert 0 <= live <= capacity
            assert pools.capacity[0] == capacity
            span = Store.of(world, False).span(0)
            assert (span.columns[4][:live] < span.columns[5][:live]).all()
    died = wanted - int(world[Pools].dropped[0]) - int(world[Pools].live[0])
    assert died >= 0


def test_children_are_born_where_a_particle_dies(yard: Any):
    """Child particles are emitted where a particle dies, with its tint and the inherited share of its velocity."""
    spark = Preset(name="#spark", life=(9.0, 9.0))
    child = Child("#spark", (4.0, 4.0), inherit=0.5)
    name = yard.add("shell", spark, life=(0.1, 0.1), speed=(60.0, 60.0), colors=((1.0, 0.0, 0.0, 1.0),), on_death=child)
    emit(yard.world, name, (0, 0))
    found = yard.run(8).particles(f"{name}#spark")
    assert len(found["x"]) == 4
    assert found["vx"] == pytest.approx(30)
    assert 5 < found["x"].min() < 9
    assert (found["rgba"].view(np.uint8).reshape(-1, 4) == [255, 0, 0, 255]).all()


def test_children_at_birth_and_along_the_way(yard: Any):
    """Each particle emits one child at birth, and children along its trail at the given rate."""
    inner = [Preset(name="#flash", life=(9.0, 9.0)), Preset(name="#mist", life=(9.0, 9.0), capacity=5000)]
    parts = {"on_birth": Child("#flash"), "trail": Child("#mist", rate=30)}
    name = yard.add("comet", *inner, life=(9.0, 9.0), **parts)
    emit(yard.world, name, np.zeros((50, 2)))
    yard.run(61)
    assert yard.live(f"{name}#flash") == 50
    assert yard.live(f"{name}#mist") == pytest.approx(50 * 30, rel=0.1)


def test_children_of_children_end(yard: Any):
    """A preset that emits itself at birth does not hang the game."""
    name = yard.add("hydra", capacity=500, life=(9.0, 9.0), on_birth=Child("hydra.particles.yaml", (2.0, 2.0)))
    emit(yard.world, name, (0, 0))
    assert 1 < yard.run().live() < 200


@pytest.mark.parametrize("response", ["bounce", "die", "stick"])
def test_edges_stop_particles(yard: Any, response: str):
    """Particles bounce off, die at or stick to a floor that is solid below."""
    publish_edges(yard.world, "test", x0=100.0, y0=0.0, x1=-100.0, y1=0.0)
    name = yard.add(
        "ball", life=(3.0, 3.0), speed=(100.0, 100.0), direction=(-1.5708, -1.5708), spin=(1.0, 1.0),
        collision=Collision(response, bounce=0.5, friction=0.0),
    )  # fmt: skip
    emit(yard.world, name, (0, 20))
    yard.run(20)
    if response == "die":
        assert yard.live() == 0
        return
    found = yard.particles()
    if response == "bounce":
        assert found["vy"][0] == pytest.approx(50)
        assert found["y"][0] > 1
    else:
        assert (found["vy"][0], found["spin"][0]) == (0, 0)
        height = found["y"][0]
        assert 0 < height < 0.2
        assert yard.run(10).particles()["y"][0] == height


def test_edges_let_through_what_comes_from_inside(yard: Any):
    """Edges are solid on one side, so a particle emitted inside passes through to the outside."""
    publish_edges(yard.world, "test", x0=100.0, y0=0.0, x1=-100.0, y1=0.0)
    preset = yard.add(life=(3.0, 3.0), speed=(100.0, 100.0), direction=(1.5708, 1.5708), collision=Collision())
    emit(yard.world, preset, (0, -20))
    assert yard.run(30).particles()["y"][0] > 20


def test_hits_bear_children_along_the_normal(yard: Any):
    """Child particles of a hit fly along the edge's normal."""
    publish_edges(yard.world, "test", x0=100.0, y0=0.0, x1=-100.0, y1=0.0)
    drop = Preset(name="#drop", life=(9.0, 9.0), speed=(10.0, 10.0))
    name = yard.add(
        "rain", drop, life=(3.0, 3.0), speed=(100.0, 100.0), direction=(-1.5708, -1.5708),
        collision=Collision("die"), on_hit=Child("#drop", (3.0, 3.0)),
    )  # fmt: skip
    emit(yard.world, name, (0, 20))
    found = yard.run(20).particles(f"{name}#drop")
    assert len(found["x"]) == 3
    assert found["vy"] == pytest.approx(10, abs=1e-3)


def test_particles_of_another_preset_whirl(yard: Any):
    """An emitted vortex turns the particles around it."""
    once, many = (Emission(pulses=(Pulse((n, n)),)) for n in (1.0, 50.0))
    eddy = Preset(name="#eddy", life=(2.0, 2.0), size=(4000.0, 4000.0), emission=once)
    name = yard.add(
        "dust", eddy, run=("", "#eddy"), life=(9.0, 9.0), shape=_ring(), emission=many,
        forces=Forces(vortices=(Vortex(turn=(4.0, 4.0), emitted="#eddy"),)),
    )  # fmt: skip
    yard.put(name)
    yard.run(2)
    before = yard.particles(name)
    after = yard.run(60).particles(name)
    turned = np.angle(np.exp(1j * (np.arctan2(after["y"], after["x"]) - np.arctan2(before["y"], before["x"]))))
    assert (turned > 0.5).all()


def _ring() -> Any:
    from rish_particles.preset import EmitterShape

    return EmitterShape("ring", radius=(5.0, 6.0))


@pytest.mark.slow
def test_events_bear_particles_by_settings_alone(new_yard: Any):
    """The settings map an event to a preset and a place: a contact of a box emits sparks."""
    scene = """
    - {at: [0, 0], Transform: {}, Collider: {size: [200, 10]}}
    - {at: [30, 30], Transform: {}, Body: {velocity: [0, -300]}, Collider: {size: [10, 10], contact_events: true}}
"""
    rule = "{physics.ContactBegin: {preset: sparks, at: point, along: normal}}"
    yard = new_yard("physics, particles", f"{{particles: {{on: {rule}}}}}", scene)
    yard.run(12)
    born = yard.particles("rish_particles:presets/sparks.particles.yaml")
    assert len(born["x"]) > 20
    assert born["y"].max() > 10
    assert np.abs(born["x"] - 30).max() < 120


def test_several_reactions_to_one_event_and_their_colors(new_yard: Any):
    """Each reaction of a list emits; the color is that of a field of the event, or one for all events."""
    from types import SimpleNamespace

    from rish_core import App, Color, Stage, event, field, parse_manifest, system
    from rish_particles import Pools
    from rish_particles.components.tables import Particles

    @event
    class Bang:
        x: float = field(0.0)
        y: float = field(0.0)
        loud: bool = False
        paint: Color = (1, 1, 1, 1)

    @system(Stage.UPDATE, writes=Bang)
    def bang(world: Any, dt: float) -> None:
        if world.tick == 0:
            world.emit(Bang, x=1.0, y=0.0, loud=True, paint=(1, 0, 0, 1))
            world.emit(Bang, x=2.0, y=0.0, paint=(0, 1, 0, 1))

    game = SimpleNamespace(rish_events=lambda: [Bang], rish_systems=lambda: [bang])
    loud = "{preset: smoke, at: [x, y], color: blue, count: 1, strength: loud, minimum: 1}"
    rules = f"[{{preset: smoke, at: [x, y], color: paint, count: 2}}, {loud}]"
    settings = f"{{particles: {{on: {{bangs.Bang: {rules}}}}}}}"
    text = f"rish: 1\nplugins: [particles, bangs]\nsettings: {settings}\nscenes: {{main: []}}\n"
    with App(parse_manifest(text), headless=True, extra={"bangs": game}, policy="raise") as app:
        app.run(2)
        live = int(app.world[Pools].live.sum())
        tints = app.world[Particles].rgba[:live].view(np.uint8).reshape(-1, 4)[:, :3]
    assert live == 5
    assert sorted(np.flatnonzero(row)[0] for row in tints) == [0, 0, 1, 1, 2]


def test_a_preset_that_changes_takes_effect_at_once(new_yard: Any, tmp_path: Any):
    """After a reload of a preset its particles live on and follow the new values."""
    folder = tmp_path / "hot"
    folder.mkdir()
    file = folder / "glow.particles.yaml"
    file.write_text("life: 9\nemit: {rate: 60}\n", encoding="utf-8")
    yard = new_yard(folder=folder)
    yard.put("glow.particles.yaml")
    yard.run(10)
    file.write_text("life: 9\nemit: {rate: 600}\nforces: {gravity: [0, -60]}\n", encoding="utf-8")
    from rish_core import Assets

    assert yard.world[Assets].reload("glow.particles.yaml")
    yard.run(1)
    found = yard.particles()
    assert len(found["x"]) == 20
    assert found["vy"][0] == pytest.approx(-1)


@pytest.mark.slow
def test_nothing_grows_in_thousands_of_ticks(yard: Any):
    """Tables, buffers and Python's memory do not grow with children, edges, local pools and one-shots."""
    publish_edges(yard.world, "test", x0=100.0, y0=-20.0, x1=-100.0, y1=-20.0)
    inner = Preset(name="#spark", life=(0.1, 0.2), capacity=60)
    child = Child("#spark", (0.0, 2.0))
    parts = {**BUSY, "capacity": 60, "emission": Emission(rate=60)}
    yard.put(yard.add("world", inner, **parts, on_death=child, on_hit=child, collision=Collision()))
    yard.put(yard.add("local", **parts, local=True, collision=Collision("stick"), light=ParticleLight()))
    shot = yard.add("shot", **{**parts, "view": True})

    def go(ticks: int) -> None:
        for _ in range(ticks):
            emit(yard.world, shot, (3, 4), count=1)
            yard.app.tick()
            yard.world.end_frame()

    go(long(500, 200))
    sizes = {kind: yard.world[kind].nbytes for kind in (Particles, Variations, Pools, ViewParticles, ViewPools)}
    gc.collect()
    before = sys.getallocatedblocks()
    go(long(9500, 300))
    gc.collect()
    assert sys.getallocatedblocks() - before < 300
    assert {kind: yard.world[kind].nbytes for kind in sizes} == sizes


def test_the_tables_do_not_grow_in_play(yard: Any):
    """The tables are as large after many ticks as after the first few."""
    yard.put(yard.add(**BUSY, look=ParticleLook()))
    yard.run(5)
    before = yard.world[Particles].nbytes
    yard.run(100)
    assert yard.world[Particles].nbytes == before


def test_more_room_and_other_columns_come_at_once(yard: Any):
    """A changed preset resizes its pools immediately: the oldest particles stay, those without room are counted."""
    preset = yard.add(capacity=20, life=(9.0, 9.0), speed=(60.0, 60.0))
    emit(yard.world, preset, (0, 0), count=20)
    before = yard.run().particles()
    yard.add(capacity=500, life=(9.0, 9.0), speed=(60.0, 60.0), end_size=(1.0, 1.0))
    emit(yard.world, preset, (0, 0), count=100)
    found = yard.run().particles()
    assert len(found["x"]) == 120
    assert found["x"][:20] == pytest.approx(before["x"] + 1)
    assert found["last_size"].tolist() == [-1] * 20 + [1] * 100
    yard.add(capacity=50, life=(9.0, 9.0), speed=(60.0, 60.0))
    found = yard.run().particles()
    assert len(found["x"]) == 50
    assert int(yard.world[Pools].dropped.sum()) == 70
    assert found["x"][:20] == pytest.approx(before["x"] + 2)


def test_children_of_local_particles_are_born_where_they_seem(yard: Any):
    """Children of local particles are emitted at the world place of the parent, which is stored in emitter space."""
    spark = Preset(name="#spark", life=(9.0, 9.0))
    name = yard.add("shell", spark, life=(0.05, 0.05), local=True, speed=(60.0, 60.0),
                    on_death=Child("#spark", inherit=1), emission=Emission(pulses=(Pulse((1.0, 1.0)),)))  # fmt: skip
    yard.put(name, 200, 100, place={"rotation": np.pi / 2})
    found = yard.run(8).particles(f"{name}#spark")
    assert found["x"] == pytest.approx(200, abs=0.1)
    assert found["y"][0] > 102
    assert found["vy"] == pytest.approx(60, abs=0.1)


@pytest.mark.parametrize("response", ["bounce", "die", "stick"])
def test_edges_stop_local_particles(yard: Any, response: str):
    """Edges stop local particles at their world places, with a rotated and scaled emitter."""
    publish_edges(yard.world, "test", x0=500.0, y0=0.0, x1=-500.0, y1=0.0)
    down = Emission(pulses=(Pulse((1.0, 1.0)),))
    name = yard.add("ball", life=(3.0, 3.0), speed=(50.0, 50.0), local=True, emission=down,
                    collision=Collision(response, bounce=0.5, friction=0.0))  # fmt: skip
    yard.put(name, 100, 20, place={"rotation": -np.pi / 2, "scale": (2, 2)})
    yard.run(30)
    if response == "die":
        assert yard.live() == 0
        return
    found = yard.particles()
    height = 20 - 2 * float(found["x"][0])
    assert found["y"][0] == pytest.approx(0, abs=0.01)
    if response == "bounce":
        assert found["vx"][0] == pytest.approx(-25, abs=0.01)
        assert 1 < height < 20
    else:
        assert found["vx"][0] == 0
        assert 0 < height < 0.3


def test_what_is_solid_nowhere_is_said_once(yard: Any, caplog: pytest.LogCaptureFixture):
    """A colliding preset in a game without published edges is logged once, and its particles fall through."""
    with caplog.at_level(logging.INFO, "rish.particles"):
        yard.put(yard.add(life=(9.0, 9.0), emission=Emission(rate=60), collision=Collision()))
        yard.run(5)
    assert caplog.text.count("the world has no edges, so its particles pass through everything") == 1
    assert yard.live() == 5

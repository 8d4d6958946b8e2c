"""Rish's side of the benchmark `particles`: Apps with only particles."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import App, Transform, parse_manifest
from rish_frame import Frame
from rish_particles import Effect, Emitter, Particles, Pools, PresetLibrary, emit
from rish_particles.curves import ramp
from rish_particles.preset import Emission, Forces, Preset, Vortex

from ._task import Task

MANY, FEW, BORN = 1_000_000, 10_000, 100_000
NAME = "bench.particles.yaml"
_PARTS: dict[str, Any] = {
    "direction": (0.0, 6.28),
    "speed": (10.0, 60.0),
    "spin": (-1.0, 1.0),
    "speed_over_life": ramp((1.0,), (0.3,)),
    "size_over_life": ramp((1.0,), (0.0,)),
    "color_over_life": ramp((1.0, 1.0, 1.0, 1.0), (1.0, 0.2, 0.0, 0.0)),
    "forces": Forces(gravity=(0.0, -10.0), drag=0.2, vortices=(Vortex(size=1e5),)),
}


def _app(capacity: int, **parts: Any) -> App:
    manifest = parse_manifest("rish: 1\ngame: {size: [640, 360]}\nplugins: [particles]\n")
    app = App(manifest, headless=True, backend="null")
    app.world[PresetLibrary].add(Effect("", {"": Preset(capacity=capacity, **{**_PARTS, **parts})}, ("",)), NAME)
    return app


def _full(count: int) -> App:
    app = _app(count, life=(50_000.0, 90_000.0) if count == MANY else (1e5, 2e5))
    emit(app.world, NAME, (0, 0), count=count)
    app.tick()
    assert int(app.world[Pools].live[0]) == count
    return app


def _ticking(app: App) -> Task:
    app.tick()
    return Task(app.tick, after=app.close)


def million() -> Task:
    """A tick of a million particles."""
    return _ticking(_full(MANY))


def few() -> Task:
    """A tick of ten thousand particles."""
    return _ticking(_full(FEW))


def churn() -> Task:
    """A tick of a million particles, of which ten thousand die while as many are emitted."""
    app = _app(MANY, life=(1.0, 2.4), emission=Emission(rate=600_000.0))
    app.world.spawn(Transform(), Emitter(preset=NAME))
    for _ in range(160):
        app.tick()
    return _ticking(app)


def spawn() -> Task:
    """A tick in which a hundred thousand particles are emitted at one place."""
    app = _app(BORN)
    world = app.world

    def before() -> None:
        world[Pools].live[:] = 0
        emit(world, NAME, (0, 0), count=BORN)

    before()
    app.tick()
    return Task(app.tick, before=before, after=app.close)


class _White:
    """A replacement for a renderer's images."""

    def frame_of(self, world: Any, path: str, region: Any = (0, 0, 0, 0), /) -> tuple[int, int, int]:
        return 0, 64, 64


def pack() -> Task:
    """A frame without a tick: pack a hundred thousand particles, all visible, into sprite instances."""
    app = _full(BORN)
    world, frame = app.world, app.world[Frame]
    frame.pictures = _White()
    rng, first = np.random.default_rng(1), int(world[Pools].start[0])
    world[Particles].x[first : first + BORN] = rng.uniform(0, 640, BORN)
    world[Particles].y[first : first + BORN] = rng.uniform(0, 360, BORN)

    def run() -> None:
        app.frame(seconds=0.0)

    run()
    assert sum(batch.count for batch in frame.passes["main"].batches) == BORN
    return Task(run, after=app.close)

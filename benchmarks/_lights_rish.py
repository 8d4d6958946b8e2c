"""Rish's lights: a game with the plugins render and lighting, one tick and one frame at a time.

Only the work that `_lights_seed` does as well is measured: lights and boxes are collected, shadows computed, and lights
added to a target of half floats. The passes that draw the world, and those that apply the light to it, are needed by
both methods and are removed from each frame.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from rish_core import App, Stage, Transform, World, read_manifest, system
from rish_frame import Frame
from rish_lighting import Light, Occluder, formulas

from . import _lights_scene as scene
from ._task import Task

_GAME = """
rish: 1
game: {title: Lights, size: [1280, 720]}
plugins: [render, lighting, bench]
settings: {lighting: {ambient: [0, 0, 0, 1]}}
scenes: {main: []}
"""


class Lit:
    """A running game with lights that wander among boxes, or stand still."""

    def __init__(self, lights: int, backend: str = "arcade", *, still: bool = False, whole: bool = False) -> None:
        from rish_render import make_arcade, make_software

        self.walk = scene.Walk(lights)
        make = make_arcade() if backend == "arcade" else make_software()
        if not whole:
            draw = make.draw
            make.draw = lambda frame: draw(only_light(frame))

        @system(Stage.STEP, writes=Transform)
        def wander(world: World, dt: float) -> None:
            """Move all lights by one step."""
            self.walk.step()
            query = world.query(Light, Transform)
            query[Transform.position] = self.walk.places

        bench = SimpleNamespace(
            rish_systems=lambda: [] if still else [wander], rish_scene_loaded=lambda world, scene: self.fill(world)
        )
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "game.yaml").write_text(_GAME, encoding="utf-8")
            self.app = App(read_manifest(folder), extra={"bench": bench}, backend=make, headless=True)
        self.world = self.app.world
        self.app.run(frames=3)

    def fill(self, world: World) -> None:
        """Spawn the boxes and the lights."""
        places, sides, angles = scene.boxes()
        world.spawn_many(scene.BOXES, Transform(position=places, rotation=angles), Occluder(size=sides))
        colors = np.ones((len(self.walk.places), 4))
        colors[:, :3] = formulas.encode(self.walk.colors)
        world.spawn_many(len(colors), Transform(position=self.walk.places), Light(color=colors, radius=scene.RADIUS))

    def frame(self) -> None:
        """Run a tick and draw a frame."""
        self.app.run(frames=1)
        if self.app.host.backend.device is not None:
            self.app.host.backend.device.finish()

    def close(self) -> None:
        """Close the game."""
        self.app.close()

    def task(self) -> Task:
        """Return the frame as a task."""
        return Task(self.frame, after=self.close)


def only_light(frame: Frame) -> Frame:
    """Return a frame with only the passes that draw light."""
    only = Frame(frame.size)
    only.targets = frame.targets
    only.passes = {name: pass_ for name, pass_ in frame.passes.items() if name.startswith("light.lights")}
    return only


def hundred() -> Task:
    """The light passes of 100 wandering lights among 1,000 edges."""
    return Lit(100).task()


def still(backend: str = "arcade") -> Task:
    """A tick and a complete frame of 100 lights while nothing moves."""
    made = Lit(100, backend, still=True, whole=True)
    made.frame()
    assert made.app.host.shown.draw_calls == 0, "a scene in which nothing moves is not drawn again"
    return made.task()


def software_still() -> Task:
    """The same as `still`, without OpenGL."""
    return still("software")


def hundred_whole() -> Task:
    """100 lights: a tick and a complete frame."""
    return Lit(100, whole=True).task()


def thousand_whole() -> Task:
    """1,000 lights: a tick and a complete frame."""
    return Lit(1000, whole=True).task()


def software() -> Task:
    """The light passes of 100 lights without OpenGL."""
    return Lit(100, "software").task()


def software_whole() -> Task:
    """100 lights without OpenGL: a tick and a complete frame."""
    return Lit(100, "software", whole=True).task()


def kernel() -> Task:
    """Compute the shadow maps of 100 lights again."""
    from rish_lighting.shadows import bins_for, cast_points

    edges, count = scene.edges(), 100
    light = np.column_stack([scene.Walk(count).places, np.full(count, scene.RADIUS)]).astype(np.float32)
    bins = np.full(count, int(bins_for(scene.RADIUS / 2)), np.int64)
    start = np.cumsum(bins) - bins
    arguments = (
        edges.reshape(-1), np.zeros(len(edges), np.int64), np.ones(len(edges), np.int32),
        np.zeros(len(edges), np.uint8), light.reshape(-1), np.zeros(count, np.int64), np.full(count, -1, np.int32),
        start, bins, np.arange(count), np.zeros(int(bins.sum()), np.float32),
    )  # fmt: skip
    cast_points(*arguments)
    return Task(lambda: cast_points(*arguments))

"""Global illumination in a game of 512x512 with a light target of 256x256 texels; only its passes are drawn."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from rish_core import App, Transform, World, read_manifest
from rish_frame import Frame
from rish_frame.pictures import save_png
from rish_lighting import Light, Occluder

from ._task import Task

_GAME = """
rish: 1
game: {title: Glow, size: [512, 512]}
plugins: [render, lighting, bench]
settings: {lighting: {gi: medium, emission: 4, ambient: [0, 0, 0, 1]}}
scenes: {main: []}
"""
_SIDE = 16


class Glowing:
    """A running game with sprites that glow, optionally with walls and a lamp."""

    def __init__(self, emitters: int, backend: str, *, walls: bool) -> None:
        from rish_render import Sprite, make_arcade, make_software

        make = make_arcade() if backend == "arcade" else make_software()
        self.whole = True
        draw = make.draw
        make.draw = lambda frame: draw(frame if self.whole else only_glow(frame))

        def fill(world: World, scene: str) -> None:
            rng = np.random.default_rng(5)
            places: Any = rng.uniform(16, 496, (emitters, 2))
            middles: Any = rng.uniform(0, 512, (40, 2))
            world.spawn_many(emitters, Transform(position=places), Sprite(image="lamp.png", emission="lamp.png"))
            world.spawn(Transform(position=(256, 256)), Light(radius=300 if walls else 1))
            if walls:
                world.spawn_many(40, Transform(position=middles), Occluder(size=(40, 12)))

        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        (folder / "game.yaml").write_text(_GAME, encoding="utf-8")
        y, x = np.mgrid[0:_SIDE, 0:_SIDE] + 0.5 - _SIDE / 2
        save_png(
            folder / "lamp.png", (np.hypot(x, y)[..., None] < _SIDE / 2 - 1) * np.array([255, 200, 100, 255], np.uint8)
        )
        bench = SimpleNamespace(rish_scene_loaded=fill)
        self.app = App(read_manifest(folder), backend=make, headless=True, extra={"bench": bench})
        self.app.run(frames=3)
        assert any(name.startswith("light.gi") for name in self.app.world[Frame].passes)
        self.whole = False

    def frame(self) -> None:
        """Run a tick, and draw the passes of global illumination."""
        self.app.run(frames=1)
        if self.app.host.backend.device is not None:
            self.app.host.backend.device.finish()

    def task(self) -> Task:
        """Return the frame as a task."""
        return Task(self.frame, after=self.app.close, clock="wall")


def only_glow(frame: Frame) -> Frame:
    """Return a frame with only the passes of global illumination."""
    only = Frame(frame.size)
    only.targets = frame.targets
    only.passes = {name: pass_ for name, pass_ in frame.passes.items() if name.startswith("light.gi")}
    return only


def rooms() -> Task:
    """Three glowing things, a lamp, and 40 walls."""
    return Glowing(3, "arcade", walls=True).task()


def one() -> Task:
    """A single glowing thing."""
    return Glowing(1, "arcade", walls=False).task()


def many() -> Task:
    """200 glowing things."""
    return Glowing(200, "arcade", walls=False).task()


def kernels() -> Task:
    """The same light as `rooms`, computed by the kernels without OpenGL each time."""
    from rish_lighting.gi import illuminate

    rng = np.random.default_rng(5)
    solid, light = np.zeros((256, 256), np.uint8), np.zeros((256, 256, 3), np.float32)
    for x, y in rng.integers(0, 240, (40, 2)).tolist():
        solid[y : y + 6, x : x + 20] = 1
    light[solid > 0] = rng.random(3)
    illuminate(solid, light, light)
    return Task(lambda: illuminate(solid, light, light))

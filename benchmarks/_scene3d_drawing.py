"""Rish's side of the benchmark `scene3d`: frames with many things, with OpenGL or without a device."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from rish_core import App, Stage, World, parse_manifest, system
from rish_frame import NullBackend
from rish_scene3d import Material3D, Model3D, Shading
from rish_space3d import Transform3D

from . import _engine_clock
from ._scene3d_cubes import ALPHA, COUNT, DT, EYE, FAR, FEWER, FOV, SIZE, TILT, WIDE, poses
from ._task import Task

OBJECTS = 1_000
_TEXT = f"""
rish: 1
game: {{size: [{SIZE[0]}, {SIZE[1]}]}}
plugins: [scene3d, bench]
scenes:
  main:
    - {{Transform3D: {{position: {list(EYE)}, rotation: [{TILT}, 0, 0]}}, Camera3D: {{fov: {FOV}, far: {FAR}}}}}
"""
_LAMPS = """
    - {Transform3D: {rotation: [-60, 20, 0]}, Sun3D: {cascades: 4, reach: 200}}
    - {Transform3D: {position: [-20, 15, 0]}, Lamp3D: {range: 60, shadows: true}}
    - {Transform3D: {position: [20, 15, 0], rotation: [-90, 0, 0]}, Lamp3D: {range: 60, angle: 60, shadows: true}}
    - {Transform3D: {position: [0, 15, 20], rotation: [-90, 0, 0]}, Lamp3D: {range: 60, angle: 60, shadows: true}}
"""
"""Twelve shadow maps: four cascades, six faces and two spots."""
_FIRST = "    - {Transform3D: {position: [0, -900, 0]}, Model3D: {}}\n" * 256
"""So many models that the kernels are prepared before the scene begins."""


def game(count: int, *, wide: float = WIDE, more: str = "", moving: bool = True, backend: Any = None) -> App:
    """Return a game with white cubes in a wide field, which swing between two poses; frames are between two ticks."""
    positions, rotations = poses(count, wide)

    @system(Stage.STEP, writes=Transform3D)
    def swing(world: World, dt: float) -> None:
        table, tick = world.table(Transform3D), world.tick % 2
        table.position[-count:], table.rotation[-count:] = positions[tick], rotations[tick]
        table.mark()

    bench = SimpleNamespace(rish_systems=lambda: [swing] if moving else [])
    device = NullBackend(keep=0, check=False) if backend is None else backend
    app = App(parse_manifest(_TEXT + _FIRST + more), backend=device, headless=True, extra={"bench": bench})
    app.world.spawn_many(
        count, Transform3D(position=positions[0], rotation=rotations[0]), Model3D, Material3D(shading=Shading.UNLIT)
    )
    app.run(frames=3)
    app.headless = False
    app.frame(seconds=(1 + ALPHA) * DT)
    return app


def _frames(app: App, clock: str = "cpu") -> Task:
    """Return a task of one frame with one tick, drawn to its end."""
    device = app.host.backend.device
    frame = partial(app.frame, seconds=DT)
    if device is None:
        return Task(frame, after=app.close, clock=clock)
    _engine_clock.set_clock(clock)
    finish = _engine_clock.leave_out(device.finish)

    def drawn() -> None:
        frame()
        finish()

    return Task(drawn, after=app.close, clock=clock)


def _arcade() -> Any:
    from rish_render import make_arcade

    return make_arcade()


def moving() -> Task:
    """A hundred thousand cubes move, up to the calls that draw."""
    return _frames(game(COUNT, backend=_arcade()), "engine")


def moving_drawn() -> Task:
    """Ten thousand cubes move, drawn whole."""
    return _frames(game(FEWER, backend=_arcade()), "frame")


def still() -> Task:
    """Nothing moves."""
    return _frames(game(COUNT, moving=False))


def coming() -> Task:
    """One of ten thousand cubes goes and another comes in each frame; the others stand still."""
    app = game(FEWER, moving=False)
    return Task(partial(_exchange, app, _cubes(app), 1, app.draw), after=app.close)


def many_coming() -> Task:
    """A hundred of ten thousand cubes go, and others come, in each frame with a tick."""
    app = game(FEWER, moving=False)
    return Task(partial(_exchange, app, _cubes(app), 100, partial(app.frame, seconds=DT)), after=app.close)


def _cubes(app: App) -> deque[int]:
    return deque(app.world.table(Model3D).entities[-FEWER:].tolist())


def _exchange(app: App, there: deque[int], count: int, frame: Callable[[], object]) -> None:
    """Despawn the first cubes, spawn as many others, and show a frame."""
    app.world.despawn([there.popleft() for _ in range(count)])
    there.extend(app.world.spawn_many(count, Transform3D, Model3D).tolist())
    frame()


def shadows() -> Task:
    """A thousand cubes move in the light of twelve shadow maps."""
    return _frames(game(OBJECTS, wide=40.0, more=_LAMPS))

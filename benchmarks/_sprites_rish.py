"""Rish's side of the benchmark `sprites`: a real App and World.

Each sprite is an entity with a Transform whose parent is one of 16 roots, a Sprite on one of 16 layers, and a `Drift`;
one system moves them by a kernel. A frame is one tick, poses half way between the last two, extraction, and drawing.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from rish_core import App, Stage, Transform, Vec2, World, component, field, read_manifest, system
from rish_frame import Batch, Frame, pick
from rish_jit import njit
from rish_render import Camera, Sprite, region_at

from . import _engine_clock
from ._sprites_scene import DT, HALF, HEIGHT, LAYERS, PICTURES, ROOTS, WIDTH, picture, roots, start
from ._task import Task

LAYER_NAMES = [f"l{k}" for k in range(LAYERS)]


@component
class Drift:
    """A sprite that flies within its root's box and rotates."""

    velocity: Vec2 = field((0, 0), unit="units/tick")
    spin: float = field(0.0, unit="rad/tick")


@component
class Root:
    """One of the sixteen parents of the sprites."""


@njit
def drift_flat(position: Any, rotation: Any, velocity: Any, spin: Any, half_x: Any, half_y: Any) -> None:
    """Move, rotate and bounce, for tables with equal entities in equal order; position and velocity are flat."""
    for k in range(len(spin)):
        i, j = 2 * k, 2 * k + 1
        x = position[i] + velocity[i]
        y = position[j] + velocity[j]
        position[i] = x
        position[j] = y
        rotation[k] += spin[k]
        velocity[i] = -velocity[i] if abs(x) > half_x else velocity[i]
        velocity[j] = -velocity[j] if abs(y) > half_y else velocity[j]


@njit
def drift_rows(
    rows: Any, places: Any, position: Any, rotation: Any, velocity: Any, spin: Any, half_x: Any, half_y: Any
) -> None:
    """Move, rotate and bounce by the rows of two tables."""
    for k in range(len(rows)):
        i, p = 2 * rows[k], 2 * places[k]
        x = position[p] + velocity[i]
        y = position[p + 1] + velocity[i + 1]
        position[p] = x
        position[p + 1] = y
        rotation[places[k]] += spin[rows[k]]
        velocity[i] = -velocity[i] if abs(x) > half_x else velocity[i]
        velocity[i + 1] = -velocity[i + 1] if abs(y) > half_y else velocity[i + 1]


@system(Stage.STEP, writes=(Drift, Transform))
def fly(world: World, dt: float) -> None:
    """Move all sprites, and the roots, by one tick."""
    query = world.query(Drift, Transform)
    half_x, half_y = np.float32(HALF[0]), np.float32(HALF[1])
    if query.aligned:
        columns = (query.flat(c) for c in (Transform.position, Transform.rotation, Drift.velocity, Drift.spin))
        drift_flat(*columns, half_x, half_y)
    else:
        place, drift = world[Transform], world[Drift]
        columns = (place.flat("position"), place.flat("rotation"), drift.flat("velocity"), drift.flat("spin"))
        drift_rows(query.rows(Drift), query.rows(Transform), *columns, half_x, half_y)
    place, angle = roots(world.tick)
    query = world.query(Root, Transform)
    query[Transform.position], query[Transform.rotation] = place, angle


@system(Stage.STEP, writes=(Camera, Transform), marks=True)
def look_around(world: World, dt: float) -> None:
    """Scroll and zoom the camera."""
    query = world.query(Camera, Transform)
    turn = 0.03 * world.tick
    query[Camera.zoom] = 1.2 + 0.2 * np.sin(turn)
    query[Transform.position] = (WIDTH / 2 + 90 * np.cos(turn), HEIGHT / 2 + 7.3)


def show(size: int) -> Path:
    """Return a folder with the images."""
    from PIL import Image

    folder = Path(tempfile.mkdtemp(prefix="rish-bench-"))
    for number in range(PICTURES):
        Image.fromarray(picture(number, size)).save(folder / f"p{number}.png")
    return folder


def fill(world: World, count: int) -> None:
    """Spawn the roots and the sprites below them."""
    first = start(count)
    place, angle = roots(0)
    images = np.array([world.intern(f"p{k}.png") for k in range(PICTURES)], np.int32)
    layers = np.array([world.intern(name) for name in LAYER_NAMES], np.int32)
    parents = np.asarray(world.spawn_many(ROOTS, Transform(position=place, rotation=angle), Drift, Root))
    world.spawn_many(
        count,
        Transform(position=first["place"], rotation=first["angle"], parent=parents[first["root"]]),
        Sprite(image=images[first["picture"]], layer=layers[first["layer"]]),
        Drift(velocity=first["velocity"], spin=first["spin"]),
    )


def open_app(count: int, size: int, backend: Any, systems: list[Callable[..., None]], camera: bool = False) -> App:
    """Return a game with this many sprites and the given backend; no frame is skipped, whatever the clock says."""
    folder = show(size)
    layers = ", ".join(LAYER_NAMES)
    head = f"rish: 1\ngame: {{size: [{WIDTH}, {HEIGHT}]}}\nplugins: [render, bench]\n"
    text = f"{head}layers: [{layers}]\nscenes: {{main: []}}\n"
    (folder / "game.yaml").write_text(text, encoding="utf-8")

    def loaded(world: World, scene: str) -> None:
        fill(world, count)
        if camera:
            world.spawn(Transform(position=(WIDTH / 2, HEIGHT / 2)), Camera)

    bench = SimpleNamespace(
        rish_components=lambda: [Drift, Root], rish_systems=lambda: systems, rish_scene_loaded=loaded
    )
    app = App(read_manifest(folder), backend=backend, headless=True, extra={"bench": bench}, policy="raise")
    app.headless = False
    app.frame(seconds=1.5 * DT)
    shutil.rmtree(folder, ignore_errors=True)
    return app


def software(quality: str = "fast", threads: int = 1) -> Any:
    """Return the backend without OpenGL."""
    from rish_render import make_software

    made = make_software()
    made.configure(quality=quality, threads=threads)
    return made


def arcade() -> Any:
    """Return the backend with OpenGL, off screen."""
    from rish_render import make_arcade

    return make_arcade()


def _playing(app: App, clock: str) -> Task:
    """Return a task of one frame with one tick; OpenGL finishes its drawing before the next frame, unmeasured."""
    frame = partial(app.frame, seconds=DT)
    if app.host.backend.device is None:
        return Task(frame, after=app.close, clock=clock)
    _engine_clock.set_clock(clock)
    return Task(frame, app.host.backend.device.finish, app.close, clock)


def cpu(count: int, size: int = 8) -> Task:
    """All sprites move, drawn by OpenGL."""
    return _playing(open_app(count, size, arcade(), [fly]), "engine")


def drawn(count: int, size: int = 8) -> Task:
    """The complete frame of OpenGL in which all sprites move."""
    app = open_app(count, size, arcade(), [fly])
    _engine_clock.set_clock("frame")

    def whole() -> None:
        app.frame(seconds=DT)
        app.host.backend.device.finish()

    return Task(whole, after=app.close, clock="frame")


def static(count: int) -> Task:
    """Nothing moves, and nothing has moved for some frames."""
    app = open_app(count, 8, arcade(), [])
    for _ in range(3):
        app.frame(seconds=DT)
    return _playing(app, "engine")


def static_camera(count: int) -> Task:
    """Only the camera moves."""
    return _playing(open_app(count, 8, arcade(), [look_around], camera=True), "engine")


def moving_camera(count: int) -> Task:
    """The sprites and the camera move."""
    return _playing(open_app(count, 8, arcade(), [fly, look_around], camera=True), "engine")


def frame(count: int, size: int, quality: str = "fast", threads: int = 1) -> Task:
    """All sprites move, drawn without OpenGL."""
    return _playing(open_app(count, size, software(quality, threads), [fly]), "frame")


def pick_point(count: int) -> Task:
    """A tool asks what is under the pointer, while all sprites move."""
    app = open_app(count, 8, software(), [fly])
    for _ in range(3):
        app.frame(seconds=DT)
    rng = np.random.default_rng(1)

    def ask() -> None:
        x, y = rng.uniform((0, 0), (WIDTH, HEIGHT)).tolist()
        pick(app, region_at(app.world, (x, y)))

    return Task(ask, partial(app.frame, seconds=DT), app.close)


def _packed(count: int) -> tuple[Any, Any, Any]:
    """Return an App with OpenGL, a frame without batches, and the packed instances of a crowd with their batch."""
    app = open_app(count, 8, arcade(), [])
    app.frame(seconds=DT)
    batches = [b for step in app.world[Frame].steps() for b in step.batches if b.kind == "sprites"]
    instances = np.concatenate([b.arrays["instances"] for b in batches])
    shown = Frame((WIDTH, HEIGHT))
    shown.set_frames(app.world[Frame].frames)
    _engine_clock.set_clock("engine")
    return app, shown, (instances, batches[0])


def batched(count: int) -> Task:
    """Packed sprites, drawn in one batch."""
    app, shown, (instances, first) = _packed(count)
    shown.add(Batch("sprites", {"instances": instances}, origin=first.origin, unit=first.unit))
    draw = partial(app.host.backend.draw, shown)
    return Task(draw, app.host.backend.device.finish, app.close, "engine")


_SINGLE_VERTEX = """
#version 330
in vec2 corner;
in uvec4 sprite;
out vec2 uv;
void main() {
    vec2 place = vec2(int(sprite.x << 16) >> 16, int(sprite.x) >> 16) / 8.0;
    vec2 size = vec2(sprite.y & 65535u, sprite.y >> 16) / 16.0;
    float turn = float(sprite.z & 65535u) / 65536.0 * 6.2831853, c = cos(turn), s = sin(turn);
    gl_Position = vec4((place + mat2(c, s, -s, c) * (corner * size)) / vec2(640, 360) - 1.0, 0, 1);
    uv = corner + 0.5;
}
"""
_SINGLE_FRAGMENT = """
#version 330
in vec2 uv;
out vec4 color;
void main() { color = vec4(uv, 0.5, 1.0); }
"""


def single(count: int) -> Task:
    """The same without batches: the 16 bytes of each sprite are written and drawn on their own, and nothing more."""
    from array import array

    from rish_render import arcade_library

    app, _, (instances, _) = _packed(count)
    ctx, describe = app.host.backend.device, arcade_library().gl.BufferDescription
    program = ctx.program(vertex_shader=_SINGLE_VERTEX, fragment_shader=_SINGLE_FRAGMENT)
    corners = ctx.buffer(data=array("f", [-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5]))
    one = ctx.buffer(reserve=16, usage="stream")
    content = [describe(corners, "2f", ["corner"]), describe(one, "4u", ["sprite"], instanced=True)]
    geometry = ctx.geometry(content, mode=ctx.TRIANGLE_STRIP)
    target = ctx.framebuffer(color_attachments=[ctx.texture((WIDTH, HEIGHT), components=4)])
    pieces = [instances[k : k + 1] for k in range(len(instances))]
    _engine_clock.set_clock("engine")

    def draw() -> None:
        target.use()
        target.clear()
        for piece in pieces:
            one.write(piece)
            geometry.render(program, instances=1)

    return Task(draw, ctx.finish, app.close, "engine")


_CASES: dict[str, Callable[..., Task]] = {
    "cpu": cpu, "drawn": drawn, "static": static, "camera": static_camera, "moving": moving_camera,
    "batched": batched, "single": single, "pick": pick_point,
}  # fmt: skip


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the function for a name like `cpu_1000` or `frame_1000_8_fast_1`: case, count, size, quality, threads."""
    what, *given = name.split("_")
    if what == "frame":
        count, size, quality, threads = given
        return lambda: frame(int(count), int(size), quality, int(threads))
    if what not in _CASES:
        raise AttributeError(name)
    return lambda: _CASES[what](int(given[0]))

"""moderngl and numpy by hand in the benchmark `scene3d`: one buffer of instances, one draw, the least program.

What a game with a library for OpenGL alone writes for speed: poses are columns, worked on in blocks that stay in the
processor's cache; the program normalizes and applies the quaternions.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rish_space3d import frustum_planes

from . import _engine_clock, _scene3d_cubes, _scene3d_spheres
from ._screen import offscreen
from ._task import Task

_CUBES = """
#version 330
uniform mat4 camera;
in vec3 corner;
in vec3 place;
in vec4 turn;
void main() {
    vec4 q = normalize(turn);
    gl_Position = camera * vec4(place + corner + 2.0 * cross(q.xyz, cross(q.xyz, corner) + q.w * corner), 1.0);
}
"""
_SPHERES = """
#version 330
uniform mat4 camera;
in vec3 corner;
in vec4 place;
void main() { gl_Position = camera * vec4(place.xyz + corner * place.w, 1.0); }
"""
_WHITE = """
#version 330
out vec4 color;
void main() { color = vec4(1.0); }
"""
_BLOCK, _REACH = 8192, 0.87
"""Cubes that are placed at once, and the radius of a cube's sphere."""
Picture = tuple[Callable[[], None], Callable[[], Any]]
"""Two functions: draw a frame; return its pixels, uint8 (h, w, 3), top row first."""


class _Scene:
    """Instances of one mesh, drawn white by the least program into a picture with a depth buffer."""

    def __init__(self, vertex: str, points: Any, triangles: Any, size: tuple[int, int]) -> None:
        self._ctx = ctx = offscreen()
        self._target = ctx.simple_framebuffer(size)
        self._mesh = [(ctx.buffer(np.ascontiguousarray(points, np.float32)), "3f/v", "corner")]
        self._order = ctx.buffer(np.ascontiguousarray(triangles, np.uint32))
        self._program = ctx.program(vertex, _WHITE)
        self._clear = _engine_clock.leave_out(self._target.clear)
        self._finish = _engine_clock.leave_out(ctx.finish)

    def instances(self, *columns: Any) -> None:
        """Take the buffers of instances, each with its form and its name in the program."""
        array = self._ctx.vertex_array(self._program, [*self._mesh, *columns], self._order)
        self._render = _engine_clock.leave_out(array.render)

    def draw(self, camera: Any, count: int) -> None:
        """Draw so many instances, and wait for the end."""
        self._target.use()
        self._clear(0.0, 0.0, 0.0, 1.0)
        self._ctx.enable(self._ctx.DEPTH_TEST | self._ctx.CULL_FACE)
        self._program["camera"].write(np.ascontiguousarray(camera.T, np.float32))
        self._render(self._ctx.TRIANGLES, instances=count)
        self._finish()

    def pixels(self) -> Any:
        """Return the picture."""
        width, height = self._target.size
        return np.frombuffer(self._target.read(), np.uint8).reshape(height, width, 3)[::-1]


def cubes(count: int) -> Picture:
    """Moving cubes: poses between two ticks, culling, packing, one draw."""
    scene, camera = _Scene(_CUBES, *_scene3d_cubes.mesh(), _scene3d_cubes.SIZE), _scene3d_cubes.camera()
    positions, rotations = _scene3d_cubes.poses(count)
    ticks = [np.ascontiguousarray(np.concatenate(pair, axis=1).T) for pair in zip(positions, rotations, strict=True)]
    planes = np.ascontiguousarray(frustum_planes(camera), np.float32)
    normals, limits = planes[:, :3], -_REACH - planes[:, 3:]
    packed = np.empty((count, 7), np.float32)
    buffer = scene._ctx.buffer(reserve=packed.nbytes, dynamic=True)
    scene.instances((buffer, "3f 4f/i", "place", "turn"))
    spare, turn = np.empty((7, _BLOCK), np.float32), [0]

    def frame() -> None:
        turn[0] ^= 1
        last, now, seen = ticks[turn[0] ^ 1], ticks[turn[0]], 0
        for first in range(0, count, _BLOCK):
            before, after = last[:, first : first + _BLOCK], now[:, first : first + _BLOCK]
            posed = np.subtract(after, before, out=spare[:, : before.shape[1]])
            posed *= np.float32(_scene3d_cubes.ALPHA)
            posed += before
            inside = (normals @ posed[:3] >= limits).all(axis=0)
            found = np.compress(inside, posed, axis=1)
            packed[seen : seen + found.shape[1]] = found.T
            seen += found.shape[1]
        buffer.orphan()
        buffer.write(packed[:seen])
        scene.draw(camera, seen)

    return frame, scene.pixels


def spheres(triangles: int) -> Picture:
    """Spheres that stand still before a camera that moves."""
    scene, lens = _Scene(_SPHERES, *_scene3d_spheres.mesh(), _scene3d_spheres.SIZE), _scene3d_spheres.lens()
    places, shots = _scene3d_spheres.places(triangles), [0]
    scene.instances((scene._ctx.buffer(places), "4f/i", "place"))

    def frame() -> None:
        shots[0] += 1
        scene.draw(lens @ _scene3d_spheres.view(shots[0]), len(places))

    return frame, scene.pixels


def _moving(count: int, clock: str) -> Task:
    frame, _ = cubes(count)
    _engine_clock.set_clock(clock)
    return Task(frame, clock=clock)


moving = partial(_moving, _scene3d_cubes.COUNT, "engine")
moving_drawn = partial(_moving, _scene3d_cubes.FEWER, "frame")


def _still(triangles: int, one_thread: bool) -> Task:
    """By itself llvmpipe has a thread for each processor besides the one that calls it; 0 means that one alone."""
    if one_thread:
        os.environ["LP_NUM_THREADS"] = "0"
    frame, _ = spheres(triangles)
    return Task(frame, clock="cpu" if one_thread else "frame")


flat_48k, flat_48k_alone = partial(_still, 48_000, False), partial(_still, 48_000, True)
flat_300k, flat_300k_alone = partial(_still, 300_000, False), partial(_still, 300_000, True)

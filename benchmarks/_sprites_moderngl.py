"""moderngl and numpy, as an engineer would write it by hand for speed: columns, one buffer, one instanced draw."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from . import _engine_clock
from ._screen import offscreen
from ._sprites_scene import HEIGHT, LAYERS, PICTURES, WIDTH, Motion, picture
from ._task import Task

_VERTEX = """
#version 330
uniform vec2 screen;
uniform float size;
in vec3 place;
in float layer;
out vec3 uv;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) - 0.5;
    float c = cos(place.z), s = sin(place.z);
    vec2 p = place.xy + mat2(c, s, -s, c) * (corner * size);
    gl_Position = vec4(p / screen * 2.0 - 1.0, 0.0, 1.0);
    uv = vec3(corner.x + 0.5, 0.5 - corner.y, layer);
}
"""
_FRAGMENT = """
#version 330
uniform sampler2DArray pictures;
in vec3 uv;
out vec4 color;
void main() { color = texture(pictures, uv); }
"""


class _Screen:
    """The parts that both variants share: a framebuffer, a program, a texture array."""

    def __init__(self, size: int) -> None:
        self.ctx = ctx = offscreen()
        self.target = ctx.simple_framebuffer((WIDTH, HEIGHT))
        self.program = ctx.program(_VERTEX, _FRAGMENT)
        self.program["screen"].value = (WIDTH, HEIGHT)
        self.program["size"].value = float(size)
        pixels = np.stack([picture(k, size) for k in range(PICTURES)])
        self.texture = ctx.texture_array((size, size, PICTURES), 4, pixels.tobytes())
        self.texture.filter = moderngl.NEAREST, moderngl.NEAREST
        self.clear = _engine_clock.leave_out(self.target.clear)
        self.finish = _engine_clock.leave_out(ctx.finish)

    def begin(self) -> None:
        """Set the state for a frame."""
        self.target.use()
        self.clear(0.08, 0.09, 0.13, 1.0)
        self.ctx.enable(moderngl.BLEND)
        self.texture.use()


def _plain(count: int, size: int) -> Task:
    """The minimum: no culling, no order."""
    motion, screen = Motion(count), _Screen(size)
    places = np.empty((count, 3), np.float32)
    moving = screen.ctx.buffer(reserve=places.nbytes, dynamic=True)
    fixed = screen.ctx.buffer(motion.picture.astype(np.float32).tobytes())
    vertices = screen.ctx.vertex_array(screen.program, [(moving, "3f/i", "place"), (fixed, "1f/i", "layer")])
    render = _engine_clock.leave_out(vertices.render)

    def frame() -> None:
        motion.tick()
        places[:, 0], places[:, 1], places[:, 2] = motion.x, motion.y, motion.angle
        moving.orphan()
        moving.write(places)
        screen.begin()
        render(moderngl.TRIANGLE_STRIP, vertices=4, instances=count)
        screen.finish()

    _engine_clock.set_clock("engine")
    return Task(frame, clock="engine")


def _sorted(count: int, size: int) -> Task:
    """With culling, and drawn in the order of 16 layers."""
    motion, screen = Motion(count), _Screen(size)
    layers, pictures = motion.layer.astype(np.uint8), motion.picture.astype(np.float32)
    data = np.empty((count, 4), np.float32)
    buffer = screen.ctx.buffer(reserve=data.nbytes, dynamic=True)
    vertices = screen.ctx.vertex_array(screen.program, [(buffer, "3f 1f/i", "place", "layer")])
    render = _engine_clock.leave_out(vertices.render)
    reach = size * 0.75

    def frame() -> None:
        motion.tick()
        x, y = motion.x, motion.y
        inside = (x > -reach) & (x < WIDTH + reach) & (y > -reach) & (y < HEIGHT + reach)
        seen = np.flatnonzero(inside)
        seen = seen[np.argsort(layers[seen], kind="stable")]
        some = data[: len(seen)]
        some[:, 0], some[:, 1], some[:, 2], some[:, 3] = x[seen], y[seen], motion.angle[seen], pictures[seen]
        buffer.orphan()
        buffer.write(some)
        screen.begin()
        render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(seen))
        screen.finish()

    assert layers.max(initial=0) < LAYERS
    _engine_clock.set_clock("engine")
    return Task(frame, clock="engine")


def __getattr__(name: str) -> Any:
    """Return the function for `plain_1000_8` or `sorted_1000_8`: the number of sprites and their size in pixels."""
    how, count, size = name.split("_")
    make = {"plain": _plain, "sorted": _sorted}[how]
    return lambda: make(int(count), int(size))

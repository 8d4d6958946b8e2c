"""moderngl, as an engineer would write it by hand for speed: columns of numpy, one buffer, one instanced draw.

The clock `engine` leaves the driver's drawing out, `frame` is the complete frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import moderngl
import numba
import numpy as np

from . import _engine_clock
from ._screen import offscreen
from ._sprites_scene import HEIGHT, PICTURES, WIDTH, Motion, picture
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
    """The parts that all variants share: a framebuffer, a program, a texture array."""

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

    def moving(self, count: int) -> tuple[Any, Callable[[Any], None]]:
        """Return the memory of instances, float32 (count, 4), and a function that draws some of them."""
        data = np.empty((count, 4), np.float32)
        buffer = self.ctx.buffer(reserve=data.nbytes, dynamic=True)
        vertices = self.ctx.vertex_array(self.program, [(buffer, "3f 1f/i", "place", "layer")])
        render = _engine_clock.leave_out(vertices.render)

        def draw(some: Any) -> None:
            buffer.orphan()
            buffer.write(some)
            self.begin()
            render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(some))
            self.finish()

        return data, draw

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

    return Task(frame)


def _sorted(count: int, size: int) -> Task:
    """With culling, and drawn in the order of 16 layers, which are sorted in each frame."""
    motion, screen = Motion(count), _Screen(size)
    layers, pictures = motion.layer.astype(np.uint8), motion.picture.astype(np.float32)
    data, draw = screen.moving(count)

    def frame() -> None:
        motion.tick()
        seen = np.flatnonzero(_inside(motion.x, motion.y, size))
        seen = seen[np.argsort(layers[seen], kind="stable")]
        some = data[: len(seen)]
        some[:, 0], some[:, 1], some[:, 2] = motion.x[seen], motion.y[seen], motion.angle[seen]
        some[:, 3] = pictures[seen]
        draw(some)

    return Task(frame)


def _presorted(count: int, size: int) -> Task:
    """With culling, and drawn in the order of 16 layers, which are constant and sorted once."""
    motion, screen = Motion(count), _Screen(size)
    order = np.argsort(motion.layer, kind="stable")
    pictures = motion.picture.astype(np.float32)[order]
    data, draw = screen.moving(count)

    def frame() -> None:
        motion.tick()
        inside = _inside(motion.x, motion.y, size)[order]
        seen = order[inside]
        some = data[: len(seen)]
        for column, values in enumerate((motion.x, motion.y, motion.angle)):
            some[:, column] = values.take(seen)
        some[:, 3] = pictures[inside]
        draw(some)

    return Task(frame)


def _compiled(count: int, size: int) -> Task:
    """As `_presorted`, with culling and packing in one loop that numba compiles."""
    motion, screen = Motion(count), _Screen(size)
    order = np.argsort(motion.layer, kind="stable").astype(np.int32)
    pictures = motion.picture.astype(np.float32)
    data, draw = screen.moving(count)
    pack: Any = numba.njit(fastmath=True)(_pack)

    def frame() -> None:
        motion.tick()
        reach = np.float32(size * _REACH)
        draw(data[: pack(order, motion.x, motion.y, motion.angle, pictures, reach, data)])

    return Task(frame)


def _pack(order: Any, x: Any, y: Any, angle: Any, picture: Any, reach: Any, out: Any) -> int:
    """Write the sprites on the screen, and return their number."""
    count = 0
    for i in order:
        if -reach < x[i] < WIDTH + reach and -reach < y[i] < HEIGHT + reach:
            out[count, 0], out[count, 1], out[count, 2], out[count, 3] = x[i], y[i], angle[i], picture[i]
            count += 1
    return count


_REACH = 0.75
"""How far a sprite that turns reaches from its middle, in sides."""


def _inside(x: Any, y: Any, size: int) -> Any:
    """Return which sprites are on the screen."""
    reach = size * _REACH
    return (x > -reach) & (x < WIDTH + reach) & (y > -reach) & (y < HEIGHT + reach)


def __getattr__(name: str) -> Any:
    """Return the function for a name like `sorted_1000_8_engine`: how, number of sprites, size in pixels, clock."""
    how, count, size, clock = name.split("_")
    make = {"plain": _plain, "sorted": _sorted, "presorted": _presorted, "compiled": _compiled}[how]

    def start() -> Task:
        _engine_clock.set_clock(clock)
        return replace(make(int(count), int(size)), clock=clock)

    return start

"""The seed's lights, in OpenGL 3.3, as a comparison: an alpha mask and shadow quads for each light.

For each light, within its box: the target's alpha is set to 1; each edge that faces away from the light is drawn as a
quad that reaches beyond the radius, with alpha 0; then the light is added, multiplied by the alpha. A compiled loop
culls and extrudes the edges, all quads of a frame are uploaded together, and everything that lights can share is
shared; the three draws of each light can't be. The target and the attenuation are those of Rish.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from . import _lights_scene as scene
from ._task import Task

_LIGHT_VERTEX = """#version 330
uniform vec2 size;
uniform vec3 light;
out vec2 v;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v = corner * light.z;
    gl_Position = vec4((light.xy + v) / size * 2.0 - 1.0, 0.0, 1.0);
}
"""
_LIGHT = """#version 330
uniform vec3 light;
uniform vec3 color;
in vec2 v;
out vec4 drawn;
void main() {
    float d = length(v);
    if (d >= light.z) discard;
    float q = d / light.z, window = 1.0 - q * q;
    drawn = vec4(color / (1.0 + d / (light.z * 0.25)) * (window * window), 0.0);
}
"""
_PLAIN = """#version 330
uniform float value;
out vec4 drawn;
void main() { drawn = vec4(0.0, 0.0, 0.0, value); }
"""
_QUADS = """#version 330
uniform vec2 size;
in vec2 corner;
void main() { gl_Position = vec4(corner / size * 2.0 - 1.0, 0.0, 1.0); }
"""


@njit
def extrude(edges, places, radius, quads, first):
    """Write the shadow quads of all lights: float32, two triangles each. first: int64 n + 1, each light's first."""
    count = 0
    for light in range(places.shape[0]):
        first[light] = count
        x, y = places[light, 0], places[light, 1]
        for e in range(edges.shape[0]):
            ax, ay, bx, by = edges[e, 0] - x, edges[e, 1] - y, edges[e, 2] - x, edges[e, 3] - y
            if min(ax, bx) > radius or max(ax, bx) < -radius or min(ay, by) > radius or max(ay, by) < -radius:
                continue
            # skip edges that face the light: their cross product is positive only for edges that face away
            if ax * by - ay * bx <= np.float32(0):
                continue
            far_a = np.float32(4) * radius / max(np.sqrt(ax * ax + ay * ay), np.float32(1e-3))
            far_b = np.float32(4) * radius / max(np.sqrt(bx * bx + by * by), np.float32(1e-3))
            at = quads[12 * count : 12 * count + 12]
            at[0], at[1] = x + ax, y + ay
            at[2], at[3] = x + bx, y + by
            at[4], at[5] = x + bx * far_b, y + by * far_b
            at[6], at[7] = x + ax, y + ay
            at[8], at[9] = x + bx * far_b, y + by * far_b
            at[10], at[11] = x + ax * far_a, y + ay * far_a
            count += 1
    first[places.shape[0]] = count


class Seed:
    """A renderer of lights by the seed's method."""

    def __init__(self, lights: int) -> None:
        from rish_render import make_arcade

        self.backend = make_arcade()
        self.backend.open("seed", (64, 64), visible=False)
        ctx = self.ctx = self.backend.device
        size = (scene.SIZE[0] // 2, scene.SIZE[1] // 2)
        self.target = ctx.framebuffer(color_attachments=[ctx.texture(size, components=4, dtype="f2")])
        self.size = size
        self.walk, self.edges = scene.Walk(lights), scene.edges()
        self.light = ctx.program(vertex_shader=_LIGHT_VERTEX, fragment_shader=_LIGHT)
        self.mask = ctx.program(vertex_shader=_LIGHT_VERTEX, fragment_shader=_PLAIN)
        self.shadow = ctx.program(vertex_shader=_QUADS, fragment_shader=_PLAIN)
        for program in (self.light, self.mask, self.shadow):
            program["size"] = scene.SIZE
        self.mask["value"], self.shadow["value"] = 1.0, 0.0
        self.corner = ctx.geometry([], mode=ctx.TRIANGLE_STRIP)
        self.quads = np.zeros(12 * 200 * lights, np.float32)
        self.first = np.zeros(lights + 1, np.int64)
        self.buffer = ctx.buffer(reserve=self.quads.nbytes, usage="stream")
        self.volumes = _geometry(ctx, self.buffer)

    def frame(self) -> None:
        """Draw all lights once."""
        from pyglet import gl

        ctx, target = self.ctx, self.target
        self.walk.step()
        extrude(self.edges, self.walk.places, np.float32(scene.RADIUS), self.quads, self.first)
        self.buffer.orphan()
        self.buffer.write(self.quads[: 12 * int(self.first[-1])])
        target.use(force=True)
        target.clear(color_normalized=(0, 0, 0, 1))
        ctx.enable(ctx.BLEND)
        first = self.first.tolist()
        places, colors = self.walk.places.tolist(), self.walk.colors.tolist()
        for k, ((x, y), color) in enumerate(zip(places, colors, strict=True)):
            light = (x, y, scene.RADIUS)
            low = [max(int((at - scene.RADIUS) / 2) - 1, 0) for at in (x, y)]
            target.scissor = (*low, int(scene.RADIUS) + 3, int(scene.RADIUS) + 3)
            gl.glColorMask(False, False, False, True)
            ctx.blend_func = ctx.ONE, ctx.ZERO
            self.mask["light"] = light
            self.corner.render(self.mask, vertices=4)
            if first[k + 1] > first[k]:
                self.volumes.render(self.shadow, first=6 * first[k], vertices=6 * (first[k + 1] - first[k]))
            gl.glColorMask(True, True, True, False)
            ctx.blend_func = ctx.DST_ALPHA, ctx.ONE
            self.light["light"], self.light["color"] = light, color
            self.corner.render(self.light, vertices=4)
        gl.glColorMask(True, True, True, True)
        target.scissor = None
        ctx.finish()

    def picture(self) -> Any:
        """Return float32 (h, w, 4), the bottom row first."""
        data = self.target.read(components=4, dtype="f4")
        return np.frombuffer(data, np.float32).reshape(self.size[1], self.size[0], 4)


def _geometry(ctx: Any, buffer: Any) -> Any:
    from rish_render import arcade_library

    content = arcade_library().gl.BufferDescription(buffer, "2f", ["corner"])
    return ctx.geometry([content], mode=ctx.TRIANGLES)


def hundred() -> Task:
    """100 lights."""
    made = Seed(100)
    return Task(made.frame, after=made.backend.close)

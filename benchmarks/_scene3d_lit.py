"""moderngl by hand in the benchmark `scene3d`: the lit hall by one program for exactly its lights, and one draw.

The formulas are those of Rish: metals and other surfaces with GGX, a sun with two shadow maps, three lamps, one of them
with six faces. Comparing depths is left to OpenGL, nine taps of four texels each. The maps are drawn once, the scene is
one mesh, near things first; around is one color, without a sky.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_frame import look_at, orthographic, perspective

from . import _scene3d_spheres as of
from ._scene3d_moderngl import Picture
from ._screen import offscreen
from ._task import Task

_MAP, _FACE, _NEAR, _FAR = 1024, 512, 12.0, 30.0
"""The sides of the maps of sun and lamp, and half the widths of the two boxes that the sun's maps show, meters."""
_WAYS = [
    ((1, 0, 0), (0, 1, 0)),
    ((-1, 0, 0), (0, 1, 0)),
    ((0, 1, 0), (0, 0, 1)),
    ((0, -1, 0), (0, 0, 1)),
    ((0, 0, 1), (0, 1, 0)),
    ((0, 0, -1), (0, 1, 0)),
]
"""Where the faces of the lamp look, and what is up there."""

_DEPTHS = """
#version 330
uniform mat4 camera;
in vec3 at;
void main() { gl_Position = camera * vec4(at, 1.0); }
"""
_VERTEX = """
#version 330
uniform mat4 camera;
in vec3 at, across, base;
in vec2 look;
out vec3 place, normal;
flat out vec3 color;
flat out vec2 surface;
void main() {
    place = at; normal = across; color = base; surface = look;
    gl_Position = camera * vec4(at, 1.0);
}
"""
_FRAGMENT = """
#version 330
uniform vec3 eye, towards, lamps[3];
uniform mat4 suns[2], faces[6];
uniform sampler2DShadow sun_maps, lamp_maps;
in vec3 place, normal;
flat in vec3 color;
flat in vec2 surface;
out vec4 drawn;
float seen(sampler2DShadow maps, mat4 camera, float number, float count, vec3 p) {
    vec4 c = camera * vec4(p, 1.0);
    vec3 u = c.xyz / c.w * 0.5 + 0.5;
    u.x = (u.x + number) / count;
    vec2 texel = 1.0 / vec2(textureSize(maps, 0));
    float sum = 0.0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) sum += texture(maps, u + vec3(vec2(x, y) * texel, -0.0005));
    return sum / 9.0;
}
vec3 light(vec3 n, vec3 v, vec3 l, vec3 diffuse, vec3 f0, float a) {
    vec3 h = normalize(v + l);
    float nol = dot(n, l), nov = max(dot(n, v), 1e-4), noh = max(dot(n, h), 0.0), voh = max(dot(v, h), 0.0);
    if (nol <= 0.0) return vec3(0.0);
    float a2 = a * a, q = noh * noh * (a2 - 1.0) + 1.0;
    float shape = 0.5 / (nol * sqrt(nov * nov * (1.0 - a2) + a2) + nov * sqrt(nol * nol * (1.0 - a2) + a2));
    vec3 f = f0 + (1.0 - f0) * pow(1.0 - voh, 5.0);
    return ((1.0 - f) * diffuse + a2 / (q * q) * shape * f) * nol;
}
float fade(float d) {
    float q = d / REACH, window = clamp(1.0 - q * q * q * q, 0.0, 1.0);
    return 4.0 * window * window / max(d * d, 1e-4);
}
void main() {
    vec3 n = normalize(normal), v = normalize(eye - place), moved = place + n * 0.05;
    vec3 diffuse = color * (1.0 - surface.y), f0 = mix(vec3(0.04), color, surface.y);
    float a = surface.x * surface.x;
    bool far = eye.z - place.z > NEAR;
    float sunlight = far ? seen(sun_maps, suns[1], 1.0, 2.0, moved) : seen(sun_maps, suns[0], 0.0, 2.0, moved);
    vec3 sum = light(n, v, -towards, diffuse, f0, a) * vec3(1.0, 0.913, 0.787) * sunlight;
    for (int k = 0; k < 3; k++) {
        vec3 way = lamps[k] - place;
        float d = length(way), shown = 1.0;
        if (k == 0) {
            vec3 s = abs(way);
            int axis = s.x >= s.y && s.x >= s.z ? 0 : s.y >= s.z ? 1 : 2;
            int face = 2 * axis + (way[axis] > 0.0 ? 1 : 0);
            shown = seen(lamp_maps, faces[face], float(face), 6.0, moved);
        }
        sum += light(n, v, way / d, diffuse, f0, a) * fade(d) * shown;
    }
    drawn = vec4(sum + (diffuse + f0) * 0.1, 1.0);
}
"""


def mesh() -> Any:
    """Return the vertices of all triangles, float32 (n, 11): point, normal, base color, roughness, metallic."""
    (ball, order), metal, parts = of.mesh(), [0.745, 0.352, 0.051, 0.3, 1], []
    places = of.places(12 * of.TRIANGLES)
    for place in places[np.argsort(-places[:, 2])]:
        points, look = ball * place[3] + place[:3], np.tile(metal, (len(ball), 1))
        parts.append(np.concatenate([points, 2 * ball, look], axis=1)[order.ravel()])
    side = np.array([1, 0, 0])
    for roughness, up, middle in ((0.5, (0, 1, 0), (0, 0, 0)), (0.6, (0, 0, 1), (0, 0, -9))):
        other = np.cross(up, side)
        corners = np.array([-side - other, side - other, side + other, -side - other, side + other, other - side])
        look = np.tile([*up, 1, 1, 1, roughness, 0], (6, 1))
        parts.append(np.concatenate([corners * 30 + middle, look], axis=1))
    return np.concatenate(parts).astype(np.float32)


def towards() -> Any:
    """Return the direction in which the sun shines."""
    up, left = np.radians(of.SUN)
    return np.array([-math.sin(left) * math.cos(up), math.sin(up), -math.cos(left) * math.cos(up)])


def _maps(ctx: Any, buffer: Any, cameras: list[Any], side: int) -> Any:
    """Return a texture with the depths that cameras see, side by side."""
    texture = ctx.depth_texture((side * len(cameras), side))
    texture.compare_func = "<="
    target = ctx.framebuffer(depth_attachment=texture)
    program = ctx.program(_DEPTHS, "#version 330\nvoid main() {}")
    array = ctx.vertex_array(program, [(buffer, "3f 32x", "at")])
    target.use()
    target.clear(depth=1.0)
    for k, camera in enumerate(cameras):
        target.viewport = k * side, 0, side, side
        program["camera"].write(np.ascontiguousarray(camera.T, np.float32))
        array.render()
    return texture


def hall() -> Picture:
    """The lit hall before a camera that moves, in linear light."""
    ctx, vertices, way = offscreen(), mesh(), towards()
    buffer = ctx.buffer(vertices)
    ctx.enable(ctx.DEPTH_TEST | ctx.CULL_FACE)
    boxes = [(orthographic(-half, half, -half, half, 0.1, 120), z) for half, z in ((_NEAR, 3), (_FAR, -3))]
    suns = [box @ look_at(np.array([0, 2, z]) - way * 60, (0, 2, z)) for box, z in boxes]
    lamp, lens = np.array(of.LAMPS[0]), perspective(math.pi / 2, 1.0, 0.05, of.REACH)
    faces = [lens @ look_at(lamp, lamp + ahead, up) for ahead, up in _WAYS]
    maps = _maps(ctx, buffer, suns, _MAP), _maps(ctx, buffer, faces, _FACE)
    target = ctx.framebuffer([ctx.texture(of.SIZE, 4, dtype="f2")], ctx.depth_renderbuffer(of.SIZE))
    fragment = _FRAGMENT.replace("REACH", str(of.REACH)).replace("NEAR", str(_NEAR))
    program = ctx.program(_VERTEX, fragment)
    program["sun_maps"], program["lamp_maps"], program["towards"] = 0, 1, way.tolist()
    program["lamps"] = list(of.LAMPS)
    for name, cameras in (("suns", suns), ("faces", faces)):
        program[name].write(np.array([camera.T for camera in cameras], np.float32).copy())
    array = ctx.vertex_array(program, [(buffer, "3f 3f 3f 2f", "at", "across", "base", "look")])
    for unit, texture in enumerate(maps):
        texture.use(unit)
    shots = [0]

    def frame() -> None:
        shots[0] += 1
        target.use()
        target.clear()
        program["eye"] = of.eye(shots[0])
        program["camera"].write(np.ascontiguousarray((of.lens() @ of.view(shots[0])).T, np.float32))
        array.render()
        ctx.finish()

    def pixels() -> Any:
        width, height = of.SIZE
        linear = np.frombuffer(target.read(components=3, dtype="f2"), np.float16).reshape(height, width, 3)[::-1]
        return (np.clip(linear.astype(np.float32), 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)

    return frame, pixels


def lit() -> Task:
    """Every pixel is lit by four lights, two of them with shadows."""
    frame, _ = hall()
    return Task(frame, clock="frame")

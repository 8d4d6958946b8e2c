"""Draws a run with OpenGL: its stages are combined into one shader, on one triangle that covers the target.

The functions, parameters and inputs of the k-th stage are renamed by the preprocessor to `NAME_k`, so that the names of
two effects do not collide. An error of the compiler is logged once with the effect's name, and the image is then drawn
without the effects of that run.
"""

from __future__ import annotations

import logging
import re
from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass, PerContext

from ..effect import Array
from ..formulas import GLSL
from ..fused_passes import Call, Run, run_of
from .triangle import VERTEX

_HEAD = """#version 330
uniform sampler2D source_0;
uniform vec2 resolution;
uniform ivec2 read_at, drawn_at;
uniform float time, unit, dither;
out vec4 drawn;
"""
_FUNCTION = re.compile(r"^[ \t]*(?:float|int|bool|u?vec[234]|ivec[234]|mat[234]|void)\s+(\w+)\s*\([^;{)]*\)\s*\{", re.M)
_LABEL = re.compile(r"^(Error compiling [\w ]+\(\d+\)|Program link error): *")
_TYPES = {1: "float", 2: "vec2", 3: "vec3", 4: "vec4"}
_log = logging.getLogger("rish.lighting")


class ArcadeEffects:
    """Draws runs with shaders that are made from their stages."""

    needs = frozenset({"targets", "float", "copy", "materials"})
    steady = True

    def __init__(self) -> None:
        self._programs = PerContext(_Programs)

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the run of a batch."""
        run = run_of(batch)
        device.disable(device.BLEND)
        target.native.scissor = (*run.drawn_at, *run.size)
        try:
            self._programs(device).draw(run, target)
        finally:
            device.enable(device.BLEND)


class _Programs:
    """The programs and textures of one context."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self._made: dict[tuple[Any, ...], Any] = {}
        self._images: dict[int, tuple[Array, Any]] = {}
        self._triangle = ctx.geometry([], mode=ctx.TRIANGLES)

    def draw(self, run: Run, target: DrawTarget) -> None:
        """Draw a run onto the bound framebuffer."""
        program = self._program(run)
        numbers: dict[str, Any] = {
            "resolution": run.size, "read_at": run.read_at, "drawn_at": run.drawn_at, "time": run.time,
            "unit": run.unit, "dither": run.dither / 255,
        }  # fmt: skip
        textures: list[tuple[str, Any]] = [("source_0", target.inputs[run.source])] if run.source else []
        for k, call in enumerate(run.calls):
            numbers.update({f"{name}_{k}": value for name, value in call.values.items()})
            textures += [(f"input_{name}_{k}", target.inputs[input_index]) for name, input_index in call.inputs.items()]
            textures += [(f"input_{name}_{k}", self._image(image)) for name, image in call.images.items()]
        for unit, (name, texture) in enumerate(textures):
            texture.use(unit)
            program.set_uniform_safe(name, unit)
        for name, value in numbers.items():
            program.set_uniform_safe(name, value)
        self._triangle.render(program, vertices=3)

    def _program(self, run: Run) -> Any:
        """Return the program of a run; if one of its stages does not compile, a program without its stages."""
        key = (run.encoded, run.develop, *(_form(call) for call in run.calls))
        program = self._made.get(key)
        if program is None:
            try:
                program = self.ctx.program(vertex_shader=VERTEX, fragment_shader=fragment(run))
            except Exception as error:
                if not run.calls:
                    raise
                names = ", ".join(f"'{call.effect}'" for call in run.calls)
                what = "the effects %s are not drawn, because their GLSL does not compile: %s"
                _log.warning(what, names, _first(error))
                plain_run = Run(run.source, run.onto, run.size, encoded=run.encoded, develop=run.develop)
                program = self._program(plain_run)
            self._made[key] = program
        return program

    def _image(self, image: Array) -> Any:
        """Return the texture of an image that an effect names."""
        cached = self._images.get(id(image))
        if cached is None:
            height, width = image.shape[:2]
            data = np.ascontiguousarray((image[::-1] * 255 + 0.5).astype(np.uint8)).tobytes()
            texture = self.ctx.texture((width, height), components=4, data=data)
            texture.wrap_x = texture.wrap_y = self.ctx.CLAMP_TO_EDGE
            cached = self._images[id(image)] = (image, texture)
        return cached[1]


def _form(call: Call) -> tuple[Any, ...]:
    """Return a key of all properties of a call that affect the program's text."""
    kinds = tuple((name, _type(value)) for name, value in call.values.items())
    return call.stage.glsl, call.stage.samples, kinds, tuple(call.inputs), tuple(call.images)


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    return _TYPES[len(value)] if isinstance(value, tuple) else "float"


def fragment(run: Run) -> str:
    """Return the fragment shader of a run."""
    parts = [_HEAD, GLSL, *(_piece(k, call) for k, call in enumerate(run.calls)), "#line 1 0\nvoid main() {"]
    parts.append("vec2 at = (gl_FragCoord.xy - vec2(drawn_at)) / resolution;")
    if run.samples:
        parts.append("vec4 pixel = shade_0(at);")
    else:
        parts.append("vec4 pixel = texelFetch(source_0, ivec2(gl_FragCoord.xy) - drawn_at + read_at, 0);")
        if run.encoded:
            parts.append("pixel = vec4(decode(pixel.rgb), 1.0);")
    parts += [f"pixel = shade_{k}(pixel, at);" for k, call in enumerate(run.calls) if not call.stage.samples]
    if run.develop:
        parts.append("vec3 seen = encode(pixel.rgb);")
        parts.append("ivec2 p = ivec2(gl_FragCoord.xy) - drawn_at;")
        parts.append("seen += (random(ivec3(p.x, int(resolution.y) - 1 - p.y, 0)) - 0.5) * dither;")
        parts.append("pixel = vec4(seen, 1.0);")
    return "\n".join([*parts, "drawn = pixel;", "}"])


def _piece(k: int, call: Call) -> str:
    """Return the GLSL of the k-th stage and its uniforms, with renamed identifiers."""
    stage = call.stage
    textures = (*call.inputs, *call.images)
    names = {*_FUNCTION.findall(stage.glsl), *call.values, *textures, *(f"{name}_size" for name in textures), "picture"}
    lines = [f"#define {name} {name}_{k}" for name in sorted(names)]
    lines += [f"uniform {_type(value)} {name};" for name, value in call.values.items()]
    for name in textures:
        lines.append(f"uniform sampler2D input_{name}_{k};")
        lines.append(f"vec4 {name}(vec2 at) {{ return texture(input_{name}_{k}, at); }}")
        lines.append(f"vec2 {name}_size() {{ return vec2(textureSize(input_{name}_{k}, 0)); }}")
    lines.append("vec4 picture(vec2 at) { return texture(source_0, at); }")
    lines += [f"#line 1 {k + 1}", stage.glsl]
    return "\n".join([*lines, *(f"#undef {name}" for name in sorted(names)), ""])


def _first(error: Exception) -> str:
    """Return the first line of a compiler's error that is not empty."""
    lines = [_LABEL.sub("", line.strip()) for line in str(error).partition("\n----")[0].splitlines()]
    return next((line for line in lines if line), repr(error))
